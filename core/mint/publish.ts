import { decodeEventLog, encodeEventTopics } from "viem/utils";
import * as z from "zod";
import * as Byline from "../byline/index.ts";
import { identityAbi } from "../chain/abi.ts";
import { Bytes, getResult, makeChainError, makeContractCall, requireAnswer } from "../chain/call.ts";
import { type Address, type Hex, HexInput, lower } from "../chain/hex.ts";
import { findBlocksSince, Receipt, readEvents } from "../chain/receipt.ts";
import { decodeTokenUri, encodeTokenUri, findRegistrations } from "../chain/registry.ts";
import { AppError } from "../error.ts";
import type { RpcOutcome } from "../port/chain.ts";
import type { Queue } from "../port/cloud.ts";
import type { AllPorts } from "../ports.ts";
import { makeMetaUrl, makeSlug, parseId } from "../press/index.ts";
import { daysUntilKnown, pressesUntilKnown } from "../press/schema.ts";
import type { PressItem } from "../record/press.ts";
import type { Table } from "../table.ts";
import { isWriteRefused, transact } from "../transact.ts";
import { addClaim, type RefusalCode } from "./claim.ts";
import type { MintOrder } from "./schema.ts";

/** The verified on-chain identity of the press, and the stock token's current price in USD. */
export type VerifiedMint = { readonly txHash: Hex; readonly agentId: number; readonly mark: number };

type Publication =
  | { readonly status: "done"; readonly wentLive: true }
  | { readonly status: "refused"; readonly code: "transaction_already_used" }
  | { readonly status: "later"; readonly otherwise: "confirmation_timed_out"; readonly isOurs: true };

/**
 * Makes an approved press live in one table transaction. The table transaction also marks the mint transaction and the identity as used,
 * because each of them can belong to only one press. Returns `undefined` if the press has changed since it was read, or if another wallet
 * has taken the byline since then.
 */
export async function publishPress(
  ports: Pick<AllPorts, "table" | "clock">,
  press: PressItem,
  { txHash, agentId, mark }: VerifiedMint,
): Promise<Publication | undefined> {
  const { table, clock } = ports;
  const { id, revision, headline, stock, priceUnits, publisher, sketch } = press;
  const slug = makeSlug(headline, id);
  const publishedAt = new Date(clock.now()).toISOString();
  const [earlier, byline] = await Promise.all([
    listEarlierPresses(table, publisher),
    Byline.prepareClaim(ports, publisher, press.publisherName),
  ]);
  const newUntil = findNewAuthorEnd(earlier, publishedAt);
  const outcome = await transact(clock, () =>
    table.transaction
      .write((entities) => [
        entities.press
          .patch({ id })
          .set({
            status: "live",
            shelf: "live",
            stockShelf: stock,
            slug,
            pressId: agentId,
            publishedAt,
            updatedAt: publishedAt,
            priceAtPublish: mark,
            mintTx: txHash,
            ...(newUntil !== undefined && { newUntil }),
            ...(byline.isAmbiguous && { bylineAmbiguous: true }),
          })
          .remove(["sketch"])
          .where((stored, { eq }) => `${eq(stored.status, "approved")} AND ${eq(stored.revision, revision)}`)
          .commit(),
        entities.agent
          .create({ pressId: agentId, id, priceUnits, slug, headline, stock, publisher })
          .commit(),
        entities.minted.create({ txHash, id }).commit(),
        ...byline.writes(entities),
        // For each run (a sequence of words), the table stores only the first press that contains it. So the table item of a run that many
        // presses contain does not grow without a limit.
        ...(sketch?.hashes ?? []).map((hash) =>
          entities.run
            .upsert({ hash })
            .ifNotExists({ id, publisher, headline, size: sketch?.size ?? 0 })
            .commit(),
        ),
        ...(newUntil === undefined ? earlier.filter((press) => press.newUntil !== undefined) : []).map(
          (press) => entities.press.patch({ id: press.id }).remove(["newUntil"]).commit(),
        ),
      ])
      .go(),
  );
  if (!outcome.canceled) return { status: "done", wentLive: true };
  if (isWriteRefused(outcome, 0)) return undefined;
  if (isWriteRefused(outcome, 1) || isWriteRefused(outcome, 2)) {
    return { status: "refused", code: "transaction_already_used" };
  }
  // Among the other writes, only the byline's writes have conditions that can fail. The condition on the byline's records fails if another
  // press has taken the byline since these records were read.
  if (outcome.data.some((_, index) => isWriteRefused(outcome, index))) return undefined;
  return { status: "later", otherwise: "confirmation_timed_out", isOurs: true };
}

