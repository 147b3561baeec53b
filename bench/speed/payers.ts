import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, x402Client, x402HTTPClient } from "@x402/fetch";
import { keccak256, stringToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { mainnet } from "../../core/chain/deployment.ts";
import { grantAll } from "./node.ts";

export type Method = "permit2" | "eip3009";

/** Where a server takes a payment, and what is asked for there. */
export type Till = { readonly url: string; readonly body: string };

/** A payment that waits to be sent. */
export type Order = { readonly till: Till; readonly headers: Readonly<Record<string, string>> };

/** How a payment ended: `undefined` for anything but a 200 that names its transaction. */
export type Outcome = {
  readonly status: number;
  readonly milliseconds: number;
  readonly txHash: string | undefined;
  /** What it was answered where it was not served. */
  readonly refusal: string | undefined;
};

/** USDG base units that every payer has. */
const purse = 5_000_000n;

const network = `eip155:${mainnet.chainId}` as const;
const json = { "content-type": "application/json" } as const;

let made = 0;

/** So many wallets that nobody has used, with USDG that Permit2 may move. */
export async function newPayers(rpcUrl: string, count: number): Promise<readonly PrivateKeyAccount[]> {
  const run = `${process.pid} ${performance.timeOrigin}`;
  const payers = Array.from({ length: count }, () =>
    privateKeyToAccount(keccak256(stringToHex(`a payer of the bench ${run} ${made++}`))),
  );
  await grantAll(
    rpcUrl,
    payers.map(({ address }) => address),
    purse,
  );
  return payers;
}

type Terms = Parameters<x402Client["createPaymentPayload"]>[0];

/** What a till offers, as the official client reads it; `undefined` where it does not offer the method. */
export async function termsOf(till: Till, method: Method): Promise<Terms | undefined> {
  const answer = await fetch(till.url, { method: "POST", headers: json, body: till.body });
  if (answer.status !== 402)
    throw new Error(`${till.url} offered no terms: ${answer.status} ${await answer.text()}`);
  const read = new x402HTTPClient(new x402Client());
  const terms = read.getPaymentRequiredResponse((name) => answer.headers.get(name), await answer.json());
  const [entry] = terms.accepts;
  return entry?.extra.assetTransferMethod === method ? terms : undefined;
}

/** Has the official client sign a payment for each payer, before anybody counts the time. */
export async function signAll(
  till: Till,
  terms: Terms,
  payers: readonly PrivateKeyAccount[],
): Promise<readonly Order[]> {
  const orders: Order[] = [];
  for (const payer of payers) {
    const client = new x402Client()
      .register(network, new ExactEvmScheme(payer))
      .setSpendControls({ allowedAssets: [{ network, asset: mainnet.contracts.usdg }] });
    const payload = await client.createPaymentPayload(terms);
    orders.push({ till, headers: new x402HTTPClient(client).encodePaymentSignatureHeader(payload) });
  }
  return orders;
}

/** Milliseconds after which a payer gives up: longer than any gateway waits. */
const patience = 30_000;

/** Sends one payment and waits for its answer. */
export async function send({ till, headers }: Order): Promise<Outcome> {
  const began = performance.now();
  const ended = (status: number, how: Pick<Outcome, "txHash" | "refusal">) => ({
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
      return ended(200, { txHash: transaction, refusal: undefined });
    }
    return ended(answer.status, {
      txHash: undefined,
      refusal: /"code":"(\w+)"/.exec(said)?.[1] ?? said.slice(0, 100),
    });
  } catch (error) {
    return ended(0, { txHash: undefined, refusal: `no answer: ${error}` });
  }
}
