import * as Byline from "../byline/index.ts";
import { type Address, lower } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import { poll } from "../port/clock.ts";
import type { Queue } from "../port/cloud.ts";
import type { AllPorts } from "../ports.ts";
import { makeMetaUrl, readOwnPress } from "../press/index.ts";
import type { PressItem } from "../record/press.ts";
import type { VerdictMessage } from "../verdict/schema.ts";
import { addClaim, endClaim, freeSlot, holdSlot, type MintClaim, makeRefusal, RefusalCode } from "./claim.ts";
import { proveMint, publishPress } from "./publish.ts";
import type { Minted, MintedInput, MintOrder } from "./schema.ts";

export { type FoundMint, mintLeftBecause, repair } from "./publish.ts";

type Ports = Pick<AllPorts, "table" | "clock"> & { readonly mints: Queue<MintOrder> };

/** Milliseconds that a caller waits for the worker's result (design §5). */
const waitTime = 5_000;
const firstWait = 150;
const longestWait = 1_000;

/**
 * Confirms that a transaction minted the caller's approved press, and waits for the worker's result (design §5). If the press is already
 * live, the function answers at once, even if the caller names another transaction. Throws `unknown_press` (`missing`), `not_approved`
 * (`conflict`), `too_many_mints` (`limit`), `input` with the reason of a refusal (`RefusalCode`), and `mint_pending` (`upstream`) if there
 * is no result yet: the caller can repeat the same request. Also throws `queue_unavailable` (`upstream`) and `table_busy`.
 */
export async function confirm(ports: Ports, wallet: Address, input: MintedInput): Promise<Minted> {
  const press = await readOwnPress(ports, wallet, input.id);
  if (press.status === "live") return toMintedPress(press);
  if (press.status !== "approved") throw makeRefusal("not_approved");
  const claim = { id: press.id, txHash: lower(input.txHash), wallet };
  const order = await addClaim(ports, claim);
  if (order !== undefined) await sendOrder(ports, order);
  return awaitWorker(ports, claim);
}

async function sendOrder(ports: Ports, order: MintOrder): Promise<void> {
  try {
    await ports.mints.send(order);
  } catch (error) {
    // The message about the mint was not sent, so the mint must not seem to be in progress when the next request comes.
    await freeSlot(ports, order);
    throw error;
  }
}

async function awaitWorker(ports: Ports, claim: MintClaim): Promise<Minted> {
  const { table, clock } = ports;
  const { id, txHash, wallet } = claim;
  await clock.sleep(firstWait);
  const limits = {
    until: clock.now() + waitTime - firstWait,
    pauseMs: (tried: number) => Math.min(firstWait * 1.5 ** tried, longestWait),
  };
  const minted = await poll(clock, limits, async () => {
    const { data } = await table.entities.mint.get({ id, txHash }).go({ consistent: true });
    if (data?.state === "refused") throw makeRefusal(RefusalCode.parse(data.code));
    return data?.state === "done" ? toMintedPress(await readOwnPress(ports, wallet, id)) : undefined;
  });
  if (minted === undefined) throw makePendingError();
  return minted;
}

function makePendingError(): AppError {
  return new AppError(
    "upstream",
    "mint_pending",
    "The transaction is not confirmed yet. The service continues to look for the transaction. Send the same request again in a few seconds.",
    { retryAfter: 2 },
  );
}

function toMintedPress({ id, slug, pressId }: PressItem): Minted {
  if (slug === undefined || pressId === undefined) throw new Error(`Press ${id} is live without an identity`);
  return { slug, pressId };
}

type SettlePorts = Pick<AllPorts, "table" | "clock" | "chain" | "settings"> &
  Market.MarketPort & {
    readonly mints: Queue<MintOrder>;
    readonly verdicts: Queue<VerdictMessage>;
  };

type MintOutcome =
  | { readonly status: "done"; readonly wentLive: boolean }
  | { readonly status: "refused"; readonly code: RefusalCode }
  /** `isOurs` says that the delay is caused by the chain or the market, and not by the transaction. */
  | {
      readonly status: "later";
      readonly otherwise: RefusalCode;
      readonly seen?: boolean;
      readonly isOurs?: boolean;
    };

/**
 * The outcome of processing a message. After the outcome `later`, the message is sent again, unless another message about the same press
 * and transaction is in the queue. `wentLive` marks the first confirmation of a press.
 */
export type SettledMint =
  | Extract<MintOutcome, { readonly status: "done" | "refused" }>
  | { readonly status: "later" };

/**
 * The number of milliseconds during which the service keeps asking the chain about a transaction. `unseenTime` is the limit if no node has
 * seen the transaction. `seenTime` is the limit if a node has seen the transaction, or if the chain or the market gives no answer. The
 * chain includes a transaction within a second, so a transaction that no node has seen for two minutes was invented or dropped.
 */
