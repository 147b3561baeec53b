import { type Client, encodeFunctionData, type Hex, parseAbi } from "viem";
import { estimateGas, getBalance, getCode, getGasPrice } from "viem/actions";
import { sendTransaction } from "wagmi/actions";
import { addGasMargin } from "../../../core/votegas/schema.ts";
import { type Address, AddressForm, type Hash } from "../api/request.ts";
import { formatRoundedEther } from "../format.ts";
import { describeEtherLack } from "../strings/wallet.ts";
import { askWallet, type ContractCall, requireConnection } from "./ask.ts";
import { loadWallets, WalletProblem } from "./state.ts";
import type { Wallets } from "./wallets.ts";

/**
 * The gas limit in percent of the estimated gas, and the maximum gas price in percent of the current gas price; both include a reserve. The
 * reserve is needed because the chain's state may change or the gas price may rise before the transaction is mined.
 */
const spareGas = 125n;
const sparePrice = 150n;

/**
 * The gas limit of a transaction, and its maximum cost in wei. The chain ignores tips, so the tip is 0: a wallet that chooses its own tip
 * may choose one above the maximum gas price, and then refuses the transaction. If a wallet's ETH covers the estimated cost but not the
 * usual reserve, the maximum cost of the transaction is all of the wallet's ETH. A wallet that got its ETH from the service cannot cover the
 * usual reserve, because the service sends ETH for a smaller reserve.
 */
export function computeGasLimits(estimate: bigint, price: bigint, balance: bigint) {
  const usual = { gas: (estimate * spareGas) / 100n, maxFeePerGas: (price * sparePrice) / 100n };
  const most = usual.gas * usual.maxFeePerGas;
  const gas = addGasMargin(estimate);
  const isScarce = balance < most && balance >= gas * price;
  const limits = isScarce ? { gas, maxFeePerGas: balance / gas } : usual;
  return { most, isScarce, limits: { ...limits, maxPriorityFeePerGas: 0n } };
}

/** The assumed gas of a vote or a mint, with a reserve. The real registries used 205,105 gas for a vote and 189,838 gas for a mint. */
export const usualGas = 250_000n;

export type ChainCall = { readonly to: Address; readonly data: Hex };

/**
 * A transaction's maximum cost, the sender's balance, and the missing amount, in wei. `limits`: lower gas limits for a wallet with little
 * ETH.
 */
export type EtherNeed = {
  readonly most: bigint;
  readonly has: bigint;
  readonly missing: bigint;
  readonly limits: ReturnType<typeof computeGasLimits>["limits"] | undefined;
};

/** The ETH that a transaction needs now. Throws viem's errors if the chain does not answer. */
export async function computeEtherNeed(client: Client, from: Address, call: ChainCall): Promise<EtherNeed> {
  const [estimate, price, has, code] = await Promise.all([
    // Some nodes cannot estimate gas for an account without ETH.
    estimateGas(client, { account: from, ...call }).catch(() => usualGas),
    getGasPrice(client),
    getBalance(client, { address: from }),
    getCode(client, { address: from }),
  ]);
  const { most, isScarce, limits } = computeGasLimits(estimate, price, has);
  // If the account has code, another account might pay for the gas, so `missing` is 0.
  const isPlain = code === undefined || code === "0x";
  const missing = isPlain && most > has && !isScarce ? most - has : 0n;
  return { most, has, missing, limits: isPlain && isScarce ? limits : undefined };
}

/**
 * The error that replaces a wallet's or a node's message about missing ETH. The error says how much ETH is missing, and to which address to
 * send the ETH.
 */
export function makeEtherProblem(missing: bigint, { name }: { readonly name: string }, from: Address) {
  return new WalletProblem("ether", describeEtherLack(formatRoundedEther(missing), name, from.toLowerCase()));
}

/**
 * Sends a vote or a mint exactly as the page has shown it, because a purse signs only transactions that the page has shown. Throws
 * WalletProblem. If the wallet has too little ETH, the problem's kind is `ether`, and the wallet is not asked.
 */
export async function showAndSend(wallets: Wallets, { to, ...call }: ContractCall): Promise<Hex> {
  const { config, chain, purse } = wallets;
  const { address } = requireConnection(wallets);
  const shown = { to, data: encodeFunctionData(call) };
  const { missing, limits } = await askWallet(() => computeEtherNeed(config.getClient(), address, shown));
  if (missing > 0n) throw makeEtherProblem(missing, chain, address);
  purse.show({ kind: "call", ...shown });
  return askWallet(() => sendTransaction(config, { ...shown, ...limits, chainId: chain.id }));
}

/** The registration function of ERC-8004, by which the registry mints an identity to the caller. */
const identity = parseAbi(["function register(string agentURI) returns (uint256 agentId)"]);

function makeRegistrationCall({ service }: Wallets, metaUrl: string) {
  const to = service.erc8004.identityRegistry;
  return { to, abi: identity, functionName: "register", args: [metaUrl] } as const;
}

/** Asks the wallet to register the press's identity. Returns the transaction's hash. Throws WalletProblem. */
export function register(wallets: Wallets, metaUrl: string): Promise<Hash> {
  return showAndSend(wallets, makeRegistrationCall(wallets, metaUrl));
}

/**
 * The ETH that a wallet needs now to register a press, the ETH that it has, and the ETH that is missing, as texts for people. Throws the
 * node's error.
 */
export async function readMintCost(wallet: string, metaUrl: string) {
  const wallets = await loadWallets();
  const address = AddressForm.parse(wallet);
  const { to, ...call } = makeRegistrationCall(wallets, metaUrl);
  const registered = { to, data: encodeFunctionData(call) };
  const { most, has, missing } = await computeEtherNeed(wallets.config.getClient(), address, registered);
  const lacks = missing > 0n ? formatRoundedEther(missing) : undefined;
  return {
    address,
    most: formatRoundedEther(most),
    has: formatRoundedEther(has),
    missing: lacks,
    chain: wallets.chain.name,
  };
}
