import * as z from "zod";
import * as Press from "../../core/press/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("press", z.undefined(), async ({ path, token }) => {
  const ports = { table: runtime.table(), clock: runtime.clock, market: runtime.market() };
  return json(await Press.read(ports, path.slug ?? "", token));
});
