import { join } from "node:path";
import {
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  getOpenAPI,
  getWarningsForFavicon,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
  validatePaymentRequiredDetailed,
} from "@agentcash/discovery";
import {
  extractDiscoveryInfo,
  sanitizeResourceServiceMetadata,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from "@x402/extensions/bazaar";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { systemClock, systemIds } from "../../core/adapter/system.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import * as Payment from "../../core/payment/index.ts";
import { FeePaid, methodNames, PaymentRequired, TextPaid } from "../../core/payment/schema.ts";
import { longestHeader, makeTerms } from "../../core/payment/terms.ts";
import { addOffer } from "../../core/receipt/index.ts";
import { makePayingFetch } from "../../local/demo/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { root } from "../boundary/source.ts";
import { settings } from "../core/session/settings.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

let press: { readonly pressId: number; readonly text: string };
// Directories of x402 services look for the site's icon, which is a file of `web/public`.
const service = startPart(() => startTestService({ site: join(root, "web/public") }));
beforeAll(async () => {
  press = await publishDemoPress(service);
});

const legs = [
  { path: "/api/pay/treasury", answer: FeePaid },
  { path: "/api/pay/publisher", answer: TextPaid },
] as const;
const json = { "content-type": "application/json" };

/** Sends a directory's probe: a POST with the body that the directory found in the terms. Returns the payment terms of the answer. */
async function sendProbe(path: string, body: unknown) {
  const answer = await makeHttpClient(service.origin).ask(path, { body });
  return { ...answer, terms: PaymentRequired.parse(answer.body) };
}

const Listing = z.custom<Parameters<typeof validateDiscoveryExtension>[0]>();
const Bazaar = z.object({
  info: z.object({
    input: z.object({
      method: z.literal("POST"),
      queryParams: z.record(z.string(), z.string()),
      body: z.object({ pressId: z.int() }),
    }),
    output: z.object({ example: z.unknown() }),
  }),
  schema: z.object({
    properties: z.object({
      input: z.object({ properties: z.object({ body: z.unknown() }) }),
      output: z.object({ properties: z.object({ example: z.looseObject({}) }) }),
    }),
  }),
});

describe.each(legs)("the payment terms of $path describe the endpoint to directories", ({ path, answer }) => {
  test("the payment terms list the endpoint in x402's bazaar, with an example request that gets terms", async () => {
    const { terms, headers } = await sendProbe(path, { pressId: press.pressId });
    const listing = Listing.parse(terms.extensions.bazaar);
    expect(validateDiscoveryExtensionSpec({ ...listing })).toEqual({ valid: true });
    expect(validateDiscoveryExtension(listing)).toEqual({ valid: true });
    const told: unknown = JSON.parse(Buffer.from(headers.get("payment-required") ?? "", "base64").toString());
    expect(told).toEqual(terms);

    const { info, schema } = Bazaar.parse(listing);
    const { queryParams, body } = info.input;
    const named = await sendProbe(`${path}?${new URLSearchParams(queryParams)}`, body);
    expect(named.status).toBe(402);
    expect(named.terms.accepts.map(({ extra }) => extra.assetTransferMethod)).toEqual(["eip3009"]);
    expect(answer.safeParse(info.output.example).success).toBe(true);
    const document = z
      .object({ components: z.object({ schemas: z.looseObject({ PayInput: z.unknown() }) }) })
      .parse(await (await fetch(`${service.origin}/openapi.json`)).json());
    expect(schema.properties.input.properties.body).toEqual(document.components.schemas.PayInput);
  });

  test("an unsigned request that names no press gets the newest press's terms, and a signed request that names no press gets 400", async () => {
    const url = service.origin + path;
    for (const asked of [{}, { headers: json, body: "{}" }]) {
      const answer = await fetch(url, { method: "POST", ...asked });
      expect(answer.status).toBe(402);
      const header = answer.headers.get("payment-required") ?? "";
      const told: unknown = await answer.json();
      // A client that decodes the header with plain `atob` must also decode non-ASCII text correctly.
      expect(JSON.parse(atob(header))).toEqual(told);
      const { info } = Bazaar.parse(PaymentRequired.parse(told).extensions.bazaar);
      expect(info.input.body).toEqual({ pressId: press.pressId });
      const signed = { ...asked, headers: { ...json, "payment-signature": "e30=" } };
      expect((await fetch(url, { method: "POST", ...signed })).status).toBe(400);
    }
  });
});

const Manifest = z.object({
  items: z.array(
    z.looseObject({
      type: z.string(),
      resource: z.looseObject({ url: z.string() }),
      accepts: z.array(z.looseObject({ amount: z.string(), payTo: z.string() })),
      input: z.looseObject({}),
    }),
  ),
});

test("x402scan's own tool finds no fault in the OpenAPI document, in the terms of both payments, or in the site's icon", async () => {
  const { origin } = service;
  const found = (await getOpenAPI(origin))._unsafeUnwrap();
  if (found === null || isOpenApiParseFailure(found)) throw new Error("The tool cannot read the document");
  expect(getWarningsForOpenAPI(found)).toEqual([]);
  const surface = checkL2ForOpenAPI(found);
  expect(getWarningsForL2(surface)).toEqual([]);
  expect(surface.routes.filter(({ authMode }) => authMode === "paid").map(({ path }) => path)).toEqual(
    legs.map(({ path }) => path),
  );
  expect(getWarningsForL4(checkL4ForOpenAPI(found))).toEqual([]);
  expect((await getWarningsForFavicon(origin))._unsafeUnwrap()).toEqual([]);
  for (const { path } of legs) {
    const checked = await checkEndpointSchema({ url: origin + path, probe: true });
    if (!checked.found) throw new Error("The tool does not find the payment");
    // x402scan's tool tries every HTTP method, but OPTIONS is only for a browser's preflight.
    const [advisory, ...others] = checked.advisories.filter(({ method }) => method !== "OPTIONS");
    expect([advisory?.method, advisory?.paymentOptions?.length, others]).toEqual([
      "POST",
      methodNames.length,
      [],
    ]);
    expect(getWarningsForL3(advisory ?? null)).toEqual([]);
    const { issues, normalized } = validatePaymentRequiredDetailed((await sendProbe(path, {})).terms);
    expect([issues, normalized?.accepts.length]).toEqual([[], methodNames.length]);
  }
});

test("/.well-known/x402.json lists the MCP tool and both payment endpoints, with the terms that the endpoints send, but without the field extra.ticket", async () => {
  const answer = await fetch(`${service.origin}/.well-known/x402.json`);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).not.toContain("ticket");
  const { items } = Manifest.parse(JSON.parse(text));
  expect(items.map(({ type, resource }) => [type, resource.url])).toEqual([
    ["http", `${service.origin}/api/pay/treasury`],
    ["http", `${service.origin}/api/pay/publisher`],
    ["mcp", `${service.origin}/mcp`],
  ]);
  for (const [index, { path }] of legs.entries()) {
    const { terms } = await sendProbe(path, { pressId: press.pressId });
    const live = terms.accepts.map(({ extra: { ticket: _, ...extra }, ...entry }) => ({ ...entry, extra }));
    expect(items[index]).toMatchObject({
      resource: terms.resource,
      accepts: live,
      input: { method: "POST" },
    });
  }
  expect(items[2]?.input).toMatchObject({ toolName: "buy_press", transport: "streamable-http" });
});

