import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  domainSeparator,
  fallback,
  formatEther,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
  type TypedDataDomain,
  zeroAddress,
  zeroHash,
} from "viem";
import { usdgDomain } from "../../core/chain/deployment.ts";
import type { Address } from "../../core/chain/hex.ts";
import type { ChainSettings } from "../chains.ts";
import { differs, type Finding, failing, finding } from "./finding.ts";

const abi = parseAbi([
  "function decimals() view returns (uint8)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function PERMIT2() view returns (address)",
  "function supportsInterface(bytes4) view returns (bool)",
  "function getIdentityRegistry() view returns (address)",
  "function implementation() view returns (address)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  // They change the chain when they are sent; here they are only tried.
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) view",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature) view",
  "error AuthorizationExpired()",
]);

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
  const endOf = (args: Parameters<typeof tryTransfer>[2]) => tryTransfer(client, usdg, args);
  return Promise.all([
    checkServes(`the nodes serve chain ${id}`, id, urls),
    ...Object.entries(contracts).map(([name, address]) => checkCode(name, address, urls)),
    finding("USDG has six decimals", async () =>
      differs(await client.readContract({ abi, address: usdg, functionName: "decimals" }), 6),
    ),
    takesSignatures("USDG", { ...usdgDomain, verifyingContract: usdg }),
    finding("USDG says which authorizations are spent", async () =>
      differs(
        await client.readContract({
          abi,
          address: usdg,
          functionName: "authorizationState",
          args: [zeroAddress, zeroHash],
        }),
        false,
      ),
    ),
    finding("USDG transfers by authorization (EIP-3009)", async () =>
      differs(await endOf([...never, 27, zeroHash, zeroHash]), expired),
    ),
    signaturesOfAnyLength(() => endOf([...never, "0x"])),
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

/** An authorization that ended when the epoch began. Every token that has the function refuses it for that. */
const never = [zeroAddress, zeroAddress, 0n, 0n, 0n, zeroHash] as const;
const expired = "AuthorizationExpired";

/** How a call of one of the two forms of `transferWithAuthorization` ends: by its error's name or selector. */
async function tryTransfer(
  client: PublicClient,
  address: Address,
  args: readonly [...typeof never, number, Hex, Hex] | readonly [...typeof never, Hex],
): Promise<string> {
  try {
    await client.readContract({ abi, address, functionName: "transferWithAuthorization", args });
    return "no error";
  } catch (error) {
    const revert =
      error instanceof BaseError
        ? error.walk((cause) => cause instanceof ContractFunctionRevertedError)
        : undefined;
    if (!(revert instanceof ContractFunctionRevertedError)) throw error;
    return revert.data?.errorName ?? revert.signature ?? "a revert without a name";
  }
}

/** Never a fault of its own: an older USDG has not this form, and contract wallets with longer signatures pay by Permit2. */
async function signaturesOfAnyLength(end: () => Promise<string>): Promise<Finding> {
  const [found] = await failing("USDG takes authorizations with signatures of any length", async () => {
    const takes = (await end()) === expired;
    const what = takes
      ? "USDG takes authorizations with signatures of any length"
      : "USDG takes authorizations with signatures of 65 bytes only";
    return [{ what, fault: undefined }];
  });
  return found;
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
