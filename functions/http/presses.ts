import * as z from "zod";
import * as Press from "../../core/press/index.ts";
import { ListQuery } from "../../core/press/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { invalid, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("presses", z.undefined(), async ({ query }) => {
  const asked = ListQuery.safeParse(query);
  if (!asked.success) throw invalid(asked.error);
  return json(await Press.list({ table: runtime.table() }, asked.data));
});
