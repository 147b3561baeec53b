import { expect } from "vitest";
import * as z from "zod";
import { mainnet } from "../../../core/chain/deployment.ts";
import { lower } from "../../../core/chain/hex.ts";
import { prove, proveEach } from "../holds.ts";
import { wire } from "../world/ask.ts";
import { writer } from "../world/desk.ts";
import { decodeHeader, sendPayRequest, Terms, type TermsEntry } from "../world/purse.ts";
import { makeOnce } from "../world/scene.ts";
import { chain, service } from "../world/service.ts";
import { readToken } from "../world/token.ts";
import { fee, press, purchase, rest, treasury } from "./purchase-scene.ts";

/** The 402 answers of both payment endpoints, as the service has sent them. */
const refusals = makeOnce(async () => {
  const { pressId } = await press();
  return { fee: await sendPayRequest("treasury", pressId), rest: await sendPayRequest("publisher", pressId) };
});

const Accepts = z.object({ accepts: z.array(z.record(z.string(), z.unknown())) });

prove("4.4 terms", async () => {
  for (const { status, headers, body } of Object.values(await refusals())) {
    expect(status).toBe(402);
    expect(decodeHeader(headers.get("payment-required"))).toEqual(body);
  }
});

prove("4.4 terms.x402Version", async () => {
  for (const { body } of Object.values(await refusals())) expect(body).toMatchObject({ x402Version: 2 });
});

prove("4.4 terms.error", async () => {
  for (const { body } of Object.values(await refusals())) {
    expect(body).toMatchObject({ error: expect.stringMatching(/Payment required/) });
  }
});

prove("4.4 terms.accepts[]", async () => {
  for (const { body } of Object.values(await refusals())) {
    const [entry, ...others] = Accepts.parse(body).accepts;
    // The specified payment method (Permit2) comes first. The second method is EIP-3009, for wallets without ETH.
    expect(others).toMatchObject([{ extra: { assetTransferMethod: "eip3009" } }]);
    expect(Object.keys(entry ?? {}).toSorted()).toEqual([
      "amount",
      "asset",
      "extra",
      "maxTimeoutSeconds",
      "network",
      "payTo",
      "scheme",
    ]);
  }
});

/** The terms' entry for the fee and the terms' entry for the publisher. */
async function readTermsEntries(): Promise<readonly [TermsEntry, TermsEntry]> {
  const { terms } = await purchase();
  return [terms.fee, terms.rest];
}

proveEach<(entry: TermsEntry) => unknown>(
  {
    "4.4 terms.accepts[].scheme": ({ scheme }) => expect(scheme).toBe("exact"),
    "4.4 terms.accepts[].network": ({ network }) => expect(network).toBe("eip155:4663"),
    "4.4 terms.accepts[].maxTimeoutSeconds": (entry) => expect(entry.maxTimeoutSeconds).toBe(300),
    "4.4 terms.accepts[].extra.assetTransferMethod": ({ extra }) =>
      expect(extra.assetTransferMethod).toBe("permit2"),
    "4.4 terms.accepts[].extra.name": ({ extra }) => expect(extra.name).toBe("USDG"),
  },
  async (check) => {
    for (const entry of await readTermsEntries()) check(entry);
  },
);

prove("4.4 terms.accepts[].amount", async () => {
  expect((await readTermsEntries()).map(({ amount }) => amount)).toEqual([String(fee), String(rest)]);
});

prove("4.4 terms.accepts[].asset", async () => {
  for (const { asset } of await readTermsEntries())
    expect(await readToken(asset)).toEqual({ symbol: "USDG", decimals: 6 });
});

prove("4.4 terms.accepts[].payTo", async () => {
  for (const { payTo } of await readTermsEntries()) expect(payTo).toMatch(wire.address);
  expect((await readTermsEntries()).map(({ payTo }) => lower(payTo))).toEqual([
    lower(treasury),
    lower(writer.address),
  ]);
});

prove("4.4 terms.accepts[].extra.spender", async () => {
  const client = await chain();
  for (const { extra } of await readTermsEntries()) {
    expect((await client.getCode({ address: extra.spender }))?.length).toBeGreaterThan(100);
  }
});

prove("4.4 terms.resource", async () => {
  const { origin } = await service();
  const { fee, rest } = await refusals();
  expect(fee.body).toMatchObject({ resource: { url: `${origin}/api/pay/treasury` } });
  expect(rest.body).toMatchObject({ resource: { url: `${origin}/api/pay/publisher` } });
});

prove("4.4 token", async () => {
  const [first, second] = await readTermsEntries();
  expect(lower(first.asset)).toBe(mainnet.contracts.usdg);
  expect(second.asset).toBe(first.asset);
});

prove("7 402 pay/*", async () => {
  const { fee, rest } = await refusals();
  for (const { status, body } of [fee, rest]) {
    expect(status).toBe(402);
    expect(Terms.safeParse(body).success).toBe(true);
  }
});

prove("9 payment protocol", async () => {
  for (const { scheme, extra } of await readTermsEntries()) {
    expect([scheme, extra.assetTransferMethod]).toEqual(["exact", "permit2"]);
  }
  expect((await refusals()).fee.body).toMatchObject({ x402Version: 2 });
});
