import { encodeFunctionData, erc20Abi, type LocalAccount, maxUint256, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect } from "vitest";
import * as z from "zod";
import { mainnet } from "../../../core/chain/deployment.ts";
import { AddressInput } from "../../../core/chain/hex.ts";
import { approvePermit2, makePayingFetch, makeRelayClient, makeWallet } from "../../../local/demo/index.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { type Answer, ask } from "./ask.ts";
import { chain, service } from "./service.ts";

export type PayPath = "treasury" | "publisher";

/** The fields of a 402 answer (specification §4.4). */
export const Terms = z.object({
  x402Version: z.literal(2),
  error: z.string(),
  accepts: z.tuple(
    [
      z.object({
        scheme: z.literal("exact"),
        network: z.string(),
        amount: z.string(),
        asset: AddressInput,
        payTo: AddressInput,
        maxTimeoutSeconds: z.int(),
        extra: z.object({
          assetTransferMethod: z.literal("permit2"),
          spender: AddressInput,
          name: z.literal("USDG"),
        }),
      }),
    ],
    z.unknown(),
  ),
  resource: z.object({ url: z.string() }),
});
export type TermsEntry = z.infer<typeof Terms>["accepts"][0];

/** Sends a request to a payment endpoint, with or without a payment header. */
export function sendPayRequest(leg: PayPath, pressId: number, header?: string, name = "payment-signature") {
  const headers = header === undefined ? {} : { [name]: header };
  return ask(`/api/pay/${leg}`, { body: { pressId }, headers });
}

/** The terms of one leg, which the service returns to a request that contains no payment. */
export async function requestTerms(leg: PayPath, pressId: number): Promise<z.infer<typeof Terms>> {
  const { status, body } = await sendPayRequest(leg, pressId);
  expect(status).toBe(402);
  return Terms.parse(body);
}

export async function requestEntry(leg: PayPath, pressId: number): Promise<TermsEntry> {
  return (await requestTerms(leg, pressId)).accepts[0];
}

/** Makes a new wallet that holds two dollars of USDG and approves Permit2 through the RPC relay, as readers do. */
export async function makeReaderByRelay(): Promise<LocalAccount> {
  const client = makeRelayClient((await service()).origin);
  const account = await makeWallet(client, 2_000_000n);
  await approvePermit2(client, account);
  return account;
}

const funder = getTestAccount(9);

/**
 * Makes a new wallet that approves Permit2 directly through the node, because the RPC relay limits how many wallets may approve from one
 * address.
 */
export async function makeReader(usdg = 2_000_000n): Promise<LocalAccount> {
  const node = await chain();
  const account = privateKeyToAccount(generatePrivateKey());
  const { usdg: to, permit2 } = mainnet.contracts;
  const transfer = { abi: erc20Abi, functionName: "transfer", args: [account.address, usdg] } as const;
  const approve = { abi: erc20Abi, functionName: "approve", args: [permit2, maxUint256] } as const;
  await node.setBalance({ address: account.address, value: parseEther("0.05") });
  await node.sendTransactionSync({ account: funder, to, data: encodeFunctionData(transfer) });
  await node.sendTransactionSync({ account, to, data: encodeFunctionData(approve) });
  return account;
}

/** Pays one leg of a purchase with the official client. */
export async function payWithClient(account: LocalAccount, leg: PayPath, pressId: number): Promise<Answer> {
  const response = await makePayingFetch(account)(`${(await service()).origin}/api/pay/${leg}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pressId }),
  });
  const text = await response.text();
  const body: unknown = JSON.parse(text);
  return { status: response.status, headers: response.headers, body, text };
}

/** Makes a whole purchase with the official client. */
export async function buy(account: LocalAccount, pressId: number) {
  const fee = await payWithClient(account, "treasury", pressId);
  const publisher = await payWithClient(account, "publisher", pressId);
  expect([fee.status, publisher.status]).toEqual([200, 200]);
  return { fee, publisher };
}

/** Decodes the JSON in a header of the x402 protocol. */
export function decodeHeader(header: string | null): unknown {
  return JSON.parse(Buffer.from(header ?? "", "base64").toString());
}
