import * as Discovery from "../../core/discovery/index.ts";
import { makeDescription } from "../../core/mcp/schema.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { HttpProblem, json, text } from "../lib/reply.ts";
import { closedToCrawlers } from "../routes.ts";

export const robots = documentEndpoint("robots", () =>
  text("text/plain", Discovery.robots(settings(), closedToCrawlers)),
);

export const license = documentEndpoint("license", () =>
  text("application/rsl+xml", Discovery.licence(settings())),
);

export const llms = documentEndpoint("llms", () => text("text/plain", Discovery.writeLlmsText(settings())));

/** Answers a GET with a description of the MCP endpoint. A client that asks for a stream or ends a session gets a refusal. */
export const mcpStream = documentEndpoint("mcp-stream", ({ accept = "" }, method) => {
  if (method === "DELETE") {
    throw new HttpProblem(405, "post_only", "There is nothing to end: each POST is independent.");
  }
  if (accept.includes("text/event-stream")) {
    throw new HttpProblem(405, "post_only", "Send one JSON-RPC message by POST: there are no streams here.");
  }
  return json(makeDescription(settings().origin));
});
