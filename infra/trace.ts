import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { useRuntimeHandlers as runtimeHandlers } from "sst/runtime/handlers.js";
import { bundle } from "./function.ts";
import { setSstProject } from "./synth.ts";

/**
 * `npm run trace < stack.txt` reads a stack trace from the log and prints it with the positions in our source files instead of the
 * positions in the bundles. The command bundles the handlers in the stack trace again, so the deployed commit must be checked out.
 */
const place = /(?:file:\/\/)?[^\s("]*\b(functions\/(?:http|job)\/[\w-]+)\.mjs:(\d+):(\d+)/g;

const stack = await text(process.stdin);
const named = new Set([...stack.matchAll(place)].map(([, name = ""]) => name));
if (named.size === 0)
  throw new Error("The text contains no position such as functions/http/session.mjs:131:77");
const folder = mkdtempSync(join(tmpdir(), "trace-"));
// SST keeps its log file in this folder open until the process ends, and SST's bundler may still be writing files.
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
setSstProject("trace", { region: "us-east-1" }, folder);
const maps = new Map<string, SourceMap>();
for (const name of named) maps.set(name, await buildSourceMap(name));
const traced = stack.replaceAll(place, (found: string, name: string, line: string, column: string) => {
  const origin = maps.get(name)?.findOrigin(Number(line), Number(column));
  if (origin === undefined || !("fileName" in origin)) return found;
  const source = relative(process.cwd(), resolve(folder, name, "..", origin.fileName));
  return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
});
// Without `process.exit`, SST's bundler would keep watching the files.
process.stdout.write(traced, () => process.exit());

/** The source map of a handler's bundle. Throws an Error with esbuild's message when the handler cannot be bundled. */
async function buildSourceMap(name: string): Promise<SourceMap> {
  const built = await runtimeHandlers()
    .for("nodejs24.x")
    .build({
      functionID: name,
      // The mode `start` skips the `npm install` of a deployment, because a stack trace can be read without installed packages.
      mode: "start",
      out: folder,
      props: { handler: `${name}.handler`, runtime: "nodejs24.x", nodejs: bundle },
    });
  if (built.type === "error") throw new Error(built.errors.join("\n"));
  return new SourceMap(JSON.parse(readFileSync(join(folder, `${name}.mjs.map`), "utf8")));
}
