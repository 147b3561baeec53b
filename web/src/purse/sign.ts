import {
  type Chain,
  createClient,
  type Hex,
  hashMessage,
  hexToString,
  http,
  keccak256,
  serializeTransaction,
} from "viem";
import { estimateGas, getBalance, getGasPrice, getTransactionCount, sendRawTransaction } from "viem/actions";
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
 * PurseProblem, WalletProblem `ether`, and viem's errors if the chain does not answer.
 */
export async function sendCall(
  purse: Purse,
  rules: SigningRules,
  shown: ShownRequest | undefined,
  request: unknown,
  { chain, relay }: { readonly chain: Chain; readonly relay: string },
): Promise<Hex> {
  const call = allowCall(request, rules, shown);
  const client = createClient({ chain, transport: http(relay, { batch: true, retryCount: 1 }) });
  const [estimate, price, nonce, balance] = await Promise.all([
    estimateGas(client, { account: purse.address, ...call }),
    getGasPrice(client),
    getTransactionCount(client, { address: purse.address, blockTag: "pending" }),
    getBalance(client, { address: purse.address }),
  ]);
  const { most, isScarce, limits } = computeGasLimits(estimate, price, balance);
  if (most > balance && !isScarce) throw makeEtherProblem(most - balance, chain, purse.address);
  const transaction = {
    ...call,
    type: "eip1559",
    chainId: chain.id,
    nonce,
    ...limits,
    maxPriorityFeePerGas: 0n,
  } as const;
  const digest = keccak256(serializeTransaction(transaction));
  const signed = await runWithKey(purse, (key) =>
    serializeTransaction(transaction, signToParts(key, digest)),
  );
  return sendRawTransaction(client, { serializedTransaction: signed });
}
