import { description } from "../../core/mcp/schema.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { HttpProblem, json } from "../lib/reply.ts";

/** Describes the MCP endpoint to a GET. A client that asks for a stream or ends a session gets a refusal. */
export const handler = documentEndpoint("mcp-stream", ({ accept = "" }, method) => {
  if (method === "DELETE") {
    throw new HttpProblem(405, "post_only", "There is nothing to end: each POST is independent.");
  }
  if (accept.includes("text/event-stream")) {
    throw new HttpProblem(405, "post_only", "Send one JSON-RPC message by POST: there are no streams here.");
  }
  return json(description(settings().origin));
});
