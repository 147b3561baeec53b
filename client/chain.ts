import {
  type Address,
  BaseError,
  type Client,
  createClient,
  defineChain,
  type HttpTransport,
  http,
  type Chain as ViemChain,
} from "viem";
import { getBlock, readContract } from "viem/actions";
import { parseAbi } from "viem/utils";
import { MarketError } from "./error.ts";
import type { LegRecord } from "./journal.ts";
import type { Place } from "./typed-data.ts";

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

/**
 * A chain's definition in viem's format. The client makes the chain's definition itself, because viem's own list of chains takes 100 ms to
 * load.
 */
export function describeChain({ chainId: id, name }: Pick<Place, "chainId" | "name">): ViemChain {
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  return defineChain({ id, name, nativeCurrency, rpcUrls: { default: { http: [] } } });
}

/** A viem client that reads the chain through one node or through the service's RPC relay. */
export function openChain(rpcUrl: string, place: Place): Chain {
  const chain = describeChain(place);
  return createClient({ chain, transport: http(rpcUrl, { timeout: 20_000 }), pollingInterval: 250 });
}

/** Waits for a node's answer. Throws `chain_unavailable` if the node does not answer. */
export async function awaitNodeAnswer<Found>(question: Promise<Found>): Promise<Found> {
  return question.catch((cause: unknown) => {
    const reason = cause instanceof BaseError ? cause.shortMessage : String(cause);
    throw new MarketError("chain_unavailable", `The chain gives no answer: ${reason}`, { cause });
  });
}

/**
 * Whether the chain shows that nobody can ever charge a signed payment: its deadline has passed, and it was neither charged nor cancelled.
 */
export async function isExpiredUnspent(
  chain: Chain,
  place: Place,
  { method, wallet, message: { nonce, until } }: Pick<LegRecord, "method" | "wallet" | "message">,
): Promise<boolean> {
  // The block's time is read before the nonce. If the block's time is after the deadline and the nonce is still unspent, the nonce can
  // never be spent.
  const { timestamp } = await getBlock(chain);
  const isSpent = await (method === "eip3009"
    ? readContract(chain, {
        address: place.usdg,
        abi,
        functionName: "authorizationState",
        args: [wallet, nonce],
      })
    : isPermitSpent(chain, place, wallet, BigInt(nonce)));
  return !isSpent && timestamp > BigInt(until);
}

async function isPermitSpent(chain: Chain, { permit2: address }: Place, wallet: Address, nonce: bigint) {
  const question = { address, abi, functionName: "nonceBitmap", args: [wallet, nonce >> 8n] } as const;
  return ((await readContract(chain, question)) & (1n << (nonce & 255n))) !== 0n;
}

/** The wallet's USDG balance and the wallet's USDG allowance for Permit2, both in base units. */
export async function readFunds(
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
export function readOwner(chain: Chain, { identityRegistry }: Place, pressId: number): Promise<Address> {
  const question = { abi, functionName: "ownerOf", args: [BigInt(pressId)] } as const;
  return readContract(chain, { address: identityRegistry, ...question });
}
