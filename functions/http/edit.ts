import * as z from "zod";
import * as Correction from "../../core/correction/index.ts";
import { CorrectInput, PriceInput, UnlistInput } from "../../core/correction/schema.ts";
import * as Manuscript from "../../core/manuscript/index.ts";
import { DiscardInput, KeepInput } from "../../core/manuscript/schema.ts";
import { serveWallet } from "../lib/endpoint.ts";
import { addLogFields } from "../lib/log.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const correct = serveWallet("press-correct", CorrectInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  return makeJson(await Correction.addNote(runtime.tablePorts(), caller.wallet, body));
});

export const unlist = serveWallet("press-unlist", UnlistInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  return makeJson(await Correction.unlist(runtime.tablePorts(), caller.wallet, body));
});

export const changePrice = serveWallet("press-price", PriceInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  const settings = runtime.readSettings();
  return makeJson(await Correction.changePrice({ ...runtime.tablePorts(), settings }, caller.wallet, body));
});

export const keepManuscript = serveWallet("press-keep", KeepInput, async ({ caller, body }) =>
  makeJson(await Manuscript.keep(runtime.tablePorts(), caller.wallet, body)),
);

export const discardManuscript = serveWallet("press-discard", DiscardInput, async ({ caller, body }) => {
  await Manuscript.discard(runtime.tablePorts(), caller.wallet, body);
  return makeJson({ discarded: true });
});

export const readManuscript = serveWallet("my-manuscript", z.undefined(), async ({ caller, path }) =>
  makeJson(await Manuscript.read({ table: runtime.table() }, caller.wallet, path.name)),
);
