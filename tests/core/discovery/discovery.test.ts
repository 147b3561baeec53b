import { isAddress } from "viem/utils";
import { expect, test } from "vitest";
import { document, linkHeader, links } from "../../../core/discovery/index.ts";
import { DiscoveryDocument } from "../../../core/discovery/schema.ts";
import { routes } from "../../../functions/routes.ts";
import { settings } from "../session/settings.ts";

const signer = {
  address: "0x627306090abaB3A6e1400e9345bC60c78a8BEf57",
  kid: "did:pkh:eip155:1:0x627306090abaB3A6e1400e9345bC60c78a8BEf57",
};
const shown = document(settings, signer);

test("the discovery document has the specified keys, the registries and links to the other documents", () => {
  const specified = ["name", "description", "docs", "network", "x402", "endpoints", "flow", "rules"];
  expect(Object.keys(shown).sort()).toEqual(
    [...specified, "erc8004", "documents", "receipts", "version", "resources"].sort(),
  );
  expect(DiscoveryDocument.strict().parse(shown)).toEqual(shown);
  expect(Object.keys(shown.endpoints)).toEqual(["list", "read", "stocks", "payFee", "payPublisher"]);
});

test("directories of paid APIs get each paid endpoint with the payment method that needs no allowance", () => {
  const { payFee, payPublisher } = shown.endpoints;
  expect(shown.version).toBe(1);
  expect(shown.resources).toEqual([payFee, payPublisher].map(({ url }) => `${url}?method=eip3009`));
  for (const { query } of [payFee, payPublisher]) expect(query?.method).toMatch(/^eip3009: /);
});

test("the discovery document names this stage's network and asset, with checksummed addresses", () => {
  expect(shown.network).toEqual({
    caip2: "eip155:4663",
    name: "Robinhood Chain",
    asset: { symbol: "USDG", address: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168", decimals: 6 },
  });
  expect(shown.x402).toEqual({
    version: 2,
    scheme: "exact",
    assetTransferMethod: "permit2",
    permit2: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
    header: "payment-signature",
  });
  expect(shown.erc8004).toEqual({
    identityRegistry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
    reputationRegistry: "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63",
  });
});

test("every address in the document has a valid checksum", () => {
  const addresses = JSON.stringify(shown).match(/0x[0-9a-fA-F]{40}/g) ?? [];
  expect(addresses.length).toBeGreaterThan(4);
  for (const address of addresses) expect(isAddress(address, { strict: true })).toBe(true);
});

test.each(Object.entries(shown.endpoints))(
  "the entry for %s names an existing route and its use",
  (_, shownEndpoint) => {
    const { method, url, returns } = shownEndpoint;
    const path = url.slice(settings.origin.length);
    expect(url.startsWith(`${settings.origin}/`)).toBe(true);
    expect(routes.map((route) => `${route.method} ${route.path}`)).toContain(`${method} ${path}`);
    expect(returns).not.toBe("");
  },
);

test("only the two payment routes have a price, a body description and a payee", () => {
  const { list, read, stocks, payFee, payPublisher } = shown.endpoints;
  expect([list, read, stocks].map(({ paid }) => paid)).toEqual([false, false, false]);
  for (const payment of [payFee, payPublisher]) {
    expect(payment).toMatchObject({
      paid: true,
      body: { pressId: expect.any(String) },
      share: expect.any(String),
    });
  }
});

test("the document says whether a parameter of a list or of a press is in the path or the query", () => {
  expect(Object.keys(shown.endpoints.list.query ?? {})).toEqual(["stock", "limit", "cursor"]);
  expect(shown.endpoints.read.url).toBe("https://news.example.com/api/presses/{slug}");
});

test("the response headers link to the other discovery documents", () => {
  const { openapi, llms, feed } = shown.documents;
  const { licence } = links(settings);
  expect(linkHeader(settings)).toBe(
    `<${openapi}>; rel="service-desc"; type="application/json", <${llms}>; rel="service-doc"; type="text/plain", <${feed}>; rel="alternate"; type="application/rss+xml", <${licence}>; rel="license"; type="application/rsl+xml"`,
  );
});

test("the described payment flow contains everything that a program without an x402 library must sign", () => {
  const signing = shown.flow.find((step) => step.startsWith("Sign the terms"));
  for (const part of ['name: "Permit2"', "chainId: 4663", "PermitWitnessTransferFrom", "validAfter: 0"]) {
    expect(signing).toContain(part);
  }
});

test("the described flow approves Permit2, opts the asset in, and pays the fee before the publisher", () => {
  const step = (text: string) => shown.flow.findIndex((line) => line.includes(text));
  const optIn =
    'client.setSpendControls({allowedAssets:[{network:"eip155:4663",asset:"0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168"}]})';
  const order = [
    step("approve(0x000000000022D473030F116dDEE9F6B43aC78BA3"),
    step(optIn),
    step("list:"),
    step("payFee:"),
    step("payPublisher:"),
    step("read:"),
  ];
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((one, other) => one - other));
});
