import { encodeFunctionData } from "viem/utils";
import { erc1271Abi, identityAbi } from "../chain/abi.ts";
import { answered, Bytes, foreignGas, Quantity, result, unavailable, Word } from "../chain/call.ts";
import { type Address, AddressInput, type Hex, lower } from "../chain/hex.ts";
import { l1GasCall, l1GasIn } from "../chain/nitro.ts";
import { signedByKey } from "../chain/signature.ts";
import { AppError } from "../error.ts";
import { awaitedBlock } from "../lag/index.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import {
  type Authorization,
  type IdentifierItem,
  type Settlement,
  type SettlementItem,
  settlementIn,
} from "../record/payment.ts";
import type { AgentItem } from "../record/press.ts";
import type { GasItem } from "../record/relayer.ts";
import type { SessionItem } from "../record/wallet.ts";
import {
  Account,
  Budget,
  Gas,
  type Keys,
  type Quote,
  quoting,
  type Read,
  readBeside,
} from "../relayer/index.ts";
import { sessionKey } from "../session/index.ts";
import {
  type Funds,
  fundsCalls,
  fundsIn,
  invalidSignature,
  lackOf,
  type Method,
  methodOf,
  type Payment,
  type Reason,
  reasonFor,
} from "./method.ts";
import type { Leg } from "./schema.ts";
import type { PaymentPorts } from "./settlement.ts";
import { busy } from "./terms.ts";

/** Everything that the table knows of a payment, each item as of its own moment. */
export type State = {
  readonly key: StateKey;
  readonly agent: AgentItem;
  readonly legs: Readonly<Record<Leg, Settlement | undefined>>;
  /** The keys that could send it. */
  readonly keys: Keys;
  /** What failed payments of the wallet have burned of our gas today. */
  readonly burned: GasItem | undefined;
  /** What the payer's name for this attempt was first used for. */
  readonly identifier: IdentifierItem | undefined;
  /** The session that the request came with, living or not. */
  readonly session: SessionItem | undefined;
  /** Whether a search has shown what was presented to be spent for something else. */
  readonly spentOtherwise: boolean;
};

/** Whose state of which press is asked for, for what was signed, under which name for the attempt, and with which session's token. */
export type StateKey = {
  readonly pressId: number;
  readonly wallet: Address;
  readonly authorization: Authorization;
  readonly identifier: string | undefined;
  readonly token: string | undefined;
};

/** The press's frozen facts by agent id. Throws `missing` `unknown_press` where no live press has it. */
export async function findAgent({ table }: Pick<PaymentPorts, "table">, pressId: number): Promise<AgentItem> {
  const { data } = await table.entities.agent.get({ pressId }).go({ consistent: true });
  return listed(data);
}

/** A press, and what is known of the legs of the one who pays. */
export type Offered = Pick<State, "agent" | "legs">;

/** What terms are made from: the press, and the payer's fee where the payer is known. One request. Throws `missing` `unknown_press`. */
export async function readOffer(
  { table }: Pick<PaymentPorts, "table">,
  pressId: number,
  wallet: Address | undefined,
): Promise<Offered> {
  const { agent, settlement } = table.entities;
  const [press, fee] = await table.together([
    agent.get({ pressId }).params(),
    ...(wallet === undefined ? [] : [settlement.get({ wallet, pressId, leg: "fee" }).params()]),
  ]);
  return {
    agent: listed(press === undefined ? null : agent.parse(press).data),
    legs: { fee: legRead({ table }, fee), publisher: undefined },
  };
}

/** The press, both legs of the payer, and the relayers, in one consistent request. Throws `missing` `unknown_press`. */
export async function readState(
  ports: Pick<PaymentPorts, "table" | "relayers" | "clock">,
  key: StateKey,
): Promise<State> {
  const { pressId, wallet, authorization, identifier, token } = key;
  const { agent, settlement, identifier: names, session, gas, unpaid } = ports.table.entities;
  const { items, keys } = await readBeside(ports, [
    agent.get({ pressId }).params(),
    settlement.get({ wallet, pressId, leg: "fee" }).params(),
    settlement.get({ wallet, pressId, leg: "publisher" }).params(),
    // Nobody's name is empty, and nobody's token: without one the read finds nothing.
    names.get({ wallet, identifier: identifier ?? "" }).params(),
    session.get(sessionKey(token ?? "")).params(),
    gas.get(Budget.burnedKey(wallet, ports.clock.now())).params(),
    unpaid.get(unpaidKey(authorization)).params(),
  ]);
  const [press, fee, publisher, name, opened, burned, spent] = items;
  return {
    key,
    agent: listed(press === undefined ? null : agent.parse(press).data),
    legs: { fee: legRead(ports, fee), publisher: legRead(ports, publisher) },
    identifier: name === undefined ? undefined : (names.parse(name).data ?? undefined),
    session: opened === undefined ? undefined : (session.parse(opened).data ?? undefined),
    burned: burned === undefined ? undefined : (gas.parse(burned).data ?? undefined),
    keys,
    spentOtherwise: spent !== undefined,
  };
}

