import { encodeFunctionData, formatEther, formatUnits, numberToHex } from "viem/utils";
import { reputationAbi } from "../chain/abi.ts";
import { getResult, makeChainError, Quantity, requireAnswer } from "../chain/call.ts";
import { type Address, HexInput } from "../chain/hex.ts";
import { parseL1Gas, usualL1GasCall } from "../chain/nitro.ts";
import { parseReceipt, type Receipt } from "../chain/receipt.ts";
import {
  makeBusyError,
  readCredit,
  readLastErrand,
  readSeconds,
  run,
  type UnspentGas,
} from "../errand/index.ts";
import { AppError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import { makePageUrl } from "../press/index.ts";
import { feePercent } from "../press/schema.ts";
import type { AgentItem } from "../record/press.ts";
import type { ErrandItem } from "../record/wallet.ts";
import { type CarryPorts, type Intent, type Keys, prepareGasQuote } from "../relayer/index.ts";
import { voteTags } from "../vote/schema.ts";
import { computeVoteCost, type GasInput, type GasSent } from "./schema.ts";

/**
 * Sends a wallet the ETH that it still needs for a vote on a press. The ETH is sent as an errand (core/errand). ETH is sent only to a plain
 * account that has unlocked the press and has not voted on the press yet, and only once for each press. In addition to the gas of the
 * purchase, the fee for the press must cover the ETH and its transfer. If ETH was sent for earlier votes and the wallet has spent it on
 * something else, no more ETH is sent.
 *
 * Throws `unknown_press` (`missing`); `vote_gas_refused`, `vote_gas_given`, `vote_gas_unspent` and `vote_gas_not_carried` (each
 * `conflict`); `vote_gas_limit` (`limit`); and errors of the kind `upstream`. Only the error `settlement_pending` (`upstream`) means that a
 * transaction was sent.
 */
export async function sendGas(ports: CarryPorts, wallet: Address, { pressId }: GasInput): Promise<GasSent> {
  const { agent: agents, vote: votes, settlement } = ports.table.entities;
  const { last, keys, items } = await readLastErrand(ports, wallet, [
    agents.get({ pressId }).params(),
    votes.get({ pressId, wallet }).params(),
    settlement.get({ wallet, pressId, leg: "publisher" }).params(),
  ]);
  const [press, cast, leg] = items;
  const agent = press === undefined ? null : agents.parse(press).data;
  if (agent === null) throw new AppError("missing", "unknown_press", "There is no such press.");
  const read = leg === undefined ? null : settlement.parse(leg).data;
  if (read?.state !== "settled") throw makeRefusedError("This wallet has not unlocked the article");
  const what = String(pressId);
  if (last?.kind === "vote" && last.what === what && last.state === "done") {
    return { wei: last.amount, tx: last.txHash ?? "", already: true };
  }
  if (last?.given?.includes(pressId) === true) throw makeGasGivenError();
  if (cast !== undefined) throw makeRefusedError("This wallet has voted on the article before");
  const judged = await decideGas(ports, { wallet, agent, last, keys, feeLeft: read.carry?.fee ?? 0 });
  if (judged === undefined) return { wei: "0" };
  const { wei, ...rest } = judged;
  const until = String(readSeconds(ports) + longestTime);
  const errand = { ...rest, kind: "vote", wallet, what, to: wallet, amount: String(wei), until } as const;
  const { item, receipt } = await run(ports, { ...errand, last, nothing }, keys);
  const { state, amount, txHash: tx = "" } = item;
  if (state === "done") return { wei: amount, tx };
  const why =
    receipt === undefined
      ? "The chain refused to include the transfer of ETH"
      : "The wallet did not take the ETH";
  throw makeRefusedError(`${why} (${tx})`);
}

const nothing = "Nothing was sent.";

/** The number of seconds during which the transaction with the ETH is sent again if the chain has not included it yet. */
const longestTime = 600n;

type GasRequest = {
  readonly wallet: Address;
  readonly agent: AgentItem;
  readonly last: ErrandItem | undefined;
  readonly keys: Keys;
  /** The part of the fee for this press that is left after the gas of the purchase is paid, in USDG base units. */
  readonly feeLeft: number;
};

type GasDecision = {
  readonly wei: bigint;
  readonly cost: number;
  readonly ethPrice: number;
  readonly unspent: UnspentGas;
  readonly intent: Intent;
};

/** The ETH to send, and the maximum cost of sending it; `undefined` if the wallet has enough ETH. */
async function decideGas(
  ports: CarryPorts,
  { wallet, agent, last, keys, feeLeft }: GasRequest,
): Promise<GasDecision | undefined> {
  const quote = prepareGasQuote(ports, keys);
  if (quote === undefined) throw makeBusyError(nothing, new Error("There are no relayers"));
  const [credit, unspent, [code, balance, vote, transfer, l1, ...quoted]] = await Promise.all([
    readCredit(ports, wallet, last),
    readUnspentGas(ports, wallet, last),
    ports.chain.batch([
      { method: "eth_getCode", params: [wallet, "latest"] },
      { method: "eth_getBalance", params: [wallet, "latest"] },
      makeEstimateCall(wallet, makeVoteCall(ports, agent)),
      makeEstimateCall(quote.sender, { to: wallet, value: "0x1" }),
      usualL1GasCall,
      ...quote.calls,
    ]),
  ]);
  // If a wallet has code, this code could burn the gas of the ETH transfer, and the wallet might then not vote.
  if (getResult(code, HexInput) !== "0x") throw makeRefusedError("ETH for votes goes to plain accounts only");
  const { gasPrice, ethPrice, relayer: asked } = quote.parseQuote(quoted);
  const { maxPrice: ceiling } = Gas.readGasLimits(ports.settings);
  if (gasPrice > ceiling) throw makeChainError(`gas costs ${gasPrice} wei, more than ${ceiling}`);
  const has = getResult(balance, Quantity);
  const wei = computeVoteCost(parseVoteGas(vote, l1), gasPrice) - has;
  if (wei <= 0n) return undefined;
  const owed = BigInt(unspent.owed) + sumWei(unspent.gifts);
  if (has < owed) throw makeUnspentGasError(owed - has);
  const maxPrice = (gasPrice * 6n) / 5n;
  const need = {
    gas: getResult(transfer, Quantity),
    gasPrice,
    maxPrice: maxPrice < ceiling ? maxPrice : ceiling,
  };
  const cost = Gas.convertWei(Gas.findFeeCap(need) + wei, ethPrice);
  if (cost > Math.min(feeLeft, credit)) {
    const rate = { gasPrice, ethPrice, l1Gas: parseL1Gas(l1) };
    throw makeFeeTooSmallError(
      wei,
      cost,
      Math.max(0, Math.min(feeLeft, credit)),
      Gas.findReadCost(rate) + cost,
    );
  }
  // Payments are more important than votes, so a key sends ETH only if enough ETH remains on the key for `keptLegs` payments.
  const spare = Gas.findFeeCap({ gas: keptLegs * Gas.usualGas.leg, gasPrice, maxPrice: ceiling });
  return {
    wei,
    cost,
    ethPrice,
    unspent,
    intent: { call: { to: wallet, data: "0x" }, value: wei, spare, asked, ...need },
  };
}

/** The number of payments for which a key must keep enough ETH. */
const keptLegs = 100n;

/** The gas units of a vote: a node's estimate, or the usual number if the node makes no estimate for a wallet without ETH. */
function parseVoteGas(estimate: RpcOutcome | undefined, l1: RpcOutcome | undefined): bigint {
  if (estimate?.status === "reverted")
    throw makeRefusedError("The registry does not accept a vote from this wallet");
  return estimate?.status === "ok" ? getResult(estimate, Quantity) : Gas.usualGas.vote + parseL1Gas(l1);
}

function makeEstimateCall(from: Address, call: object): RpcCall {
  return { method: "eth_estimateGas", params: [{ from, ...call }] };
}

const noHash = numberToHex(0, { size: 32 });

/** The most expensive vote that the site sends: a vote down with the longest tag. */
function makeVoteCall({ settings }: CarryPorts, { pressId, slug }: AgentItem) {
  const tag = voteTags.reduce((longest, one) => (one.length > longest.length ? one : longest));
  const url = makePageUrl(settings.origin, slug);
  const args = [BigInt(pressId), -1n, 0, tag, "", url, "", noHash] as const;
  const data = encodeFunctionData({ abi: reputationAbi, functionName: "giveFeedback", args });
  return { to: settings.contracts.reputationRegistry, data };
}

/**
 * The ETH that the service has sent to a wallet for votes and that the wallet must still have. The gas costs of all known votes are
 * subtracted from all the ETH that was sent, because ETH that is left over from one vote can pay for a part of another vote.
 */
async function readUnspentGas(
  ports: CarryPorts,
  wallet: Address,
  { gifts = [], owed = "0" }: Partial<UnspentGas> = {},
): Promise<UnspentGas> {
  const costs = await Promise.all(gifts.map((gift) => readVoteCost(ports, wallet, gift)));
  const unseen = gifts.filter((_, at) => costs[at] === undefined);
  const spent = costs.reduce<bigint>((sum, cost = 0n) => sum + cost, 0n);
  const least = -sumWei(unseen);
  const left = BigInt(owed) + sumWei(gifts) + least - spent;
  return { gifts: unseen, owed: String(left > least ? left : least) };
}

function sumWei(gifts: UnspentGas["gifts"]): bigint {
  return gifts.reduce((sum, { wei }) => sum + BigInt(wei), 0n);
}

/**
 * The gas cost in wei of the vote for which the service has sent ETH; `undefined` if the service does not know such a vote. A vote that
 * was cast before the ETH was sent has spent no part of this ETH.
 */
async function readVoteCost(
  { table, chain }: CarryPorts,
  wallet: Address,
  { pressId, txHash }: UnspentGas["gifts"][number],
): Promise<bigint | undefined> {
  const { data: vote } = await table.entities.vote.get({ pressId, wallet }).go({ consistent: true });
  if (vote === null) return undefined;
  const [given, cast] = await chain.batch(
    [txHash, vote.txHash].map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
  );
  const receipt = parseReceipt(requireAnswer(cast));
  return receipt && computeGasCost(receipt, parseReceipt(requireAnswer(given)));
}

function computeGasCost(vote: Receipt, etherReceipt: Receipt | undefined): bigint {
  if (vote.effectiveGasPrice === undefined) return 0n;
  if (etherReceipt !== undefined && vote.blockNumber < etherReceipt.blockNumber) return 0n;
  return vote.gasUsed * vote.effectiveGasPrice;
}

function makeRefusedError(why: string): AppError {
  return new AppError("conflict", "vote_gas_refused", `${why}. ${nothing}`);
}

function makeGasGivenError(): AppError {
  const message = `We try only once to send a wallet the ETH for a vote on an article, and we have done so for this article. ${nothing} Send the wallet a little ETH.`;
  return new AppError("conflict", "vote_gas_given", message);
}

function makeUnspentGasError(wei: bigint): AppError {
  const message = `We sent this wallet ETH for a vote, and the wallet has spent ${formatEther(wei)} ETH of it on something else. ${nothing} Send the wallet the same amount of ETH.`;
  return new AppError("conflict", "vote_gas_unspent", message);
}

/**
 * The refusal for a purchase whose fee is too small to pay for the ETH of a vote. `all`: the fee that would cover the gas of the purchase
 * and of the vote.
 */
function makeFeeTooSmallError(wei: bigint, cost: number, left: number, all: number): AppError {
  const price = Math.ceil(all / feePercent / 100) / 100;
  return new AppError(
    "conflict",
    "vote_gas_not_carried",
    `The gas of this vote now costs up to ${formatUsdg(cost)} USDG, but only ${formatUsdg(left)} USDG are left of the fee that this wallet has paid for the article: a price of about ${price.toFixed(2)} USDG would be enough. ${nothing} Send the wallet ${formatEther(wei)} ETH, or vote when gas is cheaper.`,
  );
}

function formatUsdg(units: number): string {
  return formatUnits(BigInt(units), 6);
}
