import { sendGas } from "../../core/votegas/index.ts";
import { GasInput } from "../../core/votegas/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("votes-gas", GasInput, async ({ body, caller }) => {
  const ports = {
    table: runtime.table(),
    clock: runtime.clock,
    ids: runtime.ids,
    settings: runtime.settings(),
    chain: runtime.chain(),
    relayers: runtime.relayers(),
  };
  return json(await sendGas(ports, caller.wallet, body));
});
