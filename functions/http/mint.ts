import * as z from "zod";
import * as Mint from "../../core/mint/index.ts";
import { MintedInput } from "../../core/mint/schema.ts";
import * as Press from "../../core/press/index.ts";
import { endpoint, walletEndpoint } from "../lib/endpoint.ts";
import { addLogFields } from "../lib/log.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const minted = walletEndpoint("press-minted", MintedInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  const ports = { ...runtime.tablePorts(), mints: runtime.mints() };
  return json(await Mint.confirm(ports, caller.wallet, body));
});

export const meta = endpoint("meta", z.undefined(), async ({ path }) =>
  json(await Press.readRegistration({ table: runtime.table(), settings: runtime.settings() }, path.id)),
);
