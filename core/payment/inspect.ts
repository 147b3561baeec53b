import { encodeFunctionData } from "viem/utils";
import { erc1271Abi, identityAbi } from "../chain/abi.ts";
import { answered, Bytes, foreignGas, Quantity, result, unavailable, Word } from "../chain/call.ts";
import { type Address, AddressInput, type Hex, lower } from "../chain/hex.ts";
import { l1GasCall, l1GasIn } from "../chain/nitro.ts";
import { signedByKey } from "../chain/signature.ts";
import * as Gas from "../gas/index.ts";
import { awaitedBlock } from "../lag/index.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import type { AuthorizationItem } from "../record/payment.ts";
import { quoting } from "../relayer/index.ts";
import { type Inspection, judgeFresh, notFresh } from "./judge.ts";
import { fundsCalls, fundsIn, lackOf, type Method, methodOf, type Payment, type Reason } from "./method.ts";
import type { Offered, State } from "./request.ts";
import type { Leg } from "./schema.ts";
import type { PaymentPorts } from "./settlement.ts";
import { busy, type Due, dueFor } from "./terms.ts";

/** EIP-1271's yes as a word: the four bytes alone would also begin the answer of a contract that echoes its input. */
const magic = `0x1626ba7e${"0".repeat(56)}`;

const OwnerWord = Bytes.transform((word) => `0x${word.slice(26)}`).pipe(AddressInput);

const headCall = { method: "eth_blockNumber", params: [] } as const;

/** The call that asks who owns a press now. */
export function ownerCall(registry: Address, pressId: number): RpcCall {
  return call(
    registry,
    encodeFunctionData({ abi: identityAbi, functionName: "ownerOf", args: [BigInt(pressId)] }),
  );
}

/** The owner in its answer. A registry that cannot say is a fault of ours, not of the payer: `upstream`. */
export function ownerIn(outcome: RpcOutcome | undefined): Address {
  return lower(result(outcome, OwnerWord));
}

/** USDG base units that the owner is to be paid later, and who that is as far as we know. */
export type OwnerPart = { readonly amount: bigint; readonly expected: Address };

/** Reads all that a verdict needs in one JSON-RPC batch, and in a second one where the press was sold. */
export async function inspect(
  ports: Pick<PaymentPorts, "chain" | "settings" | "clock" | "ids">,
  { agent: { pressId }, keys }: Pick<State, "agent" | "keys">,
  { authorization, signature }: Payment,
  ownerPart?: OwnerPart,
): Promise<Inspection> {
  const { chain, settings } = ports;
  const quote = quoting(ports, keys);
  if (quote === undefined) throw busy(new Error("There are no relayers"));
  const method = methodOf(authorization);
  const { from } = authorization;
  const digest = method.digest(settings, authorization);
  const payoutTo = (to: Address) =>
    ownerPart === undefined ? [] : [method.payoutCall(settings, from, to, ownerPart.amount)];
  const asksFunds = fundsCalls(settings, method, from);
  const settling = method.call(authorization, signature);
  const [owner, code, contractWord, nonces, gas, l1, block, ...others] = await chain.batch([
    ownerCall(settings.contracts.identityRegistry, pressId),
    { method: "eth_getCode", params: [from, "latest"] },
    standsByCall(from, digest, signature),
    method.spentCall(settings, authorization),
    { method: "eth_estimateGas", params: [{ from: quote.sender, ...settling, gas: foreignGas }] },
    l1GasCall(settling),
    headCall,
    ...asksFunds,
    ...(ownerPart === undefined ? [] : payoutTo(ownerPart.expected)),
    ...quote.calls,
  ]);
  const quoted = others.splice(-quote.calls.length);
  const [payout] = others.splice(asksFunds.length);
  const rate = { ...quote.quoteIn(quoted), l1Gas: l1GasIn(l1) };
  Gas.noteRate(ports, rate);
  const simulation = simulated(method, gas);
  const written = lower(result(code, Bytes));
  const isAsked = written !== "0x" && method.asksCode(await signedByKey(from, digest, signature));
  const ownerNow = ownerIn(owner);
  const sold = ownerPart !== undefined && ownerPart.expected !== ownerNow;
  const [payoutNow] = sold ? await chain.batch(payoutTo(ownerNow)) : [payout];
  return {
    owner: ownerNow,
    code: isAsked ? written : "0x",
    signedByContract: standsBy(contractWord),
    funds: fundsIn(others),
    ...rate,
    // Calls of one batch may reach nodes of different age: the newest word counts.
    nonceSpent:
      method.isSpent(authorization, nonces) ||
      (simulation.kind === "reverts" && simulation.name === method.spentRevert),
    simulation,
    ownerPayable: ownerPart === undefined || isMoved(payoutNow),
    block: result(block, Quantity),
  };
}

