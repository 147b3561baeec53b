import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  domainSeparator,
  fallback,
  formatEther,
  type Hex,
  HttpRequestError,
  type HttpTransportConfig,
  http,
  numberToHex,
  type PublicClient,
  parseAbi,
  type TypedDataDomain,
  withRetry,
  zeroAddress,
  zeroHash,
} from "viem";
import { getHttpRpcClient } from "viem/utils";
import { usdgDomain } from "../../core/chain/deployment.ts";
import { type Address, lower } from "../../core/chain/hex.ts";
import type { ChainSettings, Nodes } from "../chains.ts";
import type { StageSettings } from "../stages.ts";
import { checkValue, type Finding, reportCheck, runCheck } from "./finding.ts";

const abi = parseAbi([
  "function decimals() view returns (uint8)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function PERMIT2() view returns (address)",
  "function supportsInterface(bytes4) view returns (bool)",
  "function getIdentityRegistry() view returns (address)",
  "function implementation() view returns (address)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  // Transactions that call these functions would change the chain, but the check only simulates the transactions.
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) view",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature) view",
  "error AuthorizationExpired()",
]);

/** ERC-721, the token standard of the identity registry. */
const erc721 = "0x80ac58cd";

/**
 * Checks whether the nodes serve the chain of the settings, and whether each contract has code on this chain and answers as the service
 * expects. The check changes nothing. `urls` are the addresses of the nodes, with the preferred node first.
 */
export async function checkChain(
  { id, contracts, stocks }: ChainSettings,
  urls: readonly string[],
): Promise<readonly Finding[]> {
  const client = openClient(urls);
  const { usdg, permit2, exactProxy, identityRegistry, reputationRegistry } = contracts;
  const { readContract } = client;
  const takesSignatures = (name: string, domain: TypedDataDomain & { readonly verifyingContract: Address }) =>
    checkValue(
      `${name} takes signatures for this chain`,
      domainSeparator({ domain: { ...domain, chainId: id } }),
      () => readContract({ abi, address: domain.verifyingContract, functionName: "DOMAIN_SEPARATOR" }),
    );
  const tryUsdgTransfer = (args: Parameters<typeof tryTransfer>[2]) => tryTransfer(client, usdg, args);
  return Promise.all([
    checkChainId(`the nodes serve chain ${id}`, id, urls),
    ...Object.entries(contracts).map(([name, address]) => checkCode(name, address, urls)),
    checkValue("USDG has six decimals", 6, () =>
      readContract({ abi, address: usdg, functionName: "decimals" }),
    ),
    takesSignatures("USDG", { ...usdgDomain, verifyingContract: usdg }),
    checkValue("USDG tells which authorizations are used", false, () => {
      const args = [zeroAddress, zeroHash] as const;
      return readContract({ abi, address: usdg, functionName: "authorizationState", args });
    }),
    checkValue("USDG transfers by authorization (EIP-3009)", expired, () =>
      tryUsdgTransfer([...never, 27, zeroHash, zeroHash]),
    ),
    checkSignatureLengths(() => tryUsdgTransfer([...never, "0x"])),
    takesSignatures("Permit2", { name: "Permit2", verifyingContract: permit2 }),
    checkValue("the exact proxy settles through Permit2", lower(permit2), async () =>
      lower(await readContract({ abi, address: exactProxy, functionName: "PERMIT2" })),
    ),
    checkValue("the identity registry hands out ERC-721 tokens", true, () =>
      readContract({ abi, address: identityRegistry, functionName: "supportsInterface", args: [erc721] }),
    ),
    checkValue("the reputation registry judges those identities", lower(identityRegistry), async () =>
      lower(await readContract({ abi, address: reputationRegistry, functionName: "getIdentityRegistry" })),
    ),
    runCheck("the stocks' beacon has an implementation with code", async () => {
      const address = await readContract({ abi, address: stocks.beacon, functionName: "implementation" });
      return (await client.getCode({ address })) === undefined ? "there is none" : undefined;
    }),
    ...stocks.feeds.map(({ token, feed }) =>
      checkValue(`the feed of ${token} answers with eight decimals`, 8, () =>
        readContract({ abi, address: feed, functionName: "decimals" }),
      ),
    ),
  ]);
}