const unseenTime = 110_000;
const seenTime = 30 * 60_000;

/** The maximum number of times that the processing of a message starts again because the press has changed meanwhile. */
const maxAttempts = 3;

/**
 * Processes one message: makes the press live, stores the refusal, or sends the message again with a delay. Even if a message about a press
 * is repeated, or several messages are processed at the same time, the press ends in the same state. Throws when the table or a queue
 * fails, so that the queue delivers the message again.
 */
export async function settle(ports: SettlePorts, order: MintOrder): Promise<SettledMint> {
  const claim: MintClaim = { id: order.id, txHash: lower(order.txHash), wallet: lower(order.wallet) };
  const verdict = await judgeClaim(ports, claim);
  if (verdict.status === "done") {
    // The result of the mint is stored before any message is sent or deleted, because the publisher waits for this result. The message
    // about the verdict is sent before the message about the mint is deleted. If the verdict's queue fails, the message about the mint
    // therefore still exists, and is delivered again.
    const { id, wallet } = claim;
    const publishedAt = new Date(ports.clock.now()).toISOString();
    await Promise.all([
      endClaim(ports, order, { state: "done" }),
      ports.table.entities.publisher.put({ wallet, publishedAt }).go(),
    ]);
    await ports.verdicts.send({ id });
    await Byline.markSharedByline(ports, id);
    return verdict;
  }
  if (verdict.status === "refused") return refuseMint(ports, order, verdict.code);
  const now = ports.clock.now();
  const { attempt, since = now } = order;
  const seen = order.seen === true || verdict.seen === true;
  const isLikely = seen || verdict.isOurs === true;
  const until = since + (isLikely ? seenTime : unseenTime);
  const pause = isLikely ? Math.min(1 + attempt, 10) : Math.min(2 ** attempt, 15);
  const delaySeconds = Math.min(pause, Math.ceil((until - now) / 1000));
  if (!(await holdSlot(ports, order, now + delaySeconds * 1000))) return { status: "later" };
  if (delaySeconds <= 0) return refuseMint(ports, order, verdict.otherwise);
  await ports.mints.send({ ...order, attempt: attempt + 1, since, seen }, { delaySeconds });
  return { status: "later" };
}

async function refuseMint(ports: SettlePorts, order: MintOrder, code: RefusalCode): Promise<SettledMint> {
  await endClaim(ports, order, { state: "refused", code });
  return { status: "refused", code };
}

async function judgeClaim(ports: SettlePorts, claim: MintClaim): Promise<MintOutcome> {
  const verdict = await poll(ports.clock, { tries: maxAttempts }, () => judgeOnce(ports, claim));
  return verdict ?? { status: "later", otherwise: "confirmation_timed_out", isOurs: true };
}

/**
 * Makes one attempt to decide whether a transaction has minted the press, as the publisher claims. Returns `undefined` if the press has
 * changed meanwhile.
 */
async function judgeOnce(ports: SettlePorts, claim: MintClaim): Promise<MintOutcome | undefined> {
  const { entities } = ports.table;
  const [{ data: press }, { data: spent }] = await Promise.all([
    entities.press.get({ id: claim.id }).go({ consistent: true }),
    entities.minted.get({ txHash: claim.txHash }).go({ consistent: true }),
  ]);
  if (press === null || press.publisher !== claim.wallet) {
    throw new Error(`A mint of press ${claim.id} was claimed by a wallet that does not own the press`);
  }
  if (press.status === "live") return { status: "done", wentLive: false };
  if (spent !== null) return { status: "refused", code: "transaction_already_used" };
  if (press.status !== "approved") return { status: "refused", code: "not_approved" };

  const proof = await readProof(ports, claim);
  if (proof.status !== "minted") return proof;
  const mark = await Market.readPriceNow(ports, press.stock);
  if (mark === undefined) return { status: "later", otherwise: "confirmation_timed_out", isOurs: true };
  return publishPress(ports, press, { txHash: claim.txHash, agentId: proof.agentId, mark });
}

type MintedStatus = { readonly status: "minted"; readonly agentId: number };

async function readProof(
  { chain, settings }: SettlePorts,
  claim: MintClaim,
): Promise<MintedStatus | Exclude<MintOutcome, { status: "done" }>> {
  try {
    const proof = await proveMint(
      { chain, registry: settings.contracts.identityRegistry },
      { ...claim, metaUrl: makeMetaUrl(settings.origin, claim.id) },
    );
    if (proof.status !== "unmined") return proof;
    return { status: "later", otherwise: "transaction_not_found", seen: proof.seen };
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") {
      return { status: "later", otherwise: "confirmation_timed_out", isOurs: true };
    }
    throw error;
  }
}
