import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { text } from "../lib/reply.ts";
import { openApiText } from "../openapi/index.ts";

export const handler = documentEndpoint("openapi", () => text("application/json", openApiText(settings())));
