import type { Hex } from "../../../core/chain/hex.ts";
import type { RouteId } from "../../../functions/routes.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { publishers } from "../../../local/seed/articles.ts";
import { openDevnetClient } from "../../support/devnet.ts";
import { makeHttpClient } from "../../support/http-payer.ts";
import { encodeVote, register as registerIdentity, reputationRegistry, send } from "../../support/payment.ts";
import type { RequestCounts } from "../../support/tally.ts";
import { makeVisitor } from "./visitor.ts";

const [desk] = publishers;
const [demo] = desk?.articles ?? [];
if (desk === undefined || demo === undefined) throw new Error("There is no demo article.");

/** The article that the story's publisher writes. */
export const article = { ...demo, publisherName: desk.publisherName };
export const accounts = { publisher: getTestAccount(desk.account), reader: getTestAccount(7) };

/**
 * A usual request to a route, the calls that this request makes, and the preparations for this request. Calls that are made during the
 * preparation are not counted.
 */
export type RouteVisit = {
  readonly id: RouteId;
  readonly when?: string;
  readonly takes: RequestCounts;
  /**
   * Whether the service answers only after a worker's result is in the table. If the service waits for the worker, the stated number of
   * table reads is only a minimum.
   */
  readonly waits?: true;
  readonly prepare?: () => Promise<unknown>;
  readonly visit: (given: unknown) => Promise<unknown>;
};

/** The addresses of the service and of its node, which are known once the service has started. */
export type ServiceUrls = { origin: string; rpcUrl: string };

export type Scene = ReturnType<typeof makeScene>;

/**
 * The people in the test's story, and the results of the story so far. For instance, `updatedAt` is the version of the publisher's
 * unfinished text, and `tx` is the hash of the transaction that paid the publisher.
 */
export function makeScene(place: ServiceUrls) {
  const far = { nonce: "", message: "", id: 0, metaUrl: "", slug: "", pressId: 0, updatedAt: "", tx: "" };
  return { place, publisher: makeVisitor(place), reader: makeVisitor(place), far };
}

/** Mints the press as its publisher. Returns the transaction's hash. */
export async function register({ place, far }: Scene): Promise<Hex> {
  const client = openDevnetClient(place.rpcUrl);
  return (await registerIdentity({ client }, accounts.publisher, far.metaUrl)).txHash;
}

/** Sends the reader's vote on the press to the chain. Returns the transaction's hash. */
export async function vote({ place, far }: Scene): Promise<Hex> {
  const endpoint = `${place.origin}/press/${far.slug}`;
  const client = openDevnetClient(place.rpcUrl);
  const data = encodeVote(far.pressId, { tag: "accurate", url: endpoint });
  return (await send({ client }, accounts.reader, reputationRegistry, data)).transactionHash;
}

/** The headers by which the reader pays one of the two parts of the price. */
export async function sign({ place, far }: Scene, leg: "treasury" | "publisher") {
  const { header } = await makeHttpClient(place.origin).signed(accounts.reader, leg, far.pressId);
  return { "payment-signature": header };
}
