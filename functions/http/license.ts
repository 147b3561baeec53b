import * as Discovery from "../../core/discovery/index.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { text } from "../lib/reply.ts";

export const handler = documentEndpoint("license", () =>
  text("application/rsl+xml", Discovery.licence(settings())),
);
