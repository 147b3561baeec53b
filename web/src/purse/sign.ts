import {
  type Chain,
  type Client,
  createClient,
  type Hex,
  HttpRequestError,
  hashMessage,
  hexToString,
  http,
  keccak256,
  RpcError,
  RpcRequestError,
  serializeTransaction,
} from "viem";
import { estimateGas, getBalance, getGasPrice, getTransactionCount, sendRawTransaction } from "viem/actions";
import * as z from "zod";
import { HashForm } from "../api/request.ts";
import { computeGasLimits, makeEtherProblem } from "../wallet/ether.ts";
import { allowCall, allowSignIn, allowTransfer, type ShownRequest, type SigningRules } from "./allow.ts";
import type { SigningSet } from "./connector.ts";
import { signDigest, signToParts } from "./key.ts";
import { PurseProblem } from "./passkey.ts";
import { type Purse, runWithKey } from "./purse.ts";

/** Signs this site's sign-in message and no other text. Throws PurseProblem. */
export async function signText(purse: Purse, rules: SigningRules, message: Hex): Promise<Hex> {
  allowSignIn(hexToString(message), rules);
  const digest = hashMessage({ raw: message });
  return runWithKey(purse, (key) => signDigest(key, digest));
}

/**
 * Signs a payment or a transfer that was shown. The first request signs all shown messages with one gesture, and each signature is returned
 * once. Throws PurseProblem.
 */
export async function signTypedMessage(
  purse: Purse,
  rules: SigningRules,
  table: SigningSet,
  typedData: unknown,
): Promise<Hex> {
  const digest = allowTransfer(typedData, rules, table.shown);
  const digests = table.typed.map((each) => allowTransfer(each, rules, table.shown));
  if (!digests.includes(digest) || table.taken.has(digest)) throw new PurseProblem("refused");
  table.taken.add(digest);
  table.signatures ??= runWithKey(
    purse,
    (key) => new Map(digests.map((each) => [each, signDigest(key, each)])),
  );
  const signature = (await table.signatures).get(digest);
  if (signature === undefined) throw new PurseProblem("refused");
  return signature;
}

/**
 * Sends an allowed transaction from the purse. This function sets the gas price, and ignores the gas values in the request. Throws
 * PurseProblem, WalletProblem `ether`, and viem's errors if the transaction was not sent.
 */
export async function sendCall(
  purse: Purse,
  rules: SigningRules,
  shown: ShownRequest | undefined,
  request: unknown,
  { chain, relay }: { readonly chain: Chain; readonly relay: string },
): Promise<Hex> {
  const call = allowCall(request, rules, shown);
  // The relay may need twenty seconds, because it repeats a broadcast that got no answer.
  const transport = http(relay, { batch: true, retryCount: 1, timeout: 25_000 });
  const client = createClient({ chain, transport });
  const [estimate, price, nonce, balance] = await Promise.all([
    estimateGas(client, { account: purse.address, ...call }),
    getGasPrice(client),
    getTransactionCount(client, { address: purse.address, blockTag: "pending" }),
    getBalance(client, { address: purse.address }),
  ]);
  const { most, isScarce, limits } = computeGasLimits(estimate, price, balance);
  if (most > balance && !isScarce) throw makeEtherProblem(most - balance, chain, purse.address);
  const transaction = { ...call, type: "eip1559", chainId: chain.id, nonce, ...limits } as const;
  const digest = keccak256(serializeTransaction(transaction));
  const signed = await runWithKey(purse, (key) =>
    serializeTransaction(transaction, signToParts(key, digest)),
  );
  return broadcast(client, signed);
}

/** The milliseconds before a transaction is sent again. */
const resendPause = 2_000;

/**
 * Sends a signed transaction, and returns its hash. If only the answer was lost, the chain may have the transaction, and another
 * transaction could be a second mint or vote. So the same bytes are sent once more, and the hash is returned even if there is still no
 * answer. Throws viem's errors if the transaction was not sent.
 */
async function broadcast(client: Client, signed: Hex): Promise<Hex> {
  const send = () => sendRawTransaction(client, { serializedTransaction: signed });
  try {
    return await send();
  } catch (error) {
    if (isUnsent(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, resendPause));
    // A node that already has the transaction may refuse the same bytes, so a refusal proves nothing now.
    return send().catch(() => keccak256(signed));
  }
}

/** The relay's error if it does not know whether the transaction was sent. */
const UnclearError = z.object({ cause: z.object({ data: z.object({ transactionHash: HashForm }) }) });

/** Whether the error of a first broadcast proves that no node has the transaction. */
function isUnsent(error: unknown): boolean {
  if (error instanceof HttpRequestError) return error.status !== undefined && error.status < 500;
  const isRefusal = error instanceof RpcError || error instanceof RpcRequestError;
  return isRefusal && !UnclearError.safeParse(error).success;
}
