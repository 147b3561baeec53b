import type { Press } from "../../../core/press/schema.ts";
import type { Discovery } from "../api/discovery.ts";

/** What the programs below need, as a shell command. */
export const install = "npm install @x402/fetch@2.27.0 @x402/evm@2.27.0 viem@2";

/** What the program for axios needs instead of `@x402/fetch`. */
export const installAxios = "npm install @x402/axios@2.11.0 @x402/evm@2.27.0 axios@1 viem@2";

type Sold = Pick<Press, "pressId" | "priceUnits">;

/** How the payer signs: USDG's own transfer (EIP-3009) takes no ETH and no approval before it. */
type Method = "eip3009" | "permit2";

/** Both legs' addresses. The first offer is by Permit2, so the other method has to be asked for. */
function legs({ endpoints: { payFee, payPublisher } }: Discovery, method: Method): string {
  const query = method === "eip3009" ? "?method=eip3009" : "";
  return [payFee.url, payPublisher.url].map((url) => `\n  ${JSON.stringify(url + query)},`).join("");
}

/**
 * A whole program that pays for a press with the official x402 client and prints its text. The tests run it.
 *
 * The client refuses tokens that it does not know, hence the spend control; its cap is the price of the press.
 */
export function payProgram(press: Sold, service: Discovery, method: Method): string {
  const { network } = service;
  return `import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const network = ${JSON.stringify(network.caip2)};
const asset = ${JSON.stringify(network.asset.address)};
const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const client = new x402Client()
  .register(network, new ExactEvmScheme(account))
  .setSpendControls({
    allowedAssets: [{ network, asset, maxAmountPerPayment: "${press.priceUnits}" }],
  });
const payingFetch = wrapFetchWithPayment(fetch, client);

for (const url of [${legs(service, method)}
]) {
  const reply = await payingFetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pressId: ${press.pressId} }),
  });
  const answer = await reply.json();
  if (!answer.paid) throw new Error(answer.error);
  if (answer.body) console.log(answer.body);
}
`;
}

/** The same for axios, whose client takes any token and any amount unless a policy says otherwise. The tests run it. */
export function axiosProgram(press: Sold, service: Discovery): string {
  const { network } = service;
  return `import { wrapAxiosWithPayment, x402Client } from "@x402/axios";
import { ExactEvmScheme } from "@x402/evm";
import axios from "axios";
import { privateKeyToAccount } from "viem/accounts";

const network = ${JSON.stringify(network.caip2)};
const asset = ${JSON.stringify(network.asset.address)};
const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const isFair = (offer) =>
  offer.network === network && offer.asset === asset && BigInt(offer.amount) <= ${press.priceUnits}n;
const client = new x402Client()
  .register(network, new ExactEvmScheme(account))
  .registerPolicy((version, offers) => offers.filter(isFair));
const validateStatus = (status) => status !== 402; // other answers say what is wrong
const payingAxios = wrapAxiosWithPayment(axios.create({ validateStatus }), client);

for (const url of [${legs(service, "eip3009")}
]) {
  const { data } = await payingAxios.post(url, { pressId: ${press.pressId} });
  if (!data.paid) throw new Error(data.error);
  if (data.body) console.log(data.body);
}
`;
}

/** A whole program that lets Permit2 move the wallet's USDG: for payments by Permit2, once a wallet. */
export function approveProgram({ network }: Discovery, origin: string): string {
  const rpc = JSON.stringify(`${origin}/api/rpc`);
  return `import { createPermit2ApprovalTx } from "@x402/evm";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const transport = http(${rpc});
const pollingInterval = 500;
const wallet = createWalletClient({ account, transport, pollingInterval }).extend(publicActions);
const asset = ${JSON.stringify(network.asset.address)};
const approval = createPermit2ApprovalTx(asset);
const hash = await wallet.sendTransaction({ ...approval, chain: null });
const receipt = await wallet.waitForTransactionReceipt({ hash });
console.log(receipt.status);
`;
}

/** Reading with curl: the list, one press, and the terms of a payment (status 402). */
export function curlExamples(origin: string, press: Pick<Press, "slug" | "pressId" | "stock">) {
  return {
    list: `curl '${origin}/api/presses?stock=${encodeURIComponent(press.stock)}'`,
    detail: `curl ${origin}/api/presses/${encodeURIComponent(press.slug)}`,
    terms: `curl -i ${origin}/api/pay/treasury \\
  -H 'content-type: application/json' \\
  -d '{"pressId":${press.pressId}}'`,
  } as const;
}
