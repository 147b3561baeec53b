import * as Discovery from "../../core/discovery/index.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { text } from "../lib/reply.ts";
import { closedToCrawlers } from "../routes.ts";

export const robots = documentEndpoint("robots", () =>
  text("text/plain", Discovery.robots(settings(), closedToCrawlers)),
);

export const license = documentEndpoint("license", () =>
  text("application/rsl+xml", Discovery.licence(settings())),
);

export const llms = documentEndpoint("llms", () => text("text/plain", Discovery.llms(settings())));