type AuthorPress = Pick<PressItem, "id" | "publishedAt" | "newUntil">;

/**
 * A publisher's earliest live presses, oldest first. The function makes one query of the index, which may lag a moment behind the table.
 */
async function listEarlierPresses(table: Table, publisher: string): Promise<readonly AuthorPress[]> {
  const { data } = await table.entities.press.query
    .byPublisher({ publisher })
    .go({ attributes: ["id", "status", "publishedAt", "newUntil"] });
  return data
    .filter(({ status }) => status === "live")
    .toSorted((one, other) => ((one.publishedAt ?? "") < (other.publishedAt ?? "") ? -1 : 1))
    .slice(0, pressesUntilKnown);
}

/**
 * The time until which an author counts as new if one more press of this author goes live; `undefined` if the author then does not count as
 * new.
 */
function findNewAuthorEnd(earlier: readonly AuthorPress[], publishedAt: string): string | undefined {
  if (earlier.length >= pressesUntilKnown - 1) return undefined;
  const since = Date.parse(earlier[0]?.publishedAt ?? publishedAt);
  const until = new Date(since + daysUntilKnown * 24 * 60 * 60 * 1000).toISOString();
  return until > publishedAt ? until : undefined;
}

/**
 * The chain's answer about a mint. The answer `unmined` may change later; `seen` says whether the node knows the transaction. All answers
 * about a mint except `unmined` are final as long as the URI of the identity does not change.
 */
type MintProof =
  | { readonly status: "minted"; readonly agentId: number }
  | { readonly status: "refused"; readonly code: RefusalCode }
  | { readonly status: "unmined"; readonly seen: boolean };

/**
 * The maximum number of identities that are read from one transaction. Only a contract can register more identities than this maximum in
 * one transaction.
 */
const identityLimit = 20;

/**
 * Checks the four conditions of specification §3: the transaction succeeded, was sent by the wallet, minted an identity to that wallet, and
 * the identity points to `metaUrl`. If the wallet has code (a contract or EIP-7702), another account may have sent the transaction. If the
 * wallet has code, the registry's event alone is enough proof, because the registry mints to its caller. Throws `chain_unavailable`
 * (`upstream`) if the chain does not answer or if the node's state is older than the receipt.
 */
export async function proveMint(
  { chain, registry }: Pick<AllPorts, "chain"> & { readonly registry: Address },
  mint: { readonly txHash: Hex; readonly wallet: Address; readonly metaUrl: string },
): Promise<MintProof> {
  const [receiptAnswer, codeAnswer, transactionAnswer] = await chain.batch([
    { method: "eth_getTransactionReceipt", params: [mint.txHash] },
    { method: "eth_getCode", params: [mint.wallet, "latest"] },
    { method: "eth_getTransactionByHash", params: [mint.txHash] },
  ]);
  const receipt = getResult(receiptAnswer, z.nullable(Receipt));
  if (receipt === null)
    return { status: "unmined", seen: getResult(transactionAnswer, z.unknown()) !== null };
  if (receipt.status !== "0x1") return { status: "refused", code: "transaction_failed" };
  if (receipt.from !== mint.wallet && getResult(codeAnswer, HexInput) === "0x") {
    return { status: "refused", code: "wrong_sender" };
  }
  const own = findRegistrations(receipt, registry).filter(({ owner }) => owner === mint.wallet);
  if (own.length === 0) return { status: "refused", code: "no_identity_minted" };

  const candidates = own.slice(0, identityLimit).map(({ agentId }) => agentId);
  const answers = await chain.batch(
    candidates.map((agentId) => makeContractCall(registry, encodeTokenUri(agentId))),
  );
  const found = candidates.find((_, index) => parseUri(answers[index]) === mint.metaUrl);
  return found === undefined
    ? { status: "refused", code: "wrong_identity_uri" }
    : { status: "minted", agentId: Number(found) };
}

