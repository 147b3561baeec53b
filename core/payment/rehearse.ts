import { numberToHex } from "viem/utils";
import { result, unavailable } from "../chain/call.ts";
import { type Address, AddressInput, type Hex, HexInput, lower } from "../chain/hex.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import { feeLimits, gasLimitsOf } from "../relayer/index.ts";
import type { Method } from "./authorization.ts";
import type { Payment } from "./header.ts";
import { methodOf } from "./method.ts";
import type { Reason } from "./offer.ts";
import type { PaymentPorts } from "./ports.ts";
import { busy } from "./state.ts";
import { reasonFor } from "./terms.ts";

type Ports = Pick<PaymentPorts, "chain" | "clock" | "settings">;

/** The settlement as it would be sent: the relayer, the estimate in gas units, wei a gas unit, the newest block. */
export type Sending = {
  readonly relayer: Address;
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly block: bigint;
};

/**
 * Simulates the settlement of a wallet with code as close to its inclusion as a node allows: by the relayer that sends
 * it, with its gas limit and its fee, in the next block. A contract that knows an estimate by its gas price of 0, by
 * its gas or by its block is found out here. Answers why it would fail, `undefined` when it would not. Throws
 * `upstream` when the node cannot say.
 */
export async function rehearse(
  ports: Ports,
  payment: Payment,
  sending: Sending,
): Promise<Reason | undefined> {
  return verdictOf(
    methodOf(payment.authorization),
    await ports.chain.batch(rehearsals(ports, payment, sending)),
  );
}

/**
 * `rehearse`, and in the same round trip what the wallet's code leads to, where it is a proxy. Without `sending`
 * nothing is rehearsed.
 */
export async function rehearseAndTrace(
  ports: Ports,
  payment: Payment,
  code: Hex,
  sending: Sending | undefined,
): Promise<{ readonly refusal: Reason | undefined; readonly targets: readonly Address[] }> {
  const [implementation, beacon, ...simulated] = await ports.chain.batch([
    ...slots.map((slot) => ({
      method: "eth_getStorageAt",
      params: [payment.authorization.from, slot, "latest"],
    })),
    ...(sending === undefined ? [] : rehearsals(ports, payment, sending)),
  ]);
  const written = proxyForms.flatMap((form) => form.exec(code)?.[1] ?? []);
  const stored = [implementation, beacon].map((outcome) => result(outcome, HexInput).slice(-40));
  const targets = [...written, ...stored].flatMap(
    (digits) => AddressInput.safeParse(`0x${digits}`).data ?? [],
  );
  return {
    refusal: sending === undefined ? undefined : verdictOf(methodOf(payment.authorization), simulated),
    targets: targets.map(lower).filter((target) => !/^0x0+$/.test(target)),
  };
}

/** EIP-1967's slots of a proxy's implementation and of its beacon. */
const slots = [
  "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
] as const;

/** EIP-1167's minimal proxy, and EIP-7702's delegation of a key's account. */
const proxyForms = [
  /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  /^0xef0100([0-9a-f]{40})$/,
];

/** The same simulation on a pending block and on the newest one made to look like the next: nodes differ in what they offer. */
function rehearsals(
  { clock, settings }: Ports,
  { authorization, signature }: Payment,
  sending: Sending,
): readonly RpcCall[] {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = feeLimits({
    ...sending,
    maxPrice: gasLimitsOf(settings).maxPrice,
  });
  const transaction = {
    from: sending.relayer,
    ...methodOf(authorization).call(authorization, signature),
    gas: numberToHex(gas),
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
  const next = {
    number: numberToHex(sending.block + 1n),
    time: numberToHex(Math.floor(clock.now() / 1000) + 1),
  };
  return [
    { method: "eth_call", params: [transaction, "pending"] },
    { method: "eth_call", params: [transaction, "latest", {}, next] },
  ];
}

function verdictOf(method: Method, outcomes: readonly RpcOutcome[]): Reason | undefined {
  const revert = outcomes.find(({ status }) => status === "reverted");
  if (revert?.status === "reverted") return refusalFor(method, method.revertName(revert.data));
  // A node that does not offer one of the two ways says so; one of them it has to offer.
  if (outcomes.some(({ status }) => status === "ok")) return undefined;
  throw unavailable("a node that simulates nothing with a fee", new Error(JSON.stringify(outcomes)));
}

function refusalFor(method: Method, name: string | undefined): Reason {
  // It was unspent a moment ago: another request, or somebody else, has settled it since. The next look will tell.
  if (name === method.spentRevert) throw busy(new Error("The permit was spent since it was looked at"));
  if (name !== undefined) return reasonFor(method, name);
  return {
    code: method.codes.simulation,
    error:
      "The payment would fail on the chain, where the wallet's contract or the token refuses it. Nothing was charged.",
  };
}
