import * as z from "zod";
import * as Mint from "../../core/mint/index.ts";
import { MintedInput } from "../../core/mint/schema.ts";
import * as Press from "../../core/press/index.ts";
import { makeHandler, makeWalletHandler } from "../lib/endpoint.ts";
import { addLogFields } from "../lib/log.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const minted = makeWalletHandler("press-minted", MintedInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  const ports = { ...runtime.makeTablePorts(), mints: runtime.mints() };
  return makeJson(await Mint.confirm(ports, caller.wallet, body));
});

export const meta = makeHandler("meta", z.undefined(), async ({ path }) =>
  makeJson(
    await Press.readRegistration({ table: runtime.table(), settings: runtime.readSettings() }, path.id),
  ),
);
