import { encodeFunctionData, formatUnits } from "viem/utils";
import { erc20Abi } from "../chain/abi.ts";
import { answered, lateness, Quantity, result, unavailable, Word } from "../chain/call.ts";
import {
  type Authorization,
  authorizationCalldata,
  authorizationDigest,
  authorizationLogs,
  authorizationRevert,
  authorizationStateCalldata,
} from "../chain/eip3009.ts";
import { type Address, type Hex, toAddress } from "../chain/hex.ts";
import { l1GasIn, usualL1GasCall } from "../chain/nitro.ts";
import type { Receipt } from "../chain/receipt.ts";
import { canonicalSignature, signedByKey } from "../chain/signature.ts";
import { AppError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import { longestLife } from "../payment/schema.ts";
import type { RpcOutcome } from "../port/chain.ts";
import { claimTime } from "../record/relayer.ts";
import { isMoveDue, type MoveItem, moveName } from "../record/wallet.ts";
import {
  type CarryPorts,
  carry,
  endTransaction,
  type Intent,
  type Keys,
  type Landing,
  lookUp,
  quoting,
  type Records,
  readBeside,
  sendAgain,
} from "../relayer/index.ts";
import { claimMove, endMove, releaseMove, sentWrite, spentOf } from "./record.ts";
import type { Moved, MoveInput, MoveOffer } from "./schema.ts";

/**
 * Moves a wallet's USDG by its own signature (EIP-3009), at our gas. What the gas may cost has to be carried by the fees that
 * the wallet has paid, less what its reads and its moves before have cost: there is no allowance, for wallets cost nothing. It
 * is reserved before anything is sent, and what was not needed is given back. A wallet has one move under way.
 *
 * Throws `auth` `invalid_signature`; `input` `authorization_not_valid`; `conflict` `move_without_credit`, `authorization_used`
 * or `move_refused`; and `upstream`, of which `settlement_pending` alone means that something was sent.
 */
export async function move(
  ports: CarryPorts,
  { authorization: asked, signature }: MoveInput,
): Promise<Moved | MoveOffer> {
  const { settings } = ports;
  const { value: amount, nonce, ...rest } = asked;
  const authorization = { ...rest, amount, nonce: BigInt(nonce), token: settings.contracts.usdg };
  const digest = authorizationDigest(settings.chainId, authorization);
  if (signature !== undefined && !(await signedByKey(authorization.from, digest, signature))) {
    throw new AppError("auth", "invalid_signature", `The signature is not the wallet's. ${nothing}`);
  }
  const { last, keys } = await readLast(ports, authorization.from);
  if (signature !== undefined && last?.state === "moved" && last.digest === digest) {
    return { moved: true, tx: last.txHash ?? "", already: true };
  }
  requireTime(ports, authorization);
  const judged = await judge(ports, authorization, signature, last, keys);
  if (signature === undefined) return { moved: false, costUnits: String(judged.cost) };
  const order = { ...judged, authorization, digest, last };
  return carry(ports, recordsOf(ports, order), { keys, preferred: judged.intent.asked.address });
}

const nothing = "Nothing was moved.";

/** The wallet's last move, ended where it can be. Throws `upstream` `settlement_pending` while one is under way. */
async function readLast(ports: CarryPorts, wallet: Address) {
  const { move: entity } = ports.table.entities;
  const { items, keys } = await readBeside(ports, [entity.get({ wallet }).params()]);
  const [found] = items;
  const last = found === undefined ? undefined : (entity.parse(found).data ?? undefined);
  if (last?.state === "claimed" && last.claimUntil >= ports.clock.now()) throw pending(undefined);
  return { last: last?.state === "sent" ? await resume(ports, last) : last, keys };
}

/** Brings a move to its end that was sent before. The chain keeps its nonce to one transfer, however often it is sent. */
async function resume(ports: CarryPorts, sent: MoveItem): Promise<MoveItem> {
  if (BigInt(sent.validBefore) <= seconds(ports) - keptFor) {
    await endMove(ports, sent, { state: "failed", cost: sent.reserved });
    return { ...sent, state: "failed", reserved: 0 };
  }
  const { transaction, receipt } = await lookUp(ports, sent.claim);
  if (receipt !== undefined) return conclude(ports, sent, { kind: "landed", transaction, receipt });
  // It can move nothing any more. What it may have cost stays spent.
  const isOver = BigInt(sent.validBefore) <= seconds(ports) - lateness || transaction.state === "over";
  if (isOver) return conclude(ports, sent, { kind: "rejected", transaction }, sent.reserved);
  await sendAgain(ports, sent.claim);
  throw pending(sent.txHash);
}

/** Moves that one run takes in: the oldest first. */
const most = 100;

/**
 * Ends the moves that nobody asks about again, so that no reservation outlives its move: those that have sent nothing in their time,
 * and those that the chain has decided. Every minute, and safe beside requests: each step is conditional on what it saw. Throws
 * AggregateError after the run when something unexpected met one of them.
 */
export async function reconcile(
  ports: CarryPorts,
): Promise<{ readonly ended: number; readonly pending: number }> {
  const { move: entity } = ports.table.entities;
  const { data: found } = await entity.query
    .underWay({ pending: "move" })
    .lt({ claimUntil: ports.clock.now() })
    .go({ limit: most, order: "asc" });
  const defects: unknown[] = [];
  let pending = 0;
  for (const { wallet } of found) {
    try {
      // The index lags behind the table: what counts is read from the table itself.
      const { data: item } = await entity.get({ wallet }).go({ consistent: true });
      if (item?.state === "claimed" && item.claimUntil < ports.clock.now()) {
        await endMove(ports, item, { state: "failed", cost: 0 });
      }
      if (item?.state === "sent") await resume(ports, item);
    } catch (error) {
      pending += 1;
      if (!(error instanceof AppError && error.kind === "upstream")) defects.push(error);
    }
  }
  if (defects.length > 0) throw new AggregateError(defects, "Some moves could not be reconciled");
  return { ended: found.length - pending, pending };
}

/** Seconds for which the outbox keeps what it has sent, at least. */
const keptFor = 24n * 60n * 60n;

/** Ends a move by what became of its transaction, and frees its key. `lost`: what it counts for where that is not known. */
async function conclude(ports: CarryPorts, sent: MoveItem, landing: Landing, lost = 0): Promise<MoveItem> {
  if (landing.kind === "pending") throw pending(sent.txHash);
  const receipt = landing.kind === "landed" ? landing.receipt : undefined;
  const isMoved =
    receipt !== undefined && authorizationLogs(receipt, authorizationOf(ports, sent)).length > 0;
  const end = {
    state: isMoved ? "moved" : "failed",
    cost: receipt === undefined ? lost : costIn(receipt, sent),
    ...(receipt !== undefined && { txHash: receipt.transactionHash }),
  } as const;
  await endMove(ports, sent, end);
  await endTransaction(ports, landing.transaction, receipt);
  const { cost, ...ended } = end;
  return { ...sent, ...ended, reserved: 0, spent: sent.spent - sent.reserved + cost };
}

/** The cost of its gas; the whole reserve where the node does not say the price of a unit. */
function costIn({ gasUsed, effectiveGasPrice }: Receipt, { ethPrice, reserved }: MoveItem): number {
  return effectiveGasPrice === undefined ? reserved : Gas.valueOfWei(gasUsed * effectiveGasPrice, ethPrice);
}

function authorizationOf({ settings }: CarryPorts, item: MoveItem): Authorization {
  return {
    from: toAddress(item.wallet),
    token: settings.contracts.usdg,
    amount: BigInt(item.amount),
    to: toAddress(item.to),
    validAfter: BigInt(item.validAfter),
    validBefore: BigInt(item.validBefore),
    nonce: BigInt(item.nonce),
  };
}

/** Throws where it is not good now for long enough to land, or for too long: for as long others could send it, too. */
function requireTime(ports: CarryPorts, { validAfter, validBefore }: Authorization): void {
  const now = seconds(ports);
  if (validAfter < now && validBefore > now + leastTime && validBefore <= now + longestLife) return;
  throw new AppError(
    "input",
    "authorization_not_valid",
    `The authorization has expired, is about to, is not valid yet, or is good for more than ten minutes. ${nothing} Sign a new one with validAfter 0 and validBefore in five minutes.`,
  );
}

/** Seconds. */
const leastTime = 10n;

function seconds({ clock }: CarryPorts): bigint {
  return BigInt(Math.floor(clock.now() / 1000));
}

type Judged = { readonly cost: number; readonly ethPrice: number; readonly intent: Intent };

/** The most that a move would cost now, and the message to sign for it. A refused one sends and reserves nothing. */
async function judge(
  ports: CarryPorts,
  authorization: Authorization,
  signature: Hex | undefined,
  last: MoveItem | undefined,
  keys: Keys,
): Promise<Judged> {
  const { from, amount, nonce, token } = authorization;
  const quote = quoting(ports, keys);
  if (quote === undefined) throw busy(new Error("There are no relayers"));
  const call = {
    to: token,
    data: authorizationCalldata(authorization, canonicalSignature(signature ?? unsigned)),
  };
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [from] });
  const [credit, [balance, spent, estimate, ...quoted]] = await Promise.all([
    creditOf(ports, from, last),
    ports.chain.batch([
      { method: "eth_call", params: [{ to: token, data: balanceOf }, "latest"] },
      {
        method: "eth_call",
        params: [{ to: token, data: authorizationStateCalldata(from, nonce) }, "latest"],
      },
      signature === undefined
        ? usualL1GasCall
        : { method: "eth_estimateGas", params: [{ from: quote.sender, ...call }] },
      ...quote.calls,
    ]),
  ]);
  const { gasPrice, ethPrice, relayer: asked } = quote.quoteIn(quoted);
  if (result(spent, Word) !== 0n) throw used();
  if (amount === 0n || result(balance, Word) < amount) {
    throw refused(`The wallet has ${formatUnits(result(balance, Word), 6)} USDG`);
  }
  const gas = signature === undefined ? Gas.usualGas.leg + l1GasIn(estimate) : gasIn(estimate);
  const { maxPrice } = Gas.gasLimitsOf(ports.settings);
  if (gasPrice > maxPrice) throw unavailable(`gas costs ${gasPrice} wei, more than ${maxPrice}`);
  const { maxFeePerGas } = Gas.feeLimits({ gas, gasPrice, maxPrice });
  const cost = Gas.valueOfWei(Gas.feeCap({ gas, gasPrice, maxPrice }), ethPrice);
  if (cost > credit) throw withoutCredit(cost, credit);
  return { cost, ethPrice, intent: { call, gas, gasPrice, asked, maxPrice: maxFeePerGas } };
}

