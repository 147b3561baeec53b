import * as Discovery from "../../core/discovery/index.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { text } from "../lib/reply.ts";
import { settings } from "../lib/settings.ts";
import { closed } from "../openapi/closed.ts";

export const handler = documentEndpoint("robots", () =>
  text("text/plain", Discovery.robots(settings(), closed)),
);
