import * as z from "zod";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";

export const handler = endpoint("me", z.undefined(), async ({ session }) =>
  json({ address: (await session())?.wallet ?? null }),
);
