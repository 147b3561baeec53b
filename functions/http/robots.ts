import * as Discovery from "../../core/discovery/index.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { text } from "../lib/reply.ts";
import { closedToCrawlers } from "../routes.ts";

export const handler = documentEndpoint("robots", () =>
  text("text/plain", Discovery.robots(settings(), closedToCrawlers)),
);
