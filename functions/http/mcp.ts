import { textEndpoint } from "../lib/endpoint.ts";
import { answerMcp } from "../lib/mcp.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** Each message may move money, and a batch would let one request move much of it. */
const batchRefused = {
  jsonrpc: "2.0",
  id: null,
  error: { code: -32_600, message: "Send one message at a time." },
} as const;

export const handler = textEndpoint("mcp", async ({ body, headers }) => {
  if (body.trimStart().startsWith("[")) return json(batchRefused, { status: 400 });
  const version = headers["mcp-protocol-version"];
  const sent = {
    "content-type": "application/json",
    // The transport asks for both types; the answer is JSON whatever the caller prefers.
    accept: "application/json, text/event-stream",
    ...(version !== undefined && { "mcp-protocol-version": version }),
  };
  return answerMcp(`${runtime.settings().origin}/mcp`, new Headers(sent), body);
});
