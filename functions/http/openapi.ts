import { makeDocumentHandler } from "../lib/endpoint.ts";
import { readSettings } from "../lib/environment.ts";
import { makeText } from "../lib/reply.ts";
import { makeOpenApi } from "../openapi/index.ts";

/** The OpenAPI document as text. Each container makes this text only once. */
let made: string | undefined;

export const handler = makeDocumentHandler("openapi", () => {
  made ??= JSON.stringify(makeOpenApi(readSettings()));
  return makeText("application/json", made);
});
