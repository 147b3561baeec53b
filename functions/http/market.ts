import * as z from "zod";
import * as Market from "../../core/market/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("market", z.undefined(), async () =>
  json(await Market.overview({ table: runtime.table() })),
);
