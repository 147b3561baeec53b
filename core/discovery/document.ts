import { escapeUTF8 as escaped } from "entities/escape";
import { getAddress } from "viem/utils";
import { easiestMethod, serviceName } from "../payment/schema.ts";
import type { Settings } from "../port/settings.ts";
import { makeApiUrl, makePageUrl } from "../press/index.ts";
import { feePercent, type Press, pageSize, payAt } from "../press/schema.ts";
import type { ReceiptSigner } from "../receipt/schema.ts";
import type { DiscoveryDocument } from "./schema.ts";

export { serviceName };

/** A description of the service in two sentences. */
export const serviceDescription =
  "Short news articles (presses) about tokenized stocks. Headline, preview, audit and votes are free; the full text is unlocked by two x402 payments in USDG. Nothing published here is investment advice.";

/** The discovery document (specification §2.11). `signer` is the address of the key that signs receipts, if the address is known. */
export function makeDocument(settings: Settings, signer: ReceiptSigner | undefined): DiscoveryDocument {
  const { chainId, chainName, contracts, origin } = settings;
  const { developers, openapi, llms, feed } = makeLinks(settings);
  return {
    name: serviceName,
    description: serviceDescription,
    docs: developers,
    network: {
      caip2: `eip155:${chainId}`,
      name: chainName,
      asset: { symbol: "USDG", address: getAddress(contracts.usdg), decimals: 6 },
    },
    x402: {
      version: 2,
      scheme: "exact",
      assetTransferMethod: "permit2",
      permit2: getAddress(contracts.permit2),
      header: "payment-signature",
    },
    erc8004: {
      identityRegistry: getAddress(contracts.identityRegistry),
      reputationRegistry: getAddress(contracts.reputationRegistry),
    },
    ...(signer !== undefined && {
      receipts: { extension: "offer-receipt", format: "eip712", url: makeReceiptsUrl(settings), signer },
    }),
    documents: { openapi, llms, feed },
    version: 1,
    resources: ["treasury", "publisher"].map((leg) => `${origin}/api/pay/${leg}?method=${easiestMethod}`),
    endpoints: makeEndpoints(origin),
    flow: listPurchaseSteps(settings),
    rules,
  };
}

/**
 * The service's endpoints, with one line for each endpoint. The purchase steps (`listPurchaseSteps`) refer to the endpoints by these names.
 */
export function listEndpointLines({ origin }: Pick<Settings, "origin">): readonly string[] {
  return Object.entries(makeEndpoints(origin)).map(
    ([name, { method, url, share }]) =>
      `${name}: ${method} ${url}${share === undefined ? "" : ` (${share})`}`,
  );
}

function makeEndpoints(origin: string): DiscoveryDocument["endpoints"] {
  const query = {
    method:
      "eip3009: for any wallet with USDG. permit2: for one that has approved Permit2. Optional: without it the terms offer both, Permit2 first.",
  };
  const pressId = { pressId: "Integer: the onchain identity id of the press, from list. 0 is a valid id." };
  return {
    list: {
      method: "GET",
      url: `${origin}/api/presses`,
      paid: false,
      query: {
        stock: "Ticker of a stock token, such as AAPL. Optional.",
        limit: `The number of presses in the answer, 1 to ${pageSize}. Optional.`,
        cursor: "The cursor from the previous answer, for the next page. Optional.",
      },
      returns: `{ presses }: up to ${pageSize} live presses, newest first, each with pressId, slug, preview and priceUnits.`,
    },
    read: {
      method: "GET",
      url: `${origin}/api/presses/{slug}`,
      paid: false,
      returns:
        "{ press, audit, unlocked, body } for a slug from list. body is null unless a session, or the sign-in-with-x header, is of the publisher or of a wallet that has unlocked the press.",
    },
    stocks: {
      method: "GET",
      url: `${origin}/api/stocks`,
      paid: false,
      returns:
        "{ stocks: [{ symbol, name, address }] }: every active stock token on the chain, sorted by symbol.",
    },
    payFee: {
      method: "POST",
      url: `${origin}/api/pay/treasury`,
      paid: true,
      query,
      body: pressId,
      share: `${feePercent}% of priceUnits, rounded down, to the platform.`,
      returns: "{ paid, tx }; with already: true when this wallet had paid the fee before.",
    },
    payPublisher: {
      method: "POST",
      url: `${origin}/api/pay/publisher`,
      paid: true,
      query,
      body: pressId,
      share: "The rest of priceUnits, to the wallet that owns the press NFT.",
      returns: "{ paid, tx, body }: body is the full text. Also sets a session cookie for the paying wallet.",
    },
  };
}

/**
 * The steps, in order, by which a wallet with USDG buys a press and gets its text. The wallet itself sends only one transaction, the
 * approval of USDG; if the wallet pays by EIP-3009, it sends no transaction.
 */