test("the payment terms over MCP list the tool in x402's bazaar, in the form that the bazaar's validators require", async () => {
  const order = { id: press.pressId, maxPriceUsdg: "1" };
  const told = await makeHttpClient(service.origin).callTool("buy_press", order);
  const { bazaar } = z.object({ extensions: z.object({ bazaar: Listing }) }).parse(told).extensions;
  expect(validateDiscoveryExtensionSpec({ ...bazaar })).toEqual({ valid: true });
  expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
  expect(bazaar.info.input).toMatchObject({ type: "mcp", toolName: "buy_press" });
});

test("a press names its payment endpoint in its JSON and in a header", async () => {
  const listed = await (await fetch(`${service.origin}/api/presses`)).json();
  const { slug } = z.object({ presses: z.tuple([z.object({ slug: z.string() })]) }).parse(listed).presses[0];
  const answer = await fetch(`${service.origin}/api/presses/${slug}`);
  expect(await answer.json()).toMatchObject({
    press: { payAt: { fee: "/api/pay/treasury", publisher: "/api/pay/publisher" } },
  });
  for (const { path } of legs)
    expect(answer.headers.get("link")).toContain(`<${service.origin}${path}>; rel="payment"`);
});

test("the payment terms describe the product in a form that directories accept, and name the version of the legal terms", async () => {
  const legal = await import("../../web/src/strings/legal.ts");
  for (const { path } of legs) {
    const { terms } = await sendProbe(path, { pressId: press.pressId });
    const { serviceName, tags, iconUrl } = terms.resource;
    const named = { serviceName, tags, iconUrl: iconUrl.replace(service.origin, "https://news.example.com") };
    expect(sanitizeResourceServiceMetadata({ ...named, tags: [...tags], url: path })).toEqual(named);
    expect(terms.extensions.terms).toMatchObject({
      draft: true,
      info: { format: "uri", terms: `${service.origin}/terms` },
    });
    expect(legal.terms.lead).toContain(terms.extensions.terms.info.version);
  }
});

/** Changes a payment header before it is sent. */
type Change = (payment: Record<string, unknown>) => Record<string, unknown>;

const Sent = z.looseObject({ extensions: z.looseObject({ bazaar: z.unknown() }) });

/**
 * Buys a press with the official client and changes the client's payment headers. Returns the payment headers that were sent, and the
 * answers to both payments.
 */
