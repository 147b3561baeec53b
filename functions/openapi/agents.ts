import { description } from "../../core/mcp/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { refusal } from "./sample.ts";
import type { Operations } from "./schemas.ts";

/** MCP over streamable HTTP: stateless, one message a request, JSON answers. */
export const agents = (settings: Pick<Settings, "origin">): Pick<Operations, "mcp" | "mcp-stream"> => ({
  mcp: {
    tag: "Agents",
    summary: "Call a tool over MCP",
    description:
      'Streamable HTTP without sessions and streams. Free tools: search_presses, preview_press, audit_report, stock_quote, author. buy_press sells a press for two payments in _meta["x402/payment"], one a call: leg fee, then leg publisher.',
    body: "McpMessage",
    answers: {
      200: { description: "The answer.", schema: "McpAnswer" },
      202: { description: "It was a notification." },
      400: {
        description:
          "Not JSON (-32700), no valid message or more than one (-32600), or an unknown version of MCP (-32000).",
        schema: "McpAnswer",
      },
    },
    examples: {
      ping: {
        summary: "Whether it is there",
        body: { jsonrpc: "2.0", id: 2, method: "ping" },
        status: 200,
        answer: { jsonrpc: "2.0", id: 2, result: {} },
      },
    },
  },
  "mcp-stream": {
    tag: "Agents",
    summary: "What the MCP endpoint is",
    description: "A client of MCP that asks for a stream here is answered 405 and goes on without it.",
    headers: { accept: { description: "text/event-stream is refused.", schema: { type: "string" } } },
    answers: { 200: { description: "Its tools, and how it is paid.", schema: "McpDescription" } },
    refusals: { 405: { post_only: "A stream was asked for: send messages by POST." } },
    examples: {
      description: { summary: "Its description", status: 200, answer: description(settings.origin) },
      stream: refusal(
        405,
        "post_only",
        "Send one JSON-RPC message by POST: there are no streams here.",
        "A client asks for a stream",
        { headers: { accept: "text/event-stream" } },
      ),
    },
  },
});
