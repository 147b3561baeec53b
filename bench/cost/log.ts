import * as z from "zod";
import type { Ledger } from "./ledger.ts";

/** What CloudWatch Logs counts besides the text of each event. */
const eventOverhead = 26;

const Line = z.looseObject({ function: z.string(), ModelTokens: z.number().optional() });

/**
 * Takes the functions' lines, and the metrics in them, out of this process's output and counts them instead, until it is
 * told to stop. Everything else is written as ever.
 */
export function watchLogs(ledger: Ledger): () => void {
  const { stdout, stderr } = process;
  const restore = [stdout, stderr].map((stream) => {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      const others = String(chunk)
        .split("\n")
        .filter((line) => line === "" || !counted(line, ledger));
      return others.every((line) => line === "") ? true : write(chunk, ...rest);
    };
    return () => {
      stream.write = write;
    };
  });
  return () => {
    for (const undo of restore) undo();
  };
}

function counted(line: string, ledger: Ledger): boolean {
  if (!line.startsWith("{")) return false;
  const parsed = Line.safeParse(parse(line));
  if (!parsed.success) return false;
  ledger.add(parsed.data.function, {
    logLines: 1,
    logBytes: Buffer.byteLength(line) + eventOverhead,
    modelTokens: parsed.data.ModelTokens ?? 0,
  });
  return true;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
