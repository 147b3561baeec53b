import * as z from "zod";
import { AddressInput, lower } from "../../core/chain/hex.ts";
import * as Press from "../../core/press/index.ts";
import { ListQuery } from "../../core/press/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { invalid, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const list = endpoint("presses", z.undefined(), async ({ query }) => {
  const asked = ListQuery.safeParse(query);
  if (!asked.success) throw invalid(asked.error);
  return json(await Press.list({ table: runtime.table() }, asked.data));
});

export const author = endpoint("author", z.undefined(), async ({ path }) => {
  const address = AddressInput.safeParse(path.address);
  if (!address.success) throw invalid(address.error);
  return json(await Press.author({ table: runtime.table() }, lower(address.data)));
});
