/** A separate process that acts as Lambda: a test starts this file and never imports it. */
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { type ImportOutcome, ImportRequest } from "./order.ts";

const Handler = z.custom<(event: unknown, context: unknown) => unknown>(
  (value) => typeof value === "function",
);
const before = { ...process.env };

/**
 * Runs the bundle of one Lambda function in Node.js. The bundle gets only the function's environment variables and the variables with which
 * the test started this process.
 */
async function run({ file, handler, variables, event }: ImportRequest): Promise<ImportOutcome> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, before, variables);
  const started = performance.now();
  try {
    const loaded: unknown = (await import(pathToFileURL(file).href))[handler];
    const milliseconds = performance.now() - started;
    return { answer: await Handler.parse(loaded)(event, { awsRequestId: "request-1" }), milliseconds };
  } catch (error) {
    return { error: String(error) };
  }
}

process.on("message", async (message) => {
  const outcome = await run(ImportRequest.parse(message));
  process.send?.(outcome);
});
