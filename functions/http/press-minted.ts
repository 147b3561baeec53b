import * as Mint from "../../core/mint/index.ts";
import { MintedInput } from "../../core/press/schema.ts";
import { follow } from "../lib/correlation.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** Seconds. */
const retryAfter = "2";

export const handler = walletEndpoint("press-minted", MintedInput, async ({ caller, body }) => {
  follow({ press: body.id });
  const ports = { table: runtime.table(), clock: runtime.clock, mints: runtime.mints() };
  const confirmation = await Mint.confirm(ports, caller.wallet, body);
  if (confirmation.state === "pending") {
    return json({ pending: true }, { status: 202, headers: { "retry-after": retryAfter } });
  }
  const { slug, pressId } = confirmation;
  return json({ slug, pressId });
});
