import { description } from "../../core/mcp/schema.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { HttpProblem, json } from "../lib/reply.ts";

/** What the MCP endpoint is, for readers of its address. A client that asks for a stream or ends a session is told that there is none. */
export const handler = documentEndpoint("mcp-stream", ({ accept = "" }, method) => {
  if (method === "DELETE") {
    throw new HttpProblem(405, "post_only", "There is nothing to end: each POST stands alone.");
  }
  if (accept.includes("text/event-stream")) {
    throw new HttpProblem(405, "post_only", "Send one JSON-RPC message by POST: there are no streams here.");
  }
  return json(description(settings().origin));
});