/**
 * A payment authorization that expired at Unix time 0. Every token that has the function `transferWithAuthorization` refuses this
 * authorization as expired.
 */
const never = [zeroAddress, zeroAddress, 0n, 0n, 0n, zeroHash] as const;
const expired = "AuthorizationExpired";

/** Calls one of the two forms of `transferWithAuthorization`, and returns the name or selector of the error that the call causes. */
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

/**
 * An older version of USDG accepts only signatures of 65 bytes. The check does not report this limit as a fault, because contract wallets
 * with longer signatures can pay by Permit2.
 */
function checkSignatureLengths(readFailure: () => Promise<string>): Promise<Finding> {
  const what = "USDG accepts authorizations with signatures of any length";
  return reportCheck(what, async () =>
    (await readFailure()) === expired ? what : "USDG accepts only authorizations with signatures of 65 bytes",
  );
}

/**
 * Each request uses a new connection, because nodes close idle connections without notice, and a request on a closed connection is lost.
 */
const ownConnection = { connection: "close" };

/** A client of the nodes at the given addresses, with the preferred node first. */
export function openClient(urls: readonly string[], options: HttpTransportConfig = {}) {
  const transport = { ...options, fetchOptions: { headers: ownConnection } };
  return createPublicClient({ transport: fallback(urls.map((url) => http(url, transport))) });
}

/** Checks that the nodes at `urls` serve the chain with the number `id`. */
function checkChainId(what: string, id: number, urls: readonly string[]): Promise<Finding> {
  return checkValue(what, id, openClient(urls).getChainId);
}

/** Checks that a contract exists on the chain. `name` is the contract's name in the report. */
export function checkCode(name: string, address: Address, urls: readonly string[]): Promise<Finding> {
  const client = openClient(urls);
  return runCheck(`${name} ${address} has code`, async () =>
    (await client.getCode({ address })) === undefined ? "there is none" : undefined,
  );
}

/** Checks that a wallet can pay for gas. `name` is the wallet's name in the report. Throws when the nodes do not answer. */
export async function checkFunds(name: string, address: Address, urls: readonly string[]): Promise<Finding> {
  const balance = await openClient(urls).getBalance({ address });
  return {
    what: `${name} is the wallet ${address} with ${formatEther(balance)} ETH`,
    fault: balance > 0n ? undefined : "it cannot pay for gas",
  };
}

/** The addresses of the nodes that the service uses for everything except the RPC relay. Throws the errors of `readNodeUrls`. */
export function readNodes({ region, chain: { rpc } }: StageSettings): Promise<readonly string[]> {
  return readNodeUrls(region, rpc);
}

/**
 * The addresses of nodes, with the preferred address first; addresses in a secret are read with the caller's own permissions. Throws an
 * Error that names the secret if the secret is missing or contains no addresses.
 */
export async function readNodeUrls(region: string, nodes: Nodes): Promise<readonly string[]> {
  if ("urls" in nodes) return nodes.urls;
  const { secretName } = nodes;
  const read = new GetSecretValueCommand({ SecretId: secretName });
  const { SecretString = "" } = await new SecretsManagerClient({ region }).send(read);
  const urls = SecretString.split(",").map((url) => url.trim());
  if (!urls.every((url) => URL.canParse(url))) {
    throw new Error(`The secret ${secretName} does not contain a list of addresses, separated by commas`);
  }
  return urls;
}

/**
 * The sizes of the service's largest requests to a node: the number of calls in one batch, and the number of blocks in one call for logs.
 */
const batchSize = 20;
const window = 5_000;

/** keccak256("Transfer(address,address,uint256)"). */
const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

