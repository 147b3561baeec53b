import {
  type Address,
  BaseError,
  type Client,
  createClient,
  defineChain,
  type Hex,
  type HttpTransport,
  http,
  type Chain as ViemChain,
} from "viem";
import { getBlock, readContract } from "viem/actions";
import { parseAbi } from "viem/utils";
import { MarketError } from "./error.ts";

/**
 * The chain and the contracts for which this client signs. They are the buyer's choice and never taken from the service:
 * terms that name anything else are not signed.
 */
export type Place = {
  readonly chainId: number;
  readonly name: string;
  readonly usdg: Address;
  /** USDG's EIP-712 domain. */
  readonly usdgDomain: { readonly name: string; readonly version: string };
  readonly permit2: Address;
  /** The x402 exact-scheme proxy, the only spender that a permit names. */
  readonly exactProxy: Address;
  /** ERC-8004: its owner of a press's identity is whom the publisher's payment goes to. */
  readonly identityRegistry: Address;
  readonly reputationRegistry: Address;
};

/** Robinhood Chain, and a devnet that calls itself so. */
export const robinhoodChain: Place = {
  chainId: 4663,
  name: "Robinhood Chain",
  usdg: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
  usdgDomain: { name: "Global Dollar", version: "1" },
  permit2: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
  exactProxy: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
  identityRegistry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  reputationRegistry: "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63",
};

export const abi = parseAbi([
  "function approve(address spender, uint256 amount) returns (bool)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function balanceOf(address owner) view returns (uint256)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function nonceBitmap(address owner, uint256 word) view returns (uint256)",
  "function ownerOf(uint256 id) view returns (address)",
  "function register(string agentURI) returns (uint256 agentId)",
  "function giveFeedback(uint256 agentId, int128 value, uint8 valueDecimals, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)",
]);

export type Chain = Client<HttpTransport, ViemChain>;

/** A client of the chain through one node, or through the service's RPC proxy. */
export function openChain(rpcUrl: string, { chainId, name }: Place): Chain {
  const chain = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  return createClient({ chain, transport: http(rpcUrl, { timeout: 20_000 }), pollingInterval: 250 });
}

/** What a node is asked. Throws `chain_unavailable` where it gives no answer. */
export async function asking<Found>(question: Promise<Found>): Promise<Found> {
  return question.catch((cause: unknown) => {
    const reason = cause instanceof BaseError ? cause.shortMessage : String(cause);
    throw new MarketError("chain_unavailable", `The chain gives no answer: ${reason}`, { cause });
  });
}

/** What is left of a signed payment, as the chain tells. */
export type Signed = {
  readonly method: "eip3009" | "permit2";
  readonly wallet: Address;
  /** Of 256 bits. */
  readonly nonce: Hex;
  /** Seconds since the epoch, after which nobody can charge it. */
  readonly until: number;
};

/** `spent`: it was charged, or cancelled. `dead`: it can never be charged. `live`: it still can. */
export async function stateOf(
  chain: Chain,
  place: Place,
  { method, wallet, nonce, until }: Signed,
): Promise<"spent" | "dead" | "live"> {
  // The time first: a nonce that is unspent after the deadline has passed stays so.
  const { timestamp } = await getBlock(chain);
  const number = BigInt(nonce);
  const isSpent =
    method === "eip3009"
      ? await readContract(chain, {
          address: place.usdg,
          abi,
          functionName: "authorizationState",
          args: [wallet, nonce],
        })
      : ((await readContract(chain, {
          address: place.permit2,
          abi,
          functionName: "nonceBitmap",
          args: [wallet, number >> 8n],
        })) &
          (1n << (number & 255n))) !==
        0n;
  if (isSpent) return "spent";
  return timestamp > BigInt(until) ? "dead" : "live";
}

/** Base units of USDG that the wallet has, and that Permit2 may move. */
export async function fundsOf(
  chain: Chain,
  { usdg, permit2 }: Place,
  wallet: Address,
): Promise<{ readonly balance: bigint; readonly allowance: bigint }> {
  const [balance, allowance] = await Promise.all([
    readContract(chain, { address: usdg, abi, functionName: "balanceOf", args: [wallet] }),
    readContract(chain, { address: usdg, abi, functionName: "allowance", args: [wallet, permit2] }),
  ]);
  return { balance, allowance };
}

/** The wallet that owns a press's identity. */
export function ownerOf(chain: Chain, { identityRegistry }: Place, pressId: number): Promise<Address> {
  const question = { abi, functionName: "ownerOf", args: [BigInt(pressId)] } as const;
  return readContract(chain, { address: identityRegistry, ...question });
}