async function buy(account: number, change: Change) {
  const headers: string[] = [];
  const send = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const header = request.headers.get("payment-signature");
    if (header !== null) {
      const payment = Sent.parse(JSON.parse(Buffer.from(header, "base64").toString()));
      headers.push(Payment.encodeHeader(change(payment)));
      request.headers.set("payment-signature", headers.at(-1) ?? "");
    }
    return fetch(request);
  };
  const pay = makePayingFetch(getTestAccount(account), mainnet, send);
  const body = JSON.stringify({ pressId: press.pressId });
  const answers: unknown[] = [];
  for (const { path } of legs) {
    const answer = await pay(`${service.origin}${path}?method=eip3009`, {
      method: "POST",
      headers: json,
      body,
    });
    answers.push(await answer.json());
  }
  return { headers, answers };
}

const makeAnswers = () => [
  { paid: true, tx: expect.any(String) },
  { paid: true, tx: expect.any(String), body: press.text },
];

describe("the bazaar entry that a payment echoes is optional", () => {
  test("the bazaar entry that a payment echoes tells a facilitator what was bought", async () => {
    const { headers, answers } = await buy(7, (payment) => payment);
    expect(answers).toEqual(makeAnswers());
    for (const [index, { path }] of legs.entries()) {
      const header = headers[index] ?? "";
      expect(header.length).toBeLessThan(4_608);
      const payment = JSON.parse(Buffer.from(header, "base64").toString());
      expect(extractDiscoveryInfo(payment, payment.accepted)).toMatchObject({
        resourceUrl: service.origin + path,
        method: "POST",
        x402Version: 2,
        discoveryInfo: {
          input: { type: "http", queryParams: { method: "eip3009" }, body: { pressId: press.pressId } },
        },
      });
    }
  });

  const lie = {
    info: { input: { type: "http", method: "POST", bodyType: "json", body: { pressId: 4711 } } },
  };
  const lies: readonly (readonly [string, number, Change])[] = [
    ["names another press", 3, (payment) => ({ ...payment, extensions: { bazaar: lie } })],
    ["is left out", 4, ({ extensions: _, ...payment }) => payment],
    [
      "reaches for prototypes",
      6,
      (payment) => ({ ...payment, extensions: JSON.parse('{"__proto__":{"bazaar":7},"constructor":{}}') }),
    ],
  ];

  test.each(lies)(
    "if a payment echoes a bazaar entry that %s, the payment is settled as usual",
    async (_, account, change) => {
      expect((await buy(account, change)).answers).toEqual(makeAnswers());
    },
  );

  test.each(methodNames)(
    "the header of a payment by %s has room for the echoed terms and a signature of 2 kB, or of 1.25 kB if the request for the terms named no payer",
    async (method) => {
      const origin = `https://${"a".repeat(56)}`;
      const usdg = mainnet.contracts.usdg;
      for (const leg of ["fee", "publisher"] as const) {
        const due = { leg, amount: 999_999_999n, payTo: usdg };
        const reason = { code: "payment_required", error: "" };
        const plain = makeTerms({ ...settings, origin }, due, reason, "t".repeat(43));
        const moment = { clock: systemClock, ids: systemIds, settings: { ...settings, origin } };
        const signing = { ...moment, statements: async () => `0x${"f".repeat(130)}` as const };
        const { accepts, resource, extensions: named } = await addOffer(signing, plain, leg, 999_999_999);
        const listed = Payment.addBazaar({ ...plain, extensions: named }, leg, 999_999_999);
        const { extensions } = Payment.addSignIn(moment, listed, 999_999_999);
        const accepted = accepts.find(({ extra }) => extra.assetTransferMethod === method);
        const identifier = {
          ...named["payment-identifier"],
          info: { required: false, id: "i".repeat(128) },
        };
        const makeHeader = (bytes: number, echo: object) =>
          Payment.encodeHeader({
            x402Version: 2,
            accepted,
            resource,
            payload: { signature: `0x${"f".repeat(2 * bytes)}`, ...signed[method] },
            extensions: { ...echo, "payment-identifier": identifier },
          });
        expect(makeHeader(1_280, extensions).length).toBeLessThanOrEqual(longestHeader);
        expect(makeHeader(2_048, named).length).toBeLessThanOrEqual(longestHeader);
      }
    },
  );
});

const address = mainnet.contracts.usdg;
/** The longest signed payload that each payment method allows. */
const signed = {
  permit2: {
    permit2Authorization: {
      permitted: { token: address, amount: "999999999" },
      from: address,
      spender: address,
      nonce: "9".repeat(78),
      deadline: "1795176300",
      witness: { to: address, validAfter: "1795176300" },
    },
  },
  eip3009: {
    authorization: {
      from: address,
      to: address,
      value: "999999999",
      validAfter: "1795176300",
      validBefore: "1795176300",
      nonce: `0x${"9".repeat(64)}`,
    },
  },
};
