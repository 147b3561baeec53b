import { createMCPClient } from "@ai-sdk/mcp";
import { wrap } from "@faremeter/fetch";
import { exact } from "@faremeter/payment-evm";
import { x402Client as AxiosClient, wrapAxiosWithPayment } from "@x402/axios";
import { ExactEvmScheme } from "@x402/evm";
import axios from "axios";
import type { HDAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { authorizationTypes } from "../../core/chain/eip3009.ts";
import { PaymentRequired } from "../../core/payment/schema.ts";
import { makePayingFetch } from "../../local/demo/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { authorize, readBalance, usdg } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

let press: { readonly pressId: number; readonly text: string };
/**
 * Runs other people's programs with wallets that have approved no contract. The clients that work without changes are tested in
 * guides.test.ts.
 */
const service = startPart(startTestService);
beforeAll(async () => {
  press = await publishDemoPress(service);
});

const network = "eip155:4663";
const legs = ["treasury", "publisher"] as const;

function makeRequest(): RequestInit {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify({ pressId: press.pressId }) };
}

const readUsdg = (account: HDAccount) => readBalance(service, account.address);

test("after a payment without an allowance, the first terms in the 402 answer can be paid at the address in those terms", async () => {
  const account = getTestAccount(6);
  const before = await readUsdg(account);
  const pay = makePayingFetch(account);
  const bought: unknown[] = [];
  for (const leg of legs) {
    const refused = await pay(`${service.origin}/api/pay/${leg}`, makeRequest());
    expect(refused.status).toBe(402);
    const body = await refused.text();
    const terms = PaymentRequired.parse(JSON.parse(body));
    expect(terms.code).toBe("permit2_allowance_required");
    expect(terms.accepts.map(({ extra }) => extra.assetTransferMethod)).toEqual(["eip3009", "permit2"]);
    expect(terms.resource.url).toBe(`${service.origin}/api/pay/${leg}?method=eip3009`);
    expect(refused.headers.get("payment-required")).toBe(Buffer.from(body).toString("base64"));
    if (leg === "treasury") expect(await readUsdg(account)).toBe(before);
    bought.push(await (await pay(terms.resource.url, makeRequest())).json());
  }
  expect(bought).toEqual([
    { paid: true, tx: expect.any(String) },
    { paid: true, tx: expect.any(String), body: press.text },
  ]);
});

test("an unchanged official client can sign the first entry of the 402 answer's terms", async () => {
  const account = getTestAccount(5);
  const client = new AxiosClient().register(network, new ExactEvmScheme(account));
  const api = axios.create({ baseURL: service.origin, validateStatus: () => true });
  const first = await wrapAxiosWithPayment(
    axios.create({ baseURL: service.origin, validateStatus: (status) => status < 400 }),
    client,
  )
    .post("/api/pay/treasury", { pressId: press.pressId })
    .catch((error: unknown) => (axios.isAxiosError(error) ? error.response : undefined));
  expect(first?.status).toBe(402);
  const payment = await client.createPaymentPayload(JSON.parse(JSON.stringify(first?.data)));
  const header = Buffer.from(JSON.stringify(payment)).toString("base64");
  const { status, data } = await api.post(
    "/api/pay/treasury",
    { pressId: press.pressId },
    { headers: { "payment-signature": header } },
  );
  expect([status, data]).toEqual([200, { paid: true, tx: expect.any(String) }]);
});

const Offer = z.looseObject({
  ...{ scheme: z.string(), network: z.string(), amount: z.string() },
  payTo: z.templateLiteral(["0x", z.string()]),
  extra: z.looseObject({ primaryType: z.string().optional() }),
});

/**
 * Does what `wrapFetchWithPayment` of thirdweb 5.121.6 does (dist/esm/x402: fetchWithPayment.js, common.js, sign.js). This function takes
 * the first offer on the wallet's chain, signs the type that `extra.primaryType` names, and sends `scheme` and `network` beside `accepted`.
 * The thirdweb package needs about 700 other packages and 1.1 GB, so it is not installed. In a manual run, the unmodified package made both
 * payments of a purchase.
 */
async function payLikeThirdweb(url: string, account: HDAccount): Promise<Response> {
  const asked = await fetch(url, makeRequest());
  const { accepts, resource } = z
    .object({ accepts: z.array(Offer), resource: z.object({ url: z.url() }) })
    .parse(JSON.parse(Buffer.from(asked.headers.get("payment-required") ?? "", "base64").toString()));
  const accepted = accepts.find((offer) => offer.network === network);
  if (accepted?.extra.primaryType !== "TransferWithAuthorization") {
    throw new Error("It would ask thirdweb's servers for the token's code.");
  }
  const { signature, said: authorization } = await authorize(account, accepted);
  const { scheme } = accepted;
  const payload = { signature, authorization };
  const payment = { x402Version: 2, scheme, network, accepted, resource, payload };
  const headers = {
    "content-type": "application/json",
    "PAYMENT-SIGNATURE": Buffer.from(JSON.stringify(payment)).toString("base64"),
    "Access-Control-Expose-Headers": "PAYMENT-RESPONSE",
  };
  return fetch(url, { ...makeRequest(), headers });
}

test("a client that signs the type named in extra.primaryType can buy at the address that offers only this type's payment method", async () => {
  const account = getTestAccount(8);
  const plain = payLikeThirdweb(`${service.origin}/api/pay/treasury`, account);
  await expect(plain).rejects.toThrow();
  for (const leg of legs) {
    const reply = await payLikeThirdweb(`${service.origin}/api/pay/${leg}?method=eip3009`, account);
    expect(await reply.json()).toMatchObject({
      paid: true,
      ...(leg === "publisher" && { body: press.text }),
    });
  }
});

test("a client that signs the Permit2 terms with EIP-3009 is told where to get the EIP-3009 terms, and is not charged", async () => {
  const account = getTestAccount(3);
  const before = await readUsdg(account);
  const types: Readonly<Record<string, typeof authorizationTypes.TransferWithAuthorization>> =
    authorizationTypes;
  const signer = {
    chain: { id: 4663, name: "Robinhood Chain" },
    address: account.address,
    account: {
      signTypedData: ({ domain, message }: { domain: object; message: Record<string, unknown> }) =>
        account.signTypedData({
          domain,
          types,
          primaryType: "TransferWithAuthorization",
          message,
        }),
    },
  };
  const asset = { address: usdg, contractName: "Global Dollar" };
  const pay = wrap(fetch, {
    handlers: [exact.createPaymentHandler(signer, { asset })],
    retryCount: 0,
    returnPaymentFailure: true,
  });
  const refused = await pay(`${service.origin}/api/pay/treasury`, makeRequest());
  expect(refused.status).toBe(402);
  const { code, error } = PaymentRequired.parse(await refused.json());
  expect(code).toBe("invalid_exact_evm_signature");
  expect(error).toContain("?method=eip3009");
  expect(await readUsdg(account)).toBe(before);
});

test("an agent of the AI SDK can list the tools, and gets payment terms when a call has no payment", async () => {
  const agent = await createMCPClient({ transport: { type: "http", url: `${service.origin}/mcp` } });
  try {
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toContain("buy_press");
    const call = { name: "buy_press", arguments: { id: press.pressId, maxPriceUsdg: "1", leg: "fee" } };
    expect(await agent.callTool(call)).toMatchObject({
      isError: true,
      structuredContent: {
        code: "payment_required",
        accepts: [{ extra: { assetTransferMethod: "eip3009" } }],
      },
    });
  } finally {
    await agent.close();
  }
});
