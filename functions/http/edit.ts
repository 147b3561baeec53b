import * as z from "zod";
import * as Correction from "../../core/correction/index.ts";
import { CorrectInput, PriceInput, UnlistInput } from "../../core/correction/schema.ts";
import * as Manuscript from "../../core/manuscript/index.ts";
import { DiscardInput, KeepInput } from "../../core/manuscript/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { addLogFields } from "../lib/log.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const correct = walletEndpoint("press-correct", CorrectInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  return json(await Correction.correct(runtime.tablePorts(), caller.wallet, body));
});

export const unlist = walletEndpoint("press-unlist", UnlistInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  return json(await Correction.unlist(runtime.tablePorts(), caller.wallet, body));
});

export const changePrice = walletEndpoint("press-price", PriceInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  const settings = runtime.settings();
  return json(await Correction.changePrice({ ...runtime.tablePorts(), settings }, caller.wallet, body));
});

export const keepManuscript = walletEndpoint("press-keep", KeepInput, async ({ caller, body }) =>
  json(await Manuscript.keep(runtime.tablePorts(), caller.wallet, body)),
);

export const discardManuscript = walletEndpoint("press-discard", DiscardInput, async ({ caller, body }) => {
  await Manuscript.discard(runtime.tablePorts(), caller.wallet, body);
  return json({ discarded: true });
});

export const readManuscript = walletEndpoint("my-manuscript", z.undefined(), async ({ caller, path }) =>
  json(await Manuscript.read({ table: runtime.table() }, caller.wallet, path.name)),
);
