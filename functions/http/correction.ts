import * as Correction from "../../core/correction/index.ts";
import { CorrectInput, PriceInput, UnlistInput } from "../../core/correction/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { follow } from "../lib/log.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const correct = walletEndpoint("press-correct", CorrectInput, async ({ caller, body }) => {
  follow({ press: body.id });
  return json(await Correction.correct(ports(), caller.wallet, body));
});

export const unlist = walletEndpoint("press-unlist", UnlistInput, async ({ caller, body }) => {
  follow({ press: body.id });
  return json(await Correction.unlist(ports(), caller.wallet, body));
});

export const changePrice = walletEndpoint("press-price", PriceInput, async ({ caller, body }) => {
  follow({ press: body.id });
  const settings = runtime.settings();
  return json(await Correction.changePrice({ ...ports(), settings }, caller.wallet, body));
});

const ports = () => ({ table: runtime.table(), clock: runtime.clock });
