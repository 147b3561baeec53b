import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { text } from "../lib/reply.ts";
import { makeOpenApi } from "../openapi/index.ts";

/** The OpenAPI document as text. Each container makes this text only once. */
let made: string | undefined;

export const handler = documentEndpoint("openapi", () => {
  made ??= JSON.stringify(makeOpenApi(settings()));
  return text("application/json", made);
});
