import { keccak256, numberToHex } from "viem/utils";
import { result, unavailable } from "../chain/call.ts";
import { type Address, AddressInput, type Hex, HexInput, lower } from "../chain/hex.ts";
import type { Call } from "../chain/order.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import { subjectOf } from "./accounts.ts";
import { feeCap, feeLimits, gasLimitsOf, type RatePorts } from "./price.ts";

type Ports = RatePorts;

/** A call as it would be sent: the relayer, the estimate in gas units, wei a gas unit, the newest block. */
export type Sending = {
  readonly relayer: Address;
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly block: bigint;
};

/**
 * Simulates the settlement of a wallet with code as close to its inclusion as a node allows: by the relayer that sends
 * it, with its gas limit and its fee, in the next block. A contract may recognise an estimate by its gas price of 0, by its gas
 * limit or by its block, and behave well only there: this finds it out. Returns how it would revert, `undefined` when it would not.
 * Throws `upstream` when the node cannot say.
 */
export async function rehearse(ports: Ports, call: Call, sending: Sending): Promise<Revert | undefined> {
  return revertIn(await ports.chain.batch(rehearsals(ports, call, sending)));
}

/** The data of a revert, where it had any. */
export type Revert = { readonly data: Hex | undefined };

/** A contract wallet, and the call that settles its payment. */
export type ContractCall = { readonly wallet: Address; readonly code: Hex; readonly call: Call };

/**
 * `rehearse`, which in the same round trip reads the implementation of a proxy. A relayer without gas cannot rehearse: then the relayer
 * that sends the payment does it later. `subjects`: the further accounts that count a failure.
 */
export async function rehearseAndTrace(
  ports: Ports,
  { wallet, code, call }: ContractCall,
  {
    relayer,
    ...needs
  }: Omit<Sending, "relayer"> & { readonly relayer: { readonly address: Address; readonly balance: bigint } },
): Promise<{ readonly revert: Revert | undefined; readonly subjects: readonly string[] }> {
  const lacksGas = relayer.balance < feeCap({ ...needs, maxPrice: gasLimitsOf(ports.settings).maxPrice });
  const sending = lacksGas ? undefined : { ...needs, relayer: relayer.address };
  const [implementation, beacon, ...simulated] = await ports.chain.batch([
    ...slots.map((slot) => ({
      method: "eth_getStorageAt",
      params: [wallet, slot, "latest"],
    })),
    ...(sending === undefined ? [] : rehearsals(ports, call, sending)),
  ]);
  const written = proxyForms.flatMap((form) => form.exec(code)?.[1] ?? []);
  const stored = [implementation, beacon].map((outcome) => result(outcome, HexInput).slice(-40));
  const targets = [...written, ...stored].flatMap(
    (digits) => AddressInput.safeParse(`0x${digits}`).data ?? [],
  );
  const subjects = [
    subjectOf("code", keccak256(code)),
    ...targets
      .map(lower)
      .filter((target) => !/^0x0+$/.test(target))
      .map((target) => subjectOf("target", target)),
  ];
  return { revert: sending === undefined ? undefined : revertIn(simulated), subjects };
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

/** The simulation on a pending block, and on the newest block made to look like the next one: nodes differ in what they offer. */
function rehearsals({ clock, settings }: Ports, call: Call, sending: Sending): readonly RpcCall[] {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = feeLimits({
    ...sending,
    maxPrice: gasLimitsOf(settings).maxPrice,
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

function revertIn(outcomes: readonly RpcOutcome[]): Revert | undefined {
  const revert = outcomes.find(({ status }) => status === "reverted");
  if (revert?.status === "reverted") return { data: revert.data };
  // A node offers at least one of the two ways, and says if it does not offer the other.
  if (outcomes.some(({ status }) => status === "ok")) return undefined;
  throw unavailable("a node that simulates nothing with a fee", new Error(JSON.stringify(outcomes)));
}
