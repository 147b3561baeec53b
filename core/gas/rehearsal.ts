import { keccak256, numberToHex } from "viem/utils";
import { getResult, makeChainError, Quantity } from "../chain/call.ts";
import { type Address, AddressInput, type Hex, HexInput, lower } from "../chain/hex.ts";
import type { Call } from "../chain/order.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import { formatBudgetName } from "./accounts.ts";
import { findFeeCap, findFeeLimits, type RatePorts, readGasLimits } from "./price.ts";

type Ports = RatePorts;

/** A call, the relayer that would send the call, the estimate in gas units, the price in wei per gas unit, and the newest block. */
export type SendPlan = {
  readonly relayer: Address;
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly block: bigint;
};

/**
 * Simulates the settlement of a payment by a wallet with code. The simulation resembles the real transaction as closely as a node allows:
 * it has the same relayer, gas limit and gas price, and runs in the next block. A malicious contract may recognise an estimate by the gas
 * price 0, by the gas limit or by the block, and may succeed only in estimates. The simulation detects contracts that succeed only in
 * estimates. Returns how the settlement would revert, or `undefined` if it would succeed. Throws `NoGasError` if the relayer cannot pay for
 * the gas, because a node then refuses the simulation. Throws `upstream` if the node does not answer.
 */
export async function simulateSettlement(
  ports: Ports,
  call: Call,
  plan: SendPlan,
): Promise<Revert | undefined> {
  const [balance, ...simulated] = await ports.chain.batch([
    { method: "eth_getBalance", params: [plan.relayer, "latest"] },
    ...makeSimulationCalls(ports, call, plan),
  ]);
  if (lacksGas(ports, plan, getResult(balance, Quantity))) throw new NoGasError();
  return findRevert(simulated);
}

/** A key cannot pay for the gas of a transaction, so the transaction needs another key. */
export class NoGasError extends Error {
  override readonly name = "NoGasError";
}

function lacksGas({ settings }: Ports, plan: Omit<SendPlan, "relayer">, balance: bigint): boolean {
  return balance < findFeeCap({ ...plan, maxPrice: readGasLimits(settings).maxPrice });
}

/** The data of a revert, if the revert has data. */
export type Revert = { readonly data: Hex | undefined };

/** A contract wallet, and the call that settles its payment. */
export type ContractCall = { readonly wallet: Address; readonly code: Hex; readonly call: Call };

/**
 * Does the same as `simulateSettlement`, and reads the implementation of a proxy in the same round trip. If the relayer cannot pay for the
 * gas, the payment cannot be simulated now. A payment that cannot be simulated now is simulated later, with the relayer that sends the
 * payment. `subjects`: the other gas accounts to which a failed payment's gas is also charged.
 */
export async function simulateAndTrace(
  ports: Ports,
  { wallet, code, call }: ContractCall,
  {
    relayer,
    ...needs
  }: Omit<SendPlan, "relayer"> & {
    readonly relayer: { readonly address: Address; readonly balance: bigint };
  },
): Promise<{ readonly revert: Revert | undefined; readonly subjects: readonly string[] }> {
  const hasGas = !lacksGas(ports, needs, relayer.balance);
  const sending = hasGas ? { ...needs, relayer: relayer.address } : undefined;
  const [implementation, beacon, ...simulated] = await ports.chain.batch([
    ...slots.map((slot) => ({
      method: "eth_getStorageAt",
      params: [wallet, slot, "latest"],
    })),
    ...(sending === undefined ? [] : makeSimulationCalls(ports, call, sending)),
  ]);
  const written = proxyForms.flatMap((form) => form.exec(code)?.[1] ?? []);
  const stored = [implementation, beacon].map((outcome) => getResult(outcome, HexInput).slice(-40));
  const targets = [...written, ...stored].flatMap(
    (digits) => AddressInput.safeParse(`0x${digits}`).data ?? [],
  );
  // A wallet may name one address in several places, and the table refuses a read that names one key twice.
  const subjects = new Set([
    formatBudgetName("code", keccak256(code)),
    ...targets
      .map(lower)
      .filter((target) => !/^0x0+$/.test(target))
      .map((target) => formatBudgetName("target", target)),
  ]);
  return { revert: sending === undefined ? undefined : findRevert(simulated), subjects: [...subjects] };
}

/** The storage slots of a proxy's implementation and of its beacon (EIP-1967). */
const slots = [
  "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
] as const;

/** The code of a minimal proxy (EIP-1167), and the code of an account that delegates (EIP-7702). */
const proxyForms = [
  /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  /^0xef0100([0-9a-f]{40})$/,
];

/**
 * Makes the calls of two different simulations of a settlement, because not all nodes support the same simulation. One simulation runs on
 * the pending block. The other simulation runs on the newest block, but with the number and time of the next block.
 */
function makeSimulationCalls({ clock, settings }: Ports, call: Call, sending: SendPlan): readonly RpcCall[] {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = findFeeLimits({
    ...sending,
    maxPrice: readGasLimits(settings).maxPrice,
  });
  const transaction = {
    from: sending.relayer,
    ...call,
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

function findRevert(outcomes: readonly RpcOutcome[]): Revert | undefined {
  const revert = outcomes.find(({ status }) => status === "reverted");
  if (revert?.status === "reverted") return { data: revert.data };
  // Every node supports at least one of the two simulations, and answers an unsupported simulation with an error.
  if (outcomes.some(({ status }) => status === "ok")) return undefined;
  throw makeChainError("a node that simulates nothing with a fee", new Error(JSON.stringify(outcomes)));
}
