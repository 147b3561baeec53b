import { description } from "../../core/mcp/schema.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { HttpProblem, json } from "../lib/reply.ts";

/** What the MCP endpoint is, for whoever opens its address. A client that asks for a stream is told that there is none. */
export const handler = documentEndpoint("mcp-stream", ({ accept = "" }) => {
  if (accept.includes("text/event-stream")) {
    throw new HttpProblem(405, "post_only", "Send one JSON-RPC message by POST: there are no streams here.");
  }
  return json(description(settings().origin));
});
