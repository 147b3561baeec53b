import * as z from "zod";
import * as Press from "../../core/press/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("meta", z.undefined(), async ({ path }) =>
  json(await Press.registration({ table: runtime.table(), settings: runtime.settings() }, path.id)),
);