/** Holds the place of a signature, where only the price is asked for. */
const unsigned: Hex = `0x${"11".repeat(64)}1b`;

function gasIn(estimate: RpcOutcome | undefined): bigint {
  const answer = answered(estimate);
  if (answer.status === "ok") return result(estimate, Quantity);
  throw refused(`USDG refuses the transfer${nameIn(authorizationRevert(answer.data))}`);
}

function nameIn(name: string | undefined): string {
  return name === undefined ? "" : ` (${name})`;
}

/**
 * The part of a wallet's paid fees that is left for gas, in USDG base units. A fee whose second payment has not been made yet
 * keeps what that takes. The indexes may lag: what they do not show yet is not credited.
 */
async function creditOf(ports: CarryPorts, wallet: Address, last: MoveItem | undefined): Promise<number> {
  const { settlement, gas } = ports.table.entities;
  const now = ports.clock.now();
  const all = { pages: "all" } as const;
  const [fees, unlocks, burned] = await Promise.all([
    settlement.query.listed({ listedAs: "fee", listedFor: wallet }).go(all),
    settlement.query.unlocks({ unlockedBy: wallet }).go(all),
    gas.get(Gas.burnedKey(wallet, now)).go({ consistent: true }),
  ]);
  const rests = new Map(unlocks.data.map(({ pressId, carry: { fee = 0 } = {} }) => [pressId, fee]));
  const left = fees.data.map(
    ({ pressId, carry: { fee = 0, rest = 0 } = {} }) => rests.get(pressId) ?? fee - rest,
  );
  const sum = left.reduce((total, one) => total + one, 0);
  return sum - (burned.data?.spent ?? 0) - spentOf(last, now);
}