type NodeCall = { readonly method: string; readonly params: readonly unknown[] };

/**
 * Checks whether a node serves a chain and accepts the service's requests: batches of many calls, logs of many blocks, and the call that
 * sends a transaction and waits for its receipt (EIP-7966). If the node does not know `eth_sendRawTransactionSync`, payments poll for the
 * receipt. The check changes nothing. The check requests the transfer logs of the contract `usdg`.
 */
export async function checkNode(
  name: string,
  url: string,
  { id, usdg }: { readonly id: number; readonly usdg: Address },
): Promise<readonly Finding[]> {
  const serves = await checkChainId(`${name} serves chain ${id}`, id, [url]);
  if (serves.fault !== undefined) return [serves];
  return [
    serves,
    await runCheck(`${name} answers ${batchSize} calls at once`, async () => {
      const calls = Array.from({ length: batchSize }, (_, id) => ({
        id,
        method: "eth_getBalance",
        params: [numberToHex(id + 1, { size: 20 }), "latest"],
      }));
      // A node may refuse the whole batch of calls with a single error object instead of a list of answers.
      const replies = [await postCall(url, calls)].flat();
      const refused = replies.find(({ error }) => error !== undefined)?.error;
      if (refused !== undefined) return `${refused.code} ${refused.message}`;
      return replies.length === batchSize ? undefined : `it answers ${replies.length} of them`;
    }),
    await runCheck(`${name} tells the logs of ${window} blocks`, async () => {
      const head = Number(await openClient([url]).getBlockNumber());
      const [fromBlock, toBlock] = [Math.max(0, head - window + 1), head].map((block) => numberToHex(block));
      const filter = { address: usdg, fromBlock, toBlock, topics: [transfer, null, zeroHash] };
      const { result, error } = await postCall(url, { method: "eth_getLogs", params: [filter] });
      if (error !== undefined) return `${error.code} ${error.message}`;
      return Array.isArray(result) ? undefined : "its answer is no list";
    }),
    await checkSyncSend(name, url),
  ];
}

/**
 * Checks whether a node knows `eth_sendRawTransactionSync`. If a node does not know this method, the check reports no fault, because the
 * service then polls for receipts. The bytes that the check sends are not a transaction.
 */
function checkSyncSend(name: string, url: string): Promise<Finding> {
  const method = "eth_sendRawTransactionSync";
  return reportCheck(`${name} knows ${method}`, async () => {
    const asked = await fetchRefusal(url, method);
    const plain = await fetchRefusal(url, "eth_sendRawTransaction");
    const unknown = await fetchRefusal(url, "eth_sendRawTransactionNobodyHas");
    const knows = asked !== undefined && asked.code === plain?.code && asked.words !== unknown?.words;
    return knows ? `${name} knows ${method}` : `${name} does not know ${method}: payments poll for receipts`;
  });
}

/**
 * A node's error message for bytes that are not a transaction. The method's name is removed from the message. Error messages for unknown
 * methods differ from node to node. A node knows a method if it refuses the method with the same error code as `eth_sendRawTransaction`,
 * and refuses an invented method with another code or message.
 */
async function fetchRefusal(url: string, method: string) {
  // HTTP 403 or 405, or plain text, means that the node does not accept the call.
  const { error } = (await postCall(url, { method, params: ["0x"] }).catch(() => undefined)) ?? {};
  return error && { code: error.code, words: `${error.code} ${error.message.replaceAll(method, "")}` };
}

/** Sends a request up to three times, with one second between the tries, because public nodes limit requests. */
function postCall<Body extends NodeCall | NodeCall[]>(url: string, body: Body) {
  const client = getHttpRpcClient(url, { fetchOptions: { headers: ownConnection } });
  const shouldRetry = ({ error }: { readonly error: Error }) =>
    error instanceof HttpRequestError && error.status === 429;
  return withRetry(() => client.request({ body }), { delay: 1_000, retryCount: 2, shouldRetry });
}