/** A registered identity always has a URI. Therefore, if the call for the URI reverts, the node has not seen the mint yet. */
function parseUri(outcome: RpcOutcome | undefined): string {
  if (requireAnswer(outcome).status === "reverted") throw makeChainError("the identity is not there yet");
  return decodeTokenUri(getResult(outcome, Bytes));
}

type Ports = Pick<AllPorts, "table" | "clock" | "chain" | "settings"> & { readonly mints: Queue<MintOrder> };

/** The reasons why a mint that is found on the chain does not make a press live. */
export const mintLeftBecause = {
  lost_draft: "the draft was made later than the copy, and its text is lost",
  not_approved: "the draft has no approval in the copy: its publisher audits it again and confirms the mint",
  not_its_publisher: "somebody else minted an identity for it",
  other_identity: "the press has another identity",
  too_many_mints: "three other mints of the press are being checked: repair again when they are done",
} as const;

/**
 * An identity on the chain that points to one of our presses. `ordered` says that a message to confirm the mint of the identity was put
 * into the queue.
 */
export type FoundMint = {
  readonly txHash: Hex;
  readonly id: number;
  readonly pressId: number;
  readonly state: "known" | "missing" | "ordered" | keyof typeof mintLeftBecause;
};

/**
 * Finds mints that are on the chain but not in the table, for example after a restore. For each mint that the function finds, it puts a
 * message into the queue, and the worker checks the mint as usual. The search for mints can be repeated without harm. `since`: the time
 * from which the function searches, in milliseconds since 1970. The function queues confirmations only if `write` is set. Throws `upstream`
 * if the chain does not answer.
 */
export async function repair(
  ports: Ports,
  { since, write }: { readonly since: number; readonly write: boolean },
): Promise<readonly FoundMint[]> {
  const topics = encodeEventTopics({ abi: identityAbi, eventName: "Registered" });
  const filter = { address: ports.settings.contracts.identityRegistry, topics };
  const logs = await readEvents(ports, await findBlocksSince(ports, since), [filter]);
  const found: FoundMint[] = [];
  for (const { transactionHash: txHash, topics: indexed, data } of logs) {
    const { args } = decodeEventLog({ abi: identityAbi, eventName: "Registered", topics: indexed, data });
    if (!("agentURI" in args)) continue;
    const id = parseId(args.agentURI.split("/").pop());
    if (id === undefined || args.agentURI !== makeMetaUrl(ports.settings.origin, id)) continue;
    const mint = { txHash, id, pressId: Number(args.agentId) };
    found.push({ ...mint, state: await repairMint(ports, mint, lower(args.owner), write) });
  }
  return found;
}

async function repairMint(
  ports: Ports,
  { txHash, id, pressId }: Omit<FoundMint, "state">,
  owner: Address,
  write: boolean,
): Promise<FoundMint["state"]> {
  const { data: press } = await ports.table.entities.press.get({ id }).go({ consistent: true });
  if (press === null) return "lost_draft";
  if (press.publisher !== owner) return "not_its_publisher";
  if (press.status === "live") return press.pressId === pressId ? "known" : "other_identity";
  if (press.status !== "approved") return "not_approved";
  if (!write) return "missing";
  try {
    const order = await addClaim(ports, { id, txHash, wallet: owner });
    if (order !== undefined) await ports.mints.send(order);
  } catch (error) {
    // A publisher who has minted one press many times must not stop the repair of other mints and of all payments.
    if (error instanceof AppError && error.code === "too_many_mints") return "too_many_mints";
    throw error;
  }
  return "ordered";
}
