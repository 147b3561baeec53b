import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import { edgeLog } from "../../functions/storage.ts";

/** The log of the edge. */
export type EdgeLog = {
  readonly add: (request: IncomingMessage, status: number) => void;
  /** Stores the collected lines as a file. */
  readonly storeLines: () => Promise<void>;
};

/** The maximum number of lines that are not stored yet, so that a very large number of requests does not fill the memory. */
const mostLines = 100_000;

/**
 * Writes the edge's log as CloudFront's standard logging (v2) does with the stage's settings (infra/web.ts): compressed JSON lines with the
 * given fields, in a folder for each day. The lines of the log contain no IP address.
 */
export function makeEdgeLog(write: (key: string, body: Buffer) => Promise<void>): EdgeLog {
  let lines: string[] = [];
  return {
    add(request, status) {
      if (lines.length < mostLines) lines.push(formatLogLine(request, status));
    },
    async storeLines() {
      if (lines.length === 0) return;
      const body = gzipSync(lines.map((line) => `${line}\n`).join(""));
      lines = [];
      const hour = new Date().toISOString().slice(0, 13).replace("T", "-");
      const folder = hour.slice(0, 10).replaceAll("-", "/");
      await write(`${edgeLog.prefix}/${folder}/LOCAL.${hour}.${randomBytes(4).toString("hex")}.gz`, body);
    },
  };
}

function formatLogLine({ method = "", url = "", headers }: IncomingMessage, status: number): string {
  const [path = "", query] = url.split("?");
  const [date = "", time = ""] = new Date().toISOString().split("T");
  return JSON.stringify({
    date,
    time: time.slice(0, 8),
    "cs-method": method,
    "cs-uri-stem": path,
    "cs-uri-query": query ?? "-",
    "sc-status": String(status),
    "cs(Referer)": encodeText(headers.referer),
    "cs(User-Agent)": encodeText(headers["user-agent"]),
    "x-edge-result-type": "Miss",
    "x-edge-request-id": randomBytes(20).toString("base64url"),
    "time-taken": "0.001",
    "sc-bytes": "0",
  } satisfies Record<(typeof edgeLog.fields)[number], string>);
}

/** Encodes characters as CloudFront does in its log, such as a space as `%20` ("Standard logging reference"). */
function encodeText(value: string | undefined): string {
  if (value === undefined || value === "") return "-";
  return value.replace(/[^\x21-\x7e]|[<>"#%{}|\\^~[\]`']/g, (character) =>
    [...Buffer.from(character, "latin1")]
      .map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`)
      .join(""),
  );
}