export function listPurchaseSteps({ chainId, contracts, origin }: Settings): readonly string[] {
  const usdg = getAddress(contracts.usdg);
  const permit2 = getAddress(contracts.permit2);
  return [
    `Once per wallet: approve Permit2 for USDG, with approve(${permit2}, 2^256 - 1) on ${usdg}. The approval needs a little of the chain's gas token and may be sent through POST ${origin}/api/rpc.`,
    `Or without approval and gas token: request the two payments below with ?method=eip3009, and sign USDG's own TransferWithAuthorization instead (EIP-3009).`,
    `Once per program with the official x402 client: allow the asset, with client.setSpendControls({allowedAssets:[{network:"eip155:${chainId}",asset:"${usdg}"}]}). The client then makes the signatures of the steps below by itself.`,
    "list: choose a press and take its pressId.",
    "payFee: POST { pressId }. The 402 answer carries the terms, in its body and in the payment-required header (base64).",
    `Sign the terms (EIP-712): domain { name: "Permit2", chainId: ${chainId}, verifyingContract: ${permit2} }, primary type PermitWitnessTransferFrom with permitted { token: asset, amount }, spender extra.spender, a random 256-bit nonce, a deadline a few minutes ahead in seconds, and witness { to: payTo, validAfter: 0 }. By EIP-3009: domain { name: extra.name, version: extra.version, chainId: ${chainId}, verifyingContract: ${usdg} }, primary type TransferWithAuthorization with from, to: payTo, value: amount, validAfter: 0, validBefore a few minutes ahead in seconds, and a random nonce of 32 bytes.`,
    "Repeat the same POST with the payment-signature header: base64 of the JSON { x402Version: 2, accepted, resource, payload: { signature, permit2Authorization } }, or payload: { signature, authorization } by EIP-3009. The 200 answer carries the receipt in payment-response.",
    "payPublisher: the same two requests, with its own terms. The 200 answer carries the full text.",
    "read: with the session cookie of that answer, or after a sign-in, the text can be read again without paying.",
    `Or read without a cookie. Sign an EIP-4361 message (personal_sign) with domain ${new URL(origin).host}, uri ${origin}/api/presses/{slug}, version 1, chain id ${chainId}, your own nonce of 8 to 128 letters and digits, and issuedAt. Send it in the sign-in-with-x header: base64 of the JSON { domain, address, uri, version: "1", chainId: "eip155:${chainId}", type: "eip191", nonce, issuedAt, signature } in the form of x402's extension of that name. The message is valid once, for five minutes.`,
  ];
}

export const rules: readonly string[] = [
  "Pay the fee first: before that, payPublisher is answered with 409.",
  "A wallet can buy a press only once. The service answers a second purchase with 409 and charges nothing.",
  "Name the press only in the body of the request, never in the query or path.",
  "Sign the terms as they are: a payment with another network, token, amount or recipient is answered with a fresh 402.",
  "A 503 after a payment was sent does not mean that the payment failed: wait for Retry-After and repeat the request. The repeated request continues the payment that was sent.",
  "Terms are valid for 300 seconds; a signed payment is valid until its own deadline.",
  "A settled payment has a signed receipt (x402 extension offer-receipt, EIP-712) at receipts.url. A receipt is valid if receipts.signer has signed it.",
  "If you have bought a text, you may give it to a model that answers your questions, and you may quote it briefly with a link. The text may not be republished, resold or used for training: see /terms for people, or /license.xml for programs (RSL 1.0).",
  "Nothing published here is investment advice.",
];

type SiteOrigin = Pick<Settings, "origin">;

/** The web address of the receipts for a transaction, in which `{transaction}` stands for the transaction's hash. */
export function makeReceiptsUrl({ origin }: SiteOrigin): string {
  return `${origin}/api/receipts/{transaction}`;
}

/** The web addresses of the documents that describe the service. */
export function makeLinks({ origin }: SiteOrigin) {
  return {
    site: `${origin}/`,
    developers: `${origin}/developers`,
    discovery: `${origin}/.well-known/x402`,
    openapi: `${origin}/openapi.json`,
    llms: `${origin}/llms.txt`,
    feed: `${origin}/feed.xml`,
    sitemap: `${origin}/sitemap.xml`,
    licence: `${origin}/license.xml`,
    terms: `${origin}/terms`,
  } as const;
}

/** A `Link` header to the service's descriptions (RFC 8288, relations of RFC 8631), for clients that read only headers. */
export function makeLinkHeader(site: SiteOrigin): string {
  const { openapi, llms, feed, licence } = makeLinks(site);
  return [
    `<${openapi}>; rel="service-desc"; type="application/json"`,
    `<${llms}>; rel="service-doc"; type="text/plain"`,
    `<${feed}>; rel="alternate"; type="application/rss+xml"`,
    `<${licence}>; rel="license"; type="application/rsl+xml"`,
  ].join(", ");
}

