import { bookVoteGas, makeVoteGasError, type RateSettings, reserveVoteGas } from "../gas/index.ts";
import type { AllPorts } from "../ports.ts";
import type { ErrandItem } from "../record/wallet.ts";
import { type KeyLease, makeEndWrites } from "../relayer/index.ts";
import { type Action, commit, type WriteEntities } from "../transact.ts";

type Ports = Pick<AllPorts, "table" | "clock"> & { readonly settings: RateSettings };

/**
 * The ETH that a wallet has received for votes and has not spent on votes, so the wallet must still have it. An errand's record contains
 * the same fields.
 */
export type UnspentGas = Required<Pick<ErrandItem, "gifts" | "owed">>;

/** The end of an errand. `cost`: the cost of the errand in USDG base units. */
export type ErrandEnd = {
  readonly state: "done" | "failed";
  readonly cost: number;
  readonly txHash?: string | undefined;
};

/**
 * Claims an errand together with the key that sends the errand, if the errand's record has not changed since the errand was checked. Throws
 * `vote_gas_limit` (`limit`) when the votes of all wallets have used up the ETH that the service gives for votes in a day.
 */
export async function claimErrand(
  ports: Ports,
  item: ErrandItem,
  judged: ErrandItem | undefined,
  lease: KeyLease,
): Promise<"claimed" | "key_taken" | "overtaken"> {
  const outcome = await commit(ports, (entities) => ({
    key: lease.write(entities, item, ports.clock.now()),
    errand: entities.errand
      .put(item)
      .where(({ wallet, claim, state }, { notExists, eq }) =>
        judged === undefined
          ? notExists(wallet)
          : `${eq(claim, judged.claim)} AND ${eq(state, judged.state)}`,
      )
      .commit(),
    votes:
      item.kind === "vote"
        ? reserveVoteGas(entities, ports.settings, item.reserved, item.claimUntil)
        : undefined,
  }));
  if (outcome.done) return "claimed";
  if (outcome.refused.has("errand")) return "overtaken";
  if (outcome.refused.has("votes")) throw makeVoteGasError(ports.clock.now());
  return "key_taken";
}

/**
 * Changes the errand's state from claimed to sent, in the same write that stores the signed transaction. As soon as an errand sends ETH for
 * a vote, the errand's record shows that the wallet got ETH for the press of the vote.
 */
export function makeSentWrite(
  { errand }: WriteEntities,
  item: ErrandItem,
  txHash: string,
  unspent: UnspentGas | undefined,
) {
  const { wallet, claim, kind, amount: wei, given = [] } = item;
  const pressId = Number(item.what);
  const { gifts = [], owed = "0" } = unspent ?? {};
  const vote = { given: [...given, pressId], gifts: [...gifts, { pressId, wei, txHash }], owed };
  const sent = { state: "sent", txHash, ...(kind === "vote" && vote) } as const;
  const write = errand
    .patch({ wallet })
    .set(sent)
    .where((stored, { eq }) => `${eq(stored.claim, claim)} AND ${eq(stored.state, "claimed")}`)
    .commit();
  return { sent: { ...item, ...sent }, writes: [write] };
}

/**
 * Changes the errand's state from claimed to failed, because nothing was sent, and releases the errand's key. Returns `undefined` if
 * another request has changed the record.
 */
export async function releaseErrand(ports: Ports, item: ErrandItem): Promise<ErrandItem | undefined> {
  const { claim: id, relayer } = item;
  const makeKeyWrite = (entities: WriteEntities) => makeEndWrites(entities, { id, relayer }, undefined).key;
  return endErrand(ports, item, { state: "failed", cost: 0 }, makeKeyWrite);
}

/**
 * Changes the errand's state from claimed or sent to done or failed, and gives back the unused part of the reserve. Returns `undefined` if
 * another request has ended the errand.
 */
export async function endErrand(
  ports: Ports,
  item: ErrandItem,
  { state, cost, txHash = item.txHash }: ErrandEnd,
  makeExtraWrite?: (entities: WriteEntities) => Action,
): Promise<ErrandItem | undefined> {
  const { pending: _, gifts = [], ...rest } = item;
  // If the ETH for a vote was sent but did not arrive, the record no longer lists this ETH.
  const isLost = item.kind === "vote" && item.state === "sent" && state === "failed";
  const kept = isLost ? gifts.filter(({ pressId }) => pressId !== Number(item.what)) : gifts;
  const spent = item.spent - item.reserved + cost;
  const ended = {
    ...rest,
    ...(kept.length > 0 && { gifts: kept }),
    state,
    reserved: 0,
    spent,
    ...(txHash !== undefined && { txHash }),
  };
  const { done } = await commit(ports, (entities) => ({
    key: makeExtraWrite?.(entities),
    errand: entities.errand
      .put(ended)
      .where((stored, { eq }) => `${eq(stored.claim, item.claim)} AND ${eq(stored.state, item.state)}`)
      .commit(),
    votes: item.kind === "vote" ? bookVoteGas(entities, cost - item.reserved, item.claimUntil) : undefined,
  }));
  return done ? ended : undefined;
}
