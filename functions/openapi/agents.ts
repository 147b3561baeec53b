import { description } from "../../core/mcp/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { tagged } from "./operation.ts";
import { refusal } from "./sample.ts";

/** MCP over streamable HTTP: stateless, one message a request, JSON answers. */
export const agents = ({ origin }: Settings) =>
  tagged("Agents", {
    mcp: {
      summary: "Call a tool over MCP",
      description:
        'Streamable HTTP without sessions and streams. Free tools: search_presses, preview_press, audit_report, stock_quote, author, receipt. buy_press sells a press for two payments in _meta["x402/payment"], one a call: leg fee, then leg publisher.',
      body: "McpMessage",
      answer: "McpAnswer",
      otherAnswers: {
        202: { description: "It was a notification." },
        400: {
          description:
            "Not JSON (-32700), no valid message or more than one (-32600), or an unknown version of MCP (-32000).",
          form: "McpAnswer",
        },
      },
      examples: {
        ping: {
          summary: "Whether it is there",
          body: { jsonrpc: "2.0", id: 2, method: "ping" },
          answer: { jsonrpc: "2.0", id: 2, result: {} },
        },
      },
    },
    "mcp-stream": {
      summary: "What the MCP endpoint is",
      description: "A client of MCP that asks for a stream here is answered 405 and goes on without it.",
      headers: { accept: "text/event-stream is refused." },
      answer: "McpDescription",
      refusals: ["405 post_only"],
      examples: {
        description: { summary: "Its description", answer: description(origin) },
        stream: refusal(
          "405 post_only",
          "Send one JSON-RPC message by POST: there are no streams here.",
          "A client asks for a stream",
          { headers: { accept: "text/event-stream" } },
        ),
      },
    },
  });
