import * as Mint from "../../core/mint/index.ts";
import { MintedInput } from "../../core/mint/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { follow } from "../lib/log.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("press-minted", MintedInput, async ({ caller, body }) => {
  follow({ press: body.id });
  const ports = { table: runtime.table(), clock: runtime.clock, mints: runtime.mints() };
  return json(await Mint.confirm(ports, caller.wallet, body));
});
