import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { text } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";
import { closed } from "../openapi/closed.ts";

export const handler = endpoint("robots", z.undefined(), async () =>
  text("text/plain", Discovery.robots(runtime.settings(), closed)),
);
