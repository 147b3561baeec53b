import {
  createPublicClient,
  domainSeparator,
  fallback,
  formatEther,
  http,
  parseAbi,
  type TypedDataDomain,
} from "viem";
import type { Address, ChainSettings } from "../chains.ts";
import { differs, type Finding, finding } from "./finding.ts";

const abi = parseAbi([
  "function decimals() view returns (uint8)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function PERMIT2() view returns (address)",
  "function supportsInterface(bytes4) view returns (bool)",
  "function getIdentityRegistry() view returns (address)",
  "function implementation() view returns (address)",
]);

/** The EIP-712 domain of USDG's own authorizations and permits (EIP-3009, EIP-2612), which it does not tell itself. */
const usdgDomain = { name: "Global Dollar", version: "1" };

/** ERC-721, by which the identity registry hands out identities. */
const erc721 = "0x80ac58cd";

/**
 * Whether the nodes serve the chain of the settings, and each contract has code there and answers as the service
 * counts on. Changes nothing. `urls` are the nodes, the preferred one first.
 */
export async function checkChain(
  { id, contracts, stocks }: ChainSettings,
  urls: readonly string[],
): Promise<readonly Finding[]> {
  const client = createPublicClient({ transport: fallback(urls.map((url) => http(url))) });
  const { usdg, permit2, exactProxy, identityRegistry, reputationRegistry } = contracts;
  const takesSignatures = (name: string, domain: TypedDataDomain & { readonly verifyingContract: Address }) =>
    finding(`${name} takes signatures for this chain`, async () => {
      const { verifyingContract: address } = domain;
      const separator = await client.readContract({ abi, address, functionName: "DOMAIN_SEPARATOR" });
      return differs(separator, domainSeparator({ domain: { ...domain, chainId: id } }));
    });
  return Promise.all([
    checkServes(`the nodes serve chain ${id}`, id, urls),
    ...Object.entries(contracts).map(([name, address]) => checkCode(name, address, urls)),
    finding("USDG has six decimals", async () =>
      differs(await client.readContract({ abi, address: usdg, functionName: "decimals" }), 6),
    ),
    takesSignatures("USDG", { ...usdgDomain, verifyingContract: usdg }),
    takesSignatures("Permit2", { name: "Permit2", verifyingContract: permit2 }),
    finding("the exact proxy settles through Permit2", async () =>
      differs(
        (await client.readContract({ abi, address: exactProxy, functionName: "PERMIT2" })).toLowerCase(),
        permit2.toLowerCase(),
      ),
    ),
    finding("the identity registry hands out ERC-721 tokens", async () =>
      differs(
        await client.readContract({
          abi,
          address: identityRegistry,
          functionName: "supportsInterface",
          args: [erc721],
        }),
        true,
      ),
    ),
    finding("the reputation registry judges those identities", async () =>
      differs(
        (
          await client.readContract({ abi, address: reputationRegistry, functionName: "getIdentityRegistry" })
        ).toLowerCase(),
        identityRegistry.toLowerCase(),
      ),
    ),
    finding("the stocks' beacon has an implementation with code", async () => {
      const address = await client.readContract({
        abi,
        address: stocks.beacon,
        functionName: "implementation",
      });
      return (await client.getCode({ address })) === undefined ? "there is none" : undefined;
    }),
    ...stocks.feeds.map(({ token, feed }) =>
      finding(`the feed of ${token} answers with eight decimals`, async () =>
        differs(await client.readContract({ abi, address: feed, functionName: "decimals" }), 8),
      ),
    ),
  ]);
}

/** Whether nodes serve a chain. */
export function checkServes(what: string, id: number, urls: readonly string[]): Promise<Finding> {
  const client = createPublicClient({ transport: fallback(urls.map((url) => http(url))) });
  return finding(what, async () => differs(await client.getChainId(), id));
}

/** Whether a contract, whose name goes before, stands on the chain. */
export function checkCode(name: string, address: Address, urls: readonly string[]): Promise<Finding> {
  const client = createPublicClient({ transport: fallback(urls.map((url) => http(url))) });
  return finding(`${name} ${address} has code`, async () =>
    (await client.getCode({ address })) === undefined ? "there is none" : undefined,
  );
}

/** Whether a wallet, whose owner's name goes before, can pay for gas. Throws when the nodes do not say. */
export async function checkFunds(name: string, address: Address, urls: readonly string[]): Promise<Finding> {
  const client = createPublicClient({ transport: fallback(urls.map((url) => http(url))) });
  const balance = await client.getBalance({ address });
  return {
    what: `${name} is the wallet ${address} with ${formatEther(balance)} ETH`,
    fault: balance > 0n ? undefined : "it cannot pay for gas",
  };
}
