import * as z from "zod";
import { endpoint } from "../lib/endpoint.ts";
import { text } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";
import { openApiText } from "../openapi/index.ts";

export const handler = endpoint("openapi", z.undefined(), async () =>
  text("application/json", openApiText(runtime.settings())),
);
