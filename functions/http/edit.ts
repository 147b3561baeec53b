import * as z from "zod";
import * as Correction from "../../core/correction/index.ts";
import { CorrectInput, PriceInput, UnlistInput } from "../../core/correction/schema.ts";
import * as Manuscript from "../../core/manuscript/index.ts";
import { DiscardInput, SaveManuscriptInput } from "../../core/manuscript/schema.ts";
import { makeWalletHandler } from "../lib/endpoint.ts";
import { addLogFields } from "../lib/log.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const correct = makeWalletHandler("press-correct", CorrectInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  return makeJson(await Correction.addNote(runtime.makeTablePorts(), caller.wallet, body));
});

export const unlist = makeWalletHandler("press-unlist", UnlistInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  return makeJson(await Correction.unlist(runtime.makeTablePorts(), caller.wallet, body));
});

export const changePrice = makeWalletHandler("press-price", PriceInput, async ({ caller, body }) => {
  addLogFields({ press: body.id });
  const settings = runtime.readSettings();
  return makeJson(
    await Correction.changePrice({ ...runtime.makeTablePorts(), settings }, caller.wallet, body),
  );
});

export const keepManuscript = makeWalletHandler("press-keep", SaveManuscriptInput, async ({ caller, body }) =>
  makeJson(await Manuscript.keep(runtime.makeTablePorts(), caller.wallet, body)),
);

export const discardManuscript = makeWalletHandler(
  "press-discard",
  DiscardInput,
  async ({ caller, body }) => {
    await Manuscript.deleteManuscript(runtime.makeTablePorts(), caller.wallet, body);
    return makeJson({ discarded: true });
  },
);

export const readManuscript = makeWalletHandler("my-manuscript", z.undefined(), async ({ caller, path }) =>
  makeJson(await Manuscript.read({ table: runtime.table() }, caller.wallet, path.name)),
);
