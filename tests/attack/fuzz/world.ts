import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zeroHash } from "viem";
import { type HDAccount, HDKey, hdKeyToAccount } from "viem/accounts";
import * as z from "zod";
import { mainnet } from "../../../core/chain/deployment.ts";
import { lower } from "../../../core/chain/hex.ts";
import { contractAddress, filings } from "../../../local/seed/articles.ts";
import type { Detour, ServiceOptions } from "../../../local/service.ts";
import { makeSiteTemplate } from "../../core/page/site.ts";
import { Document } from "../../functions/openapi-lint.ts";
import { openDevnetClient } from "../../support/devnet.ts";
import { makeHttpClient, repeatWhilePending } from "../../support/http-payer.ts";
import {
  approve,
  encodePermitHeader,
  encodeVote,
  getTestAccount,
  makePermit,
  register,
  reputationRegistry,
  send,
  signPermit,
} from "../../support/payment.ts";
import { startTestService } from "../../support/service.ts";
import { openState } from "../state.ts";
import type { JsonValue } from "./mutate.ts";

const Saved = z.object({ id: z.int() });
const Audited = z.object({ metaUrl: z.string() });
const Challenge = z.object({ nonce: z.string(), message: z.string() });
const Minted = z.object({ pressId: z.int(), slug: z.string() });

/**
 * The guest is a wallet that signs in, but neither publishes nor pays. The requests of the fuzz test may end the guest's sessions at any
 * time.
 */
const [guest, publisher] = [getTestAccount(1), getTestAccount(4)];
const [rival, voter] = [getTestAccount(5), getTestAccount(6)];
/** The payers: two wallets that can pay, a wallet that has not approved Permit2, and a wallet without USDG. */
const poor = hdKeyToAccount(HDKey.fromMasterSeed(new TextEncoder().encode("a payer without money")));
const payers: readonly HDAccount[] = [getTestAccount(2), getTestAccount(3), getTestAccount(7), poor];

export const legs = { "pay-treasury": "treasury", "pay-publisher": "publisher" } as const;
export type Leg = (typeof legs)[keyof typeof legs];

/**
 * Starts the whole service with a live press, a draft that the auditor refuses, and all kinds of callers. `detour` puts a proxy between the
 * service and its chain. `rough` makes the service's stand-ins as unreliable as the real services.
 */
export async function openWorld(detour?: Detour, rough: Pick<ServiceOptions, "rough" | "isCalm"> = {}) {
  const site = await mkdtemp(join(tmpdir(), "site-"));
  await writeFile(join(site, "index.html"), makeSiteTemplate("one"));
  const service = await startTestService({ site, detours: { chain: detour }, ...rough });
  const { origin, rpcUrl } = service;
  const chain = openDevnetClient(rpcUrl);
  const http = makeHttpClient(origin);
  const [cookie, rivalCookie, reader] = [
    await http.signIn(publisher),
    await http.signIn(rival),
    await http.signIn(voter),
  ];
  const post = async <Form>(path: string, body: unknown, form: z.ZodType<Form>) =>
    form.parse((await repeatWhilePending(() => http.ask(path, { body, cookie }))).body);

  const article = { ...filings, priceUsdg: 0.25, publisherName: "The Fuzz Desk" };
  const { id } = await post("/api/press/save", article, Saved);
  const { metaUrl } = await post("/api/press/audit", { id }, Audited);
  const { txHash } = await register({ client: chain }, publisher, metaUrl);
  const { pressId, slug } = await post("/api/press/minted", { id, txHash }, Minted);
  const refused = {
    ...article,
    ...contractAddress,
    priceUsdg: 0.25,
    body: `${contractAddress.body}\n\nThe price is guaranteed to rise.`,
  };
  const draft = await post("/api/press/save", refused, Saved);
  const feedback = encodeVote(pressId, { tag: "insightful" });
  const vote = await send({ client: chain }, voter, reputationRegistry, feedback);
  for (const account of payers.slice(0, 2)) await approve({ client: chain }, account);
  const paid = await buy();
  await http.ask("/api/draft/angles", { body: { stock: article.stock }, cookie });
  const document = Document.parse((await http.ask("/openapi.json")).body);
  const endable = [undefined, await http.signIn(guest), "session=forged"];
  const { address } = guest;
  const challenge = Challenge.parse(
    (await http.ask("/api/auth/nonce", { body: { address }, headers: { origin } })).body,
  );
  const state = openState(service);
  await state.waitUntilIdle();

  /** A second reader, who got the session cookie by a payment instead of a sign-in. */
  async function buy(): Promise<string> {
    const account = getTestAccount(8);
    await approve({ client: chain }, account);
    await http.payLeg(account, "treasury", pressId);
    const answer = await http.payLeg(account, "publisher", pressId);
    if (answer.cookie === undefined) throw new Error("The payment set no cookie.");
    return answer.cookie;
  }

  const named: Readonly<Record<string, readonly JsonValue[]>> = {
    id: [id, draft.id, draft.id, 4711],
    pressId: [pressId, pressId, 4711],
    slug: [slug, "no-such-press-zz"],
    symbol: [article.stock, "MSFT", "MOON"],
    stock: [article.stock, "MSFT", "MOON"],
    angleId: ["price", "fundamentals", "h0", "h99"],
    generationId: [1, 4711],
    limit: [1, 200],
    part: [0, 1],
    address: [guest.address, guest.address, rival.address, mainnet.contracts.usdg],
    nonce: [challenge.nonce],
    signature: [await guest.signMessage({ message: challenge.message }), `0x${"1b".repeat(65)}`],
    txHash: [txHash, vote.transactionHash, zeroHash],
    headline: [refused.headline],
    preview: [refused.preview],
    body: [refused.body],
    publisherName: [refused.publisherName],
    priceUsdg: [refused.priceUsdg],
    updatedAt: ["2026-11-20T12:00:00.000Z"],
    method: [
      "eth_chainId",
      "eth_blockNumber",
      "eth_call",
      "eth_getBalance",
      "eth_getLogs",
      "eth_sendRawTransaction",
    ],
  };

  const offered = {
    treasury: await http.entryOf("treasury", pressId),
    publisher: await http.entryOf("publisher", pressId),
  };
  return {
    service,
    chain,
    state,
    http,
    pressId,
    /** The owner of the press, who receives the publisher's part of the press's price; the treasury receives the fee. */
    owner: lower(publisher.address),
    text: article.body,
    document,
    named,
    /** The cookies that the requests of the fuzz test may carry. Most requests come from the publisher. */
    cookies: [undefined, cookie, cookie, cookie, cookie, rivalCookie, reader, paid, "session=forged"],
    /** Sessions that a request may end without an effect on later requests. */
    endable,
    payers: payers.length,
    /** A payment that one of the payers signs by the press's terms, as the JSON of the payment header. */
    async makePayment(payer: number, leg: Leg): Promise<JsonValue> {
      const account = payers[payer % payers.length] ?? poor;
      // If a request has taken the press off sale, the payer signs the press's earlier terms.
      const entry = await http.entryOf(leg, pressId).catch(() => offered[leg]);
      const permit = makePermit(account, entry);
      const header = encodePermitHeader(entry, permit, await signPermit(account, permit));
      return z.json().parse(JSON.parse(Buffer.from(header, "base64").toString()));
    },
    async stop(): Promise<void> {
      state.close();
      await service.stop();
      await rm(site, { recursive: true });
    },
  };
}
export type FuzzWorld = Awaited<ReturnType<typeof openWorld>>;