type Order = Judged & {
  readonly authorization: Authorization;
  readonly digest: Hex;
  readonly last: MoveItem | undefined;
};

/** How a move is kept while the outbox carries it: alone, so that its cost is its own. */
function recordsOf(ports: CarryPorts, order: Order): Records<MoveItem, MoveItem, Moved> {
  const { authorization, digest, last, cost: reserved, ethPrice, intent } = order;
  const { from: wallet, to, amount, validAfter, validBefore, nonce } = authorization;
  return {
    async claim(lease) {
      if (lease === undefined) throw new TypeError("A move goes alone, with a key");
      const now = ports.clock.now();
      const item: MoveItem = {
        wallet,
        claim: ports.ids.uuid(),
        claimUntil: now + claimTime,
        state: "claimed",
        pending: "move",
        relayer: lease.address,
        digest,
        to,
        amount: String(amount),
        validAfter: String(validAfter),
        validBefore: String(validBefore),
        nonce: String(nonce),
        ethPrice,
        reserved,
        spent: spentOf(last, now) + reserved,
      };
      const outcome = await claimMove(ports, item, last, lease);
      if (outcome === "overtaken") throw pending(undefined);
      return outcome === "claimed" ? { kind: "claimed", item } : { kind: "key_taken" };
    },
    intentOf: async () => intent,
    nameOf: () => moveName(wallet, validBefore),
    stored: (entities, item, { txHash }) => ({
      sent: { ...item, state: "sent", txHash },
      writes: [sentWrite(entities, item, txHash)],
    }),
    release: (item) => releaseMove(ports, item),
    async land(sent, landing) {
      const { state, txHash = "" } = await conclude(ports, sent, landing);
      if (state === "moved") return { moved: true, tx: txHash };
      // A spent nonce makes no call fail.
      if (landing.kind === "landed" && landing.receipt.status === "0x1") throw used();
      throw refused(`The chain did not take the transfer, in the transaction ${txHash}`);
    },
    async unsent(why, cause) {
      throw why === "unsigned" && cause instanceof AppError ? cause : busy(cause ?? new Error(why));
    },
    // Legs are in the same keys' transactions; whose legs they are looks after them.
    waitsFor: async ({ intents }) => intents.some((name) => isMoveDue(name, ports.clock.now()) !== false),
  };
}

