import * as Discovery from "../../core/discovery/index.ts";
import { makeDescription } from "../../core/mcp/schema.ts";
import { makeDocumentHandler } from "../lib/endpoint.ts";
import { readSettings } from "../lib/environment.ts";
import { HttpProblem, makeJson, makeText } from "../lib/reply.ts";
import { closedToCrawlers } from "../routes.ts";

export const robots = makeDocumentHandler("robots", () =>
  makeText("text/plain", Discovery.makeRobots(readSettings(), closedToCrawlers)),
);

export const license = makeDocumentHandler("license", () =>
  makeText("application/rsl+xml", Discovery.makeLicence(readSettings())),
);

export const llms = makeDocumentHandler("llms", () =>
  makeText("text/plain", Discovery.writeLlmsText(readSettings())),
);

/** Answers a GET with a description of the MCP endpoint. A client that asks for a stream or asks to end a session gets a refusal. */
export const mcpStream = makeDocumentHandler("mcp-stream", ({ accept = "" }, method) => {
  if (method === "DELETE") {
    throw new HttpProblem(405, "post_only", "There are no sessions to end: each POST is independent.");
  }
  if (accept.includes("text/event-stream")) {
    throw new HttpProblem(405, "post_only", "Send one JSON-RPC message by POST: there are no streams here.");
  }
  return makeJson(makeDescription(readSettings().origin));
});