function isMoved(outcome: RpcOutcome | undefined): boolean {
  return answered(outcome).status === "ok" && result(outcome, Word) === 1n;
}

/** The call that asks a wallet's code about a signature (EIP-1271). */
function standsByCall(to: Address, digest: Hex, signature: Hex): RpcCall {
  const args = [digest, signature] as const;
  const data = encodeFunctionData({ abi: erc1271Abi, functionName: "isValidSignature", args });
  return { method: "eth_call", params: [{ to, data, gas: foreignGas }, "latest"] };
}

/** A plain account answers nothing, a contract that refuses may revert: neither stands by the signature. */
function standsBy(outcome: RpcOutcome | undefined): boolean {
  if (answered(outcome).status === "reverted") return false;
  return lower(result(outcome, Bytes)).startsWith(magic);
}

function simulated({ revertName }: Method, outcome: RpcOutcome | undefined): Inspection["simulation"] {
  const answer = answered(outcome);
  if (answer.status === "reverted") return { kind: "reverts", name: revertName(answer.data) };
  const gas = Quantity.safeParse(answer.result);
  if (!gas.success) throw unavailable("a gas estimate of unexpected form", gas.error);
  return { kind: "ok", gas: gas.data };
}

function call(to: Address, data: Hex): RpcCall {
  return { method: "eth_call", params: [{ to, data }, "latest"] };
}

/** Milliseconds between looks at a wallet that seems to lack something. */
const lookPause = 1_500;

/**
 * Makes sure that a wallet lacks what it seems to lack: asks another node at once. Where something is known to have changed the
 * wallet's means in a block that neither has shown yet, asks again until one shows it, or until the time has passed for which
 * nodes may be late. Nobody else waits: a wait holds a function, and costs the caller nothing.
 */
export async function lookAgain(
  ports: PaymentPorts,
  needed: Need,
  seen: Inspection,
  look: (of: PaymentPorts) => Promise<Inspection>,
): Promise<Inspection> {
  if (!isShort(needed, seen)) return seen;
  const { clock, settings } = ports;
  const until = clock.now() + (settings.stateLag ?? 0);
  let found = newer(seen, await look(askingElsewhere(ports)));
  if (!isShort(needed, found) || clock.now() >= until) return found;
  const awaited = await awaitedBlock(ports, needed.wallet, found.block);
  if (awaited === undefined) return found;
  const isLate = () => found.block < awaited && clock.now() < until;
  for (let looks = 0; isShort(needed, found) && isLate(); looks += 1) {
    await clock.sleep(Math.min(lookPause, until - clock.now()));
    found = newer(found, await look(looks % 2 === 0 ? ports : askingElsewhere(ports)));
  }
  return found;
}

/** Base units that a wallet needs to pay, by which method. */
type Need = { readonly wallet: Address; readonly method: Method; readonly needed: bigint };

/** Whether the wallet seems to lack what it needs. A node may show this for seconds after an approval's receipt. */
function isShort({ method, needed }: Need, { nonceSpent, funds }: Inspection): boolean {
  return !nonceSpent && lackOf(method, needed, funds) !== undefined;
}

/** The one of two looks that is of the newer block, of two of the same the second: balances of the past pay nothing. */
function newer(first: Inspection, second: Inspection): Inspection {
  return second.block >= first.block ? second : first;
}

function askingElsewhere(ports: PaymentPorts): PaymentPorts {
  const { batch } = ports.chain;
  return { ...ports, chain: { batch: (calls, limits) => batch(calls, { ...limits, elsewhere: true }) } };
}

/** What is due, and to the owner that the chain has named. */
export function dueTo(ports: PaymentPorts, leg: Leg, { agent, legs }: Offered, { owner }: Inspection): Due {
  return dueFor(ports.settings, leg, { priceUnits: agent.priceUnits, fee: legs.fee, owner });
}

/** Why a payment could not pay this leg now, were it not paid; `undefined` for one that only its payer can know. */
export async function unfitNow(
  ports: PaymentPorts,
  state: State,
  leg: Leg,
  presented: Payment,
): Promise<Reason | undefined> {
  const bound = await bindingOf(ports, presented);
  const { pressId } = state.agent;
  const known = notFresh({ pressId, leg }, bound, presented);
  if (known !== undefined) return known;
  const found = await inspect(ports, state, presented);
  const due = dueTo(ports, leg, state, found);
  return judgeFresh({ presented, due, found, now: ports.clock.now() });
}

/** What the payment was first presented for, if it ever was. */
export async function bindingOf(
  { table }: Pick<PaymentPorts, "table">,
  { authorization: { from: wallet, method, nonce } }: Payment,
): Promise<AuthorizationItem | null> {
  const key = { wallet, method, nonce: String(nonce) };
  return (await table.entities.authorization.get(key).go({ consistent: true })).data;
}