function pending(transaction: string | undefined): AppError {
  return new AppError(
    "upstream",
    "settlement_pending",
    "A move of this wallet is under way and not confirmed yet. Repeat this request: nothing is moved twice.",
    { retryAfter: 2, ...(transaction !== undefined && { details: { transaction } }) },
  );
}

function busy(cause: unknown): AppError {
  const message = `Moves are temporarily unavailable. ${nothing} Try again shortly.`;
  return new AppError("upstream", "payments_unavailable", message, { cause, retryAfter: 5 });
}

function used(): AppError {
  return new AppError(
    "conflict",
    "authorization_used",
    "This authorization was used before, whoever sent it, or was cancelled. We moved nothing by it: look at the wallet's balance.",
  );
}

function refused(why: string): AppError {
  return new AppError("conflict", "move_refused", `${why}. ${nothing}`);
}

function withoutCredit(cost: number, credit: number): AppError {
  const [most, left] = [cost, Math.max(0, credit)].map((units) => formatUnits(BigInt(units), 6));
  return new AppError(
    "conflict",
    "move_without_credit",
    `The gas of a move takes up to ${most} USDG now, and the fees that this wallet has paid have ${left} USDG left for it. ${nothing} Send the wallet a little ETH, and move its USDG by a transfer of its own.`,
  );
}
