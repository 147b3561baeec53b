import * as z from "zod";
import { rpcWanted } from "../lib/body.ts";
import { rpcEndpoint } from "../lib/endpoint.ts";
import { answerMcp } from "../lib/mcp.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

const Message = z.looseObject({});

export const handler = rpcEndpoint("mcp", async ({ body, headers }) => {
  const message = parsed(body);
  if (message === undefined) return refused(-32_700, "The body is not valid JSON.");
  // Each message may move money, and a batch would let one request move much of it.
  if (!Message.safeParse(message).success) return refused(-32_600, "Send one message at a time.");
  const version = headers["mcp-protocol-version"];
  const sent = {
    "content-type": "application/json",
    // The transport asks for both types; the answer is JSON whatever the caller prefers.
    accept: "application/json, text/event-stream",
    ...(version !== undefined && { "mcp-protocol-version": version }),
  };
  return answerMcp(`${runtime.settings().origin}/mcp`, new Headers(sent), body);
});

/** `undefined` for what is not JSON: JSON itself has no such value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A refusal of what is no message, in JSON-RPC's words. */
function refused(code: number, reason: string) {
  return json(
    { jsonrpc: "2.0", id: null, error: { code, message: `${reason} ${rpcWanted()}` } },
    { status: 400 },
  );
}