/** A `Link` header to the two payment endpoints of a press, in the order in which the two payments must be made. */
export function makePaymentLinks({ origin }: SiteOrigin): string {
  return Object.values(payAt)
    .map((path) => `<${origin}${path}>; rel="payment"`)
    .join(", ");
}

const namespace = "https://rslstandard.org/rsl";

/** A press as a product in the licence, with its price in USDG base units, its author, and whether AI has helped to write it. */
type PressProduct = Pick<
  Press,
  "slug" | "headline" | "priceUnits" | "publisherName" | "publishedAt" | "aiAssisted"
>;

/**
 * The site's licence for programs, written in the form of Really Simple Licensing 1.0. Programs may search and index a press's free fields
 * and give these fields to a model. A buyer may give the bought text to a model. Training a model with a text needs a separate agreement.
 * The terms page explains this licence to people.
 */
export function makeLicence(site: SiteOrigin): string {
  return writeLicenceDocument([
    writeContentLicence(site, "/", [writeOffer("search ai-index ai-input", "free")]),
    writePressLicence(site, "/press/*"),
  ]);
}

/** The licence of one press, with the price of the press. The page of a press contains the licence of the press. */
export function makePressLicence(
  site: SiteOrigin,
  { slug, priceUnits }: Pick<PressProduct, "slug" | "priceUnits">,
): string {
  const price = `<amount currency="USD">${toDollars(priceUnits)}</amount>`;
  return writeLicenceDocument([writePressLicence(site, makePageUrl(site.origin, slug), [price])]);
}

/**
 * One press as a package of IAB Tech Lab's Content Monetization Protocols 1.0. The numbers are codes from the protocols' lists: scope 5
 * means a selection; allowed use 5 means the use that the licence allows; price type 3 means a flat price; content 0 means text; source 0
 * means a human author and 2 a human author with AI; authorization 4 means another method; delivery 2 means an API.
 */
export function makePackage(site: SiteOrigin, press: PressProduct) {
  const { slug, headline, priceUnits, publisherName, publishedAt, aiAssisted } = press;
  return {
    package: {
      id: slug,
      title: headline,
      seller: new URL(site.origin).host,
      licenseurl: makeLinks(site).licence,
      citation: 1,
      scope: {
        scope: 5,
        ause: 5,
        pricetype: 3,
        unitprice: Number(toDollars(priceUnits)),
        cur: "USD",
        max: 0,
        ctype: [0],
        text: [
          {
            title: headline,
            pubdate: publishedAt,
            published: 1,
            author: [publisherName],
            sourcetype: aiAssisted ? 2 : 0,
            provenance: 0,
          },
        ],
      },
      retrieval: { auth: 4, endpoint: makeApiUrl(site.origin, slug), type: [2] },
    },
  };
}

/** Converts base units of USDG to dollars, exactly. */
export function toDollars(units: string): string {
  const digits = units.padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "").padEnd(2, "0");
  return `${digits.slice(0, -6)}.${fraction}`;
}

function writeLicenceDocument(contents: readonly string[]): string {
  return `<rsl xmlns="${namespace}">\n${contents.join("")}</rsl>\n`;
}

function writeContentLicence(site: SiteOrigin, url: string, licences: readonly string[]): string {
  const owner = `<copyright type="organization" contactUrl="${escaped(`${site.origin}/contact`)}"/>`;
  const about = [owner, makeXmlElement("terms", makeLinks(site).terms)];
  const lines = [...licences, ...about].map((line) => `    ${line}\n`).join("");
  return `  <content url="${escaped(url)}">\n${lines}  </content>\n`;
}

/** The licence of the presses at a web address. If there are several presses at this address, `price` is empty. */
function writePressLicence(site: SiteOrigin, url: string, price: readonly string[] = []): string {
  return writeContentLicence(site, url, [
    writeOffer("search ai-index ai-input", "free"),
    writeOffer("ai-input", "purchase", [...price, makeXmlElement("custom", makeLinks(site).llms)]),
    writeTrainingOffer(site),
  ]);
}

/** One licence that is offered. The offered licence does not allow the training of models. */
function writeOffer(usage: string, payment: "free" | "purchase", price: readonly string[] = []): string {
  const permits = `<permits type="usage">${usage}</permits>`;
  const prohibits = '<prohibits type="usage">ai-train</prohibits>';
  const paid =
    price.length === 0
      ? `<payment type="${payment}"/>`
      : `<payment type="${payment}">${price.join("")}</payment>`;
  return `<license>${permits}${prohibits}${paid}</license>`;
}

/** The licence lists no price for training; the contact page names the person to ask. */
function writeTrainingOffer(site: SiteOrigin): string {
  const ask = `<payment type="training">${makeXmlElement("custom", `${site.origin}/contact`)}</payment>`;
  return `<license><permits type="usage">ai-train</permits>${ask}</license>`;
}

const makeXmlElement = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`;
