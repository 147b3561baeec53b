import * as z from "zod";
import { AddressInput, lower } from "../../core/chain/hex.ts";
import { makePaymentLinks } from "../../core/discovery/index.ts";
import * as Press from "../../core/press/index.ts";
import { SaveInput } from "../../core/press/input.ts";
import { CursorQuery, ListQuery } from "../../core/press/schema.ts";
import * as Repeat from "../../core/repeat/index.ts";
import * as Session from "../../core/session/index.ts";
import { repeatHeader, signedReadHeader } from "../browser.ts";
import { makeHandler, makeWalletHandler } from "../lib/endpoint.ts";
import { addLogFields } from "../lib/log.ts";
import { logMetrics } from "../lib/meter.ts";
import { makeJson, parseQuery } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const list = makeHandler("presses", z.undefined(), async ({ query }) => {
  const asked = parseQuery(ListQuery, query);
  return makeJson(await Press.list({ table: runtime.table() }, asked));
});

export const author = makeHandler("author", z.undefined(), async ({ path, query }) => {
  const { cursor } = parseQuery(CursorQuery, query);
  const address = AddressInput.safeParse(path.address);
  if (!address.success) throw Press.makeAuthorError();
  return makeJson(await Press.readAuthor({ table: runtime.table() }, lower(address.data), cursor));
});

/**
 * Answers with one press. If a request has both a wallet's signature and a session, the signature is used, because the client must learn
 * when its signature is invalid.
 */
export const read = makeHandler("press", z.undefined(), async ({ path, headers, token }) => {
  const { slug = "" } = path;
  const ports = { ...runtime.makeTablePorts(), market: runtime.market() };
  const header = headers[signedReadHeader];
  const settings = runtime.readSettings();
  const link = { headers: { link: makePaymentLinks(settings) } };
  if (header === undefined) return makeJson(await Press.read(ports, slug, token), link);
  const proof = { chain: runtime.chain(), clock: runtime.clock, settings };
  const reader = await Session.verifyRead(proof, header, Press.makeApiUrl(settings.origin, slug));
  return makeJson(await Press.read(ports, slug, reader), link);
});

export const save = makeWalletHandler("press-save", SaveInput, async ({ caller, body, headers }) => {
  const ports = { ...runtime.makeTablePorts(), market: runtime.market(), settings: runtime.readSettings() };
  const repeat = Repeat.readIdempotencyKey("save", headers[repeatHeader], body);
  const saved = await Press.save(ports, caller.wallet, body, repeat);
  addLogFields({ press: saved.id });
  logMetrics({ DraftSaved: 1 });
  return makeJson(saved);
});
