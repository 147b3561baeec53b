import * as Press from "../../core/press/index.ts";
import { SaveInput } from "../../core/press/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("press-save", SaveInput, async ({ caller, body }) =>
  json(
    await Press.save(
      { table: runtime.table(), clock: runtime.clock, market: runtime.market() },
      caller.wallet,
      body,
    ),
  ),
);
