import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { type Bill, certain, edgeBill, together } from "./bill.ts";
import { nothing } from "./ledger.ts";
import { prices } from "./prices.ts";

/** What a browser is given that has never been here: every file of the built site that it may load, compressed. */
export type FirstVisit = { readonly files: number; readonly bytes: number };

export function firstVisit(folder: string): FirstVisit {
  const loaded = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(html|js|css|woff2)$/.test(name),
  );
  const bytes = loaded.map((name) => {
    const file = readFileSync(join(folder, name));
    return name.endsWith(".woff2") ? file.byteLength : brotliCompressSync(file).byteLength;
  });
  return { files: loaded.length, bytes: bytes.reduce((sum, size) => sum + size, 0) };
}

export function siteBill({ files, bytes }: FirstVisit): Bill {
  return together(
    edgeBill({ ...nothing, calls: files, responseBytes: bytes }),
    new Map([["edge: function", certain((files * prices.edgeFunction) / 1_000_000)]]),
  );
}
