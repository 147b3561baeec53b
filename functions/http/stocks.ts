import * as z from "zod";
import * as Market from "../../core/market/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("stocks", z.undefined(), async () => {
  const ports = { table: runtime.table(), clock: runtime.clock, market: runtime.market() };
  return json({ stocks: await Market.stocks(ports) });
});
