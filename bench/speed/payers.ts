import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, x402Client, x402HTTPClient } from "@x402/fetch";
import { keccak256, stringToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { numberToHex } from "viem/utils";
import * as z from "zod";
import { mainnet } from "../../core/chain/deployment.ts";
import type { Address } from "../../core/chain/hex.ts";
import { callAll } from "../../local/devnet/deploy.ts";
import { callRpc, postRpc } from "../../local/devnet/node.ts";
import { type LocalServer, listen } from "../../local/stand-in.ts";
import { makeGrantCalls } from "../../tests/support/crowd.ts";

export type PayMethod = "permit2" | "eip3009";

/** The URL to which a payment is sent, and the body of the payment's request. */
export type PaymentTarget = { readonly url: string; readonly body: string };

/** A signed payment that waits to be sent. */
type SignedPayment = { readonly till: PaymentTarget; readonly headers: Readonly<Record<string, string>> };

/** The transaction of the payment; `undefined` unless the answer has the status 200 and names the transaction. */
export type PaymentOutcome = {
  readonly status: number;
  readonly milliseconds: number;
  readonly txHash: string | undefined;
  /** The server's refusal, if the payment failed. */
  readonly refusal: string | undefined;
};

/** The amount of USDG that every payer has, in base units. */
const purse = 5_000_000n;

const network = `eip155:${mainnet.chainId}` as const;
const json = { "content-type": "application/json" } as const;

let made = 0;

/** Makes new wallets with USDG that Permit2 is allowed to move. */
export async function makePayers(rpcUrl: string, count: number): Promise<readonly PrivateKeyAccount[]> {
  const run = `${process.pid} ${performance.timeOrigin}`;
  const payers = Array.from({ length: count }, () =>
    privateKeyToAccount(keccak256(stringToHex(`a payer of the bench ${run} ${made++}`))),
  );
  const grants = payers.flatMap(({ address }) => makeGrantCalls(address, purse));
  await retryOnce(() => callAll(rpcUrl, grants));
  return payers;
}

type Terms = Parameters<x402Client["createPaymentPayload"]>[0];

/**
 * Requests the payment terms from a server, and reads them with the official client. Throws Error if the first entry of the terms is for
 * another payment method.
 */
export async function fetchTerms(target: PaymentTarget, method: PayMethod): Promise<Terms> {
  const answer = await fetch(target.url, { method: "POST", headers: json, body: target.body });
  if (answer.status !== 402)
    throw new Error(`${target.url} offered no terms: ${answer.status} ${await answer.text()}`);
  const read = new x402HTTPClient(new x402Client());
  const terms = read.getPaymentRequiredResponse((name) => answer.headers.get(name), await answer.json());
  const [entry] = terms.accepts;
  if (entry?.extra.assetTransferMethod !== method) throw new Error(`${target.url} does not offer ${method}.`);
  return terms;
}

/** Lets the official client sign one payment for each payer, before the time is measured. */
export async function signAll(
  target: PaymentTarget,
  terms: Terms,
  payers: readonly PrivateKeyAccount[],
): Promise<readonly SignedPayment[]> {
  const signed: SignedPayment[] = [];
  for (const payer of payers) {
    const client = new x402Client()
      .register(network, new ExactEvmScheme(payer))
      .setSpendControls({ allowedAssets: [{ network, asset: mainnet.contracts.usdg }] });
    const payload = await client.createPaymentPayload(terms);
    signed.push({ till: target, headers: new x402HTTPClient(client).encodePaymentSignatureHeader(payload) });
  }
  return signed;
}

/** Milliseconds after which a payer stops waiting for an answer. A real gateway would stop waiting earlier than a payer of the bench. */
const patience = 30_000;

/** Sends one payment and waits for its answer. */
export async function sendPayment({ till, headers }: SignedPayment): Promise<PaymentOutcome> {
  const began = performance.now();
  const makeOutcome = (status: number, how: Pick<PaymentOutcome, "txHash" | "refusal">) => ({
    status,
    milliseconds: performance.now() - began,
    ...how,
  });
  try {
    const answer = await fetch(till.url, {
      method: "POST",
      headers: { ...json, ...headers },
      body: till.body,
      signal: AbortSignal.timeout(patience),
    });
    const said = await answer.text();
    const receipt = answer.headers.get("payment-response");
    if (answer.status === 200 && receipt !== null) {
      const { transaction } = decodePaymentResponseHeader(receipt);
      return makeOutcome(200, { txHash: transaction, refusal: undefined });
    }
    return makeOutcome(answer.status, {
      txHash: undefined,
      refusal: /"code":"(\w+)"/.exec(said)?.[1] ?? said.slice(0, 100),
    });
  } catch (error) {
    return makeOutcome(0, { txHash: undefined, refusal: `no answer: ${error}` });
  }
}

export type CountingNode = LocalServer & {
  /** Milliseconds by which every answer of the node is delayed, to imitate a distant node. */
  delay: number;
  /** The number of HTTP requests so far. One HTTP request may contain many calls. */
  trips: number;
};

/** Starts a proxy between the node and one of the servers. */
export async function startCountingNode(rpcUrl: string): Promise<CountingNode> {
  const server = createServer((request, response) => {
    const answer = async () => {
      node.trips += 1;
      const said = await postRpc(rpcUrl, await text(request));
      if (node.delay > 0) await sleep(node.delay);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(said);
    };
    // A busy machine may break a connection to the devnet. The server treats a broken connection as a fault of the node.
    answer().catch(() => response.destroy());
  });
  const node: CountingNode = { ...(await listen(server)), delay: 0, trips: 0 };
  return node;
}

/**
 * Sends a request a second time if the devnet closes an idle connection at the moment when the request is sent. A repeated request is
 * harmless, because its calls may safely run twice.
 */
function retryOnce<Value>(call: () => Promise<Value>): Promise<Value> {
  return call().catch(call);
}

/** An amount of wei that no bench can spend completely. */
const wealth = 10n ** 20n;

export async function fund(rpcUrl: string, wallets: readonly Address[]): Promise<void> {
  const balance = numberToHex(wealth);
  const calls = wallets.map((wallet) => ({ method: "anvil_setBalance", params: [wallet, balance] }));
  await retryOnce(() => callAll(rpcUrl, calls));
}

const Receipt = z.object({ gasUsed: z.string().transform(Number) });

export async function readGas(rpcUrl: string, hash: string): Promise<number> {
  return Receipt.parse(await retryOnce(() => callRpc(rpcUrl, "eth_getTransactionReceipt", [hash]))).gasUsed;
}

export function computeMedian(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
