import * as Discovery from "../../core/discovery/index.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { text } from "../lib/reply.ts";
import { settings } from "../lib/settings.ts";

export const handler = documentEndpoint("llms", () => text("text/plain", Discovery.llms(settings())));
