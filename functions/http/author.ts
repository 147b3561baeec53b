import * as z from "zod";
import { AddressInput, lower } from "../../core/chain/hex.ts";
import * as Press from "../../core/press/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { invalid, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("author", z.undefined(), async ({ path }) => {
  const address = AddressInput.safeParse(path.address);
  if (!address.success) throw invalid(address.error);
  return json(await Press.author({ table: runtime.table() }, lower(address.data)));
});