function unpaidKey({ from: wallet, method, nonce, to: payTo, amount }: Authorization) {
  return { wallet, method, nonce: String(nonce), payTo, amount: String(amount) };
}

/** Seconds for which it is remembered that a nonce was spent for something else: no signature of it lives that long. */
const unpaidLifetime = 7 * 24 * 60 * 60;

/** Remembers what a complete search has shown: whoever presents the same again is answered without another one. */
export async function rememberUnpaid(
  { table, clock }: Pick<PaymentPorts, "table" | "clock">,
  authorization: Authorization,
): Promise<void> {
  const expiresAt = Math.floor(clock.now() / 1000) + unpaidLifetime;
  await table.entities.unpaid.put({ ...unpaidKey(authorization), expiresAt }).go();
}

/** A leg's record as `together` has read it. */
export function legRead({ table }: Pick<PaymentPorts, "table">, read: Read): Settlement | undefined {
  const item = read === undefined ? null : table.entities.settlement.parse(read).data;
  return item === null ? undefined : settlementIn(item);
}

function listed(agent: AgentItem | null): AgentItem {
  if (agent === null) throw new AppError("missing", "unknown_press", "No live press has this pressId.");
  return agent;
}

/**
 * Whether a payment shows what only the client knows that made this record: the payment-identifier with its payload, or
 * the ticket. A permit and its signature show nothing, for they stand on the chain (invariant 5).
 */
export function isRepeat(record: SettlementItem, state: State, payment: Payment): boolean {
  return (
    isNamed(record, state, payment) || (payment.ticket !== undefined && record.ticket === payment.ticket)
  );
}

/** Whether the record answers the very attempt that the payer names, with the payload that was named. */
export function isNamed(
  record: SettlementItem,
  { identifier: named }: State,
  { identifier }: Pick<Payment, "identifier">,
): boolean {
  return (
    identifier !== undefined && record.identifier === identifier.id && named?.digest === identifier.digest
  );
}

/** What the chain says of a payment, as of one round trip, and of the key that would send it. */
export type Inspection = Quote & {
  /** Owner of the press's NFT. */
  readonly owner: Address;
  /** The payer's code where it decides whether this is its payment, `0x` where its key does. */
  readonly code: Hex;
  /** Whether the payer's own contract stands by the signature (EIP-1271); `false` for plain accounts. */
  readonly signedByContract: boolean;
  readonly funds: Funds;
  readonly nonceSpent: boolean;
  /** Gas units that settling takes, or why it reverts: the error's name where it is known. */
  readonly simulation:
    | { readonly kind: "ok"; readonly gas: bigint }
    | { readonly kind: "reverts"; readonly name: string | undefined };
  /** How many of these units are the price of L1, which a Nitro node puts into estimates and receipts. 0 on other chains. */
  readonly l1Gas: bigint;
  /** Whether the press's owner could be paid the part that was asked about; `true` where none was. */
  readonly ownerPayable: boolean;
  /** The newest block's number. */
  readonly block: bigint;
};

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
  Account.noteRate(ports, rate);
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

/**
 * Whether the chain would let it through as of now. `needed`: base units that the wallet must have for it, which for
 * the fee is the whole price: the fee is not taken where the rest could not be paid (invariant 7).
 */
export function checkChain(
  authorization: Authorization,
  needed: bigint,
  found: Inspection,
): Reason | undefined {
  const method = methodOf(authorization);
  const { codes } = method;
  const hasCode = found.code !== "0x";
  if (hasCode && !found.signedByContract) return invalidSignature(method);
  if (found.nonceSpent) return reasonFor(method, method.spentRevert);
  const lack = lackOf(method, needed, found.funds);
  if (lack !== undefined) return lack;
  if (found.simulation.kind === "reverts") return reasonFor(method, found.simulation.name);
  // What L1 costs says nothing about the wallet's code.
  const { gas } = found.simulation;
  const computing = gas > found.l1Gas ? gas - found.l1Gas : 0n;
  if (Gas.gasLimit(computing) > (hasCode ? contractGas : plainGas)) {
    return {
      code: codes.simulation,
      error: "Checking this wallet's signature takes more gas than a payment may cost. Nothing was charged.",
    };
  }
  if (found.ownerPayable) return undefined;
  return {
    code: codes.simulation,
    error:
      "The press's owner cannot be paid in USDG now, so the fee is not taken either. Nothing was charged: try again later.",
  };
}

/**
 * Gas units that a payment of a wallet with code may take, without L1's part. Settling takes about 100,000; the most elaborate signatures
 * that honest wallets check, P-256 in plain Solidity, about 350,000 more.
 */
const contractGas = 600_000n;

/** The same of a plain account's payment. It runs no code but ours, so only the chain can make it dear. */
const plainGas = 1_875_000n;

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
