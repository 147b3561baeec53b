import { escapeText } from "entities/escape";
import { generateRssFeed } from "feedsmith";
import * as z from "zod";
import { auditLimit } from "../audit/schema.ts";
import { type ErrorEntry, errors } from "../catalogue/schema.ts";
import { AddressInput, lower } from "../chain/hex.ts";
import { generationsPerDay } from "../draft/schema.ts";
import * as Follow from "../follow/index.ts";
import { StockSymbol } from "../market/schema.ts";
import { bazaarOfBuying } from "../mcp/schema.ts";
import * as Payment from "../payment/index.ts";
import type { PaymentRequired } from "../payment/schema.ts";
import type { Settings } from "../port/settings.ts";
import * as Press from "../press/index.ts";
import { draftsPerDay, formatSignature, type Press as LivePress, pageSize } from "../press/schema.ts";
import { batchLimit } from "../rpc/schema.ts";
import { nonceMinutes, sessionDays } from "../session/schema.ts";
import type { Table } from "../table.ts";
import { feedMark } from "../views/schema.ts";
import {
  listEndpointLines,
  listPurchaseSteps,
  makeLinks,
  makeReceiptsUrl,
  rules,
  serviceDescription,
  serviceName,
} from "./document.ts";

export * from "./document.ts";

type Ports = { readonly table: Table; readonly settings: Pick<Settings, "origin"> };

export const FeedQuery = z
  .object({
    stock: StockSymbol.optional().describe(
      "A ticker, in upper or lower case: lists only presses about its stock.",
    ),
    author: AddressInput.transform(lower)
      .optional()
      .describe("A wallet's address, in upper or lower case: lists only presses that the wallet published."),
    for: z
      .string()
      .regex(/^[\w-]{43}$/)
      .optional()
      .describe(
        "The token of a private feed: lists only presses whose author or stock the feed's wallet follows.",
      ),
  })
  .refine((query) => Object.values(query).filter((value) => value !== undefined).length < 2, {
    message: "is of a stock or of an author, not of both",
    path: ["author"],
  });
export type FeedQuery = z.infer<typeof FeedQuery>;

const feedSize = 50;

/**
 * Writes the newest live presses of all stocks, of one stock or of one author as an RSS 2.0 feed, which contains only the presses' free
 * fields. The feed of all stocks, of one stock or of one author needs one table request. A wallet's private feed contains at most fifty
 * presses whose author or stock the wallet follows. These presses are among the newest two hundred presses of all stocks. The private feed
 * needs four table requests. Throws `unknown_author` (`missing`) or `unknown_feed`.
 */
export async function makeFeed({ table, settings }: Ports, query: FeedQuery): Promise<string> {
  const { stock, author, for: token } = query;
  const presses = await readPresses({ table }, query);
  const [newest] = presses;
  const { site, feed: url } = makeLinks(settings);
  const about = stock === undefined ? "tokenized stocks" : `the stock token ${stock}`;
  const of =
    stock ??
    (author === undefined
      ? undefined
      : removeUnprintable(newest === undefined ? author : formatSignature(newest)));
  const page = author === undefined ? site : `${settings.origin}/by/${author}`;
  const search = new URLSearchParams({
    ...(stock && { stock }),
    ...(author && { author }),
    ...(token && { for: token }),
  });
  return generateRssFeed({
    title:
      token !== undefined
        ? `${serviceName}: for you`
        : of === undefined
          ? serviceName
          : `${serviceName}: ${of}`,
    link: stock === undefined ? page : `${settings.origin}/stock/${stock}`,
    description: `Free previews of short news articles about ${about}. Nothing published here is investment advice.`,
    language: "en",
    ...(newest !== undefined && { lastBuildDate: new Date(newest.publishedAt) }),
    atom: {
      links: [
        {
          rel: "self",
          type: "application/rss+xml",
          href: search.size === 0 ? url : `${url}?${search}`,
        },
      ],
    },
    items: presses.map((press) => makeFeedItem(settings.origin, press)),
  });
}

async function readPresses(
  ports: { readonly table: Table },
  { stock, author, for: token }: FeedQuery,
): Promise<readonly LivePress[]> {
  if (token !== undefined) {
    const { entries } = await Follow.list(ports, await Follow.findFeedOwner(ports, token));
    const followed = new Set(entries.map(({ kind, id }) => `${kind}:${id}`));
    const { presses } = await Press.list(ports, {});
    return presses
      .filter(({ publisher, stock }) => followed.has(`author:${publisher}`) || followed.has(`stock:${stock}`))
      .slice(0, feedSize);
  }
  if (author === undefined) return (await Press.list(ports, { stock, limit: feedSize })).presses;
  return (await Press.readAuthor(ports, author)).presses.slice(0, feedSize);
}

function makeFeedItem(origin: string, press: LivePress) {
  const url = Press.makePageUrl(origin, press.slug);
  const notes = press.corrections
    .toReversed()
    .map(({ at, text }) => `Correction, ${at.slice(0, 10)}: ${text}`);
  return {
    title: removeUnprintable(press.headline),
    // The links in a feed have a query string, so that the author can see how many readers came from the feed.
    link: `${url}?${feedMark}`,
    // Feed readers treat a description as HTML, but corrections and previews are plain text and must be escaped.
    description: escapeText(removeUnprintable([...notes, press.preview].join("\n\n"))),
    guid: { value: url, isPermaLink: true },
    pubDate: new Date(press.publishedAt),
    categories: [{ name: press.stock }],
    dc: { creators: [removeUnprintable(formatSignature(press))] },
    media: { thumbnails: [{ url: `${origin}/cards/${press.slug}.png`, width: 1200, height: 630 }] },
  };
}

/** Removes the characters that XML 1.0 §2.2 forbids even in escaped form. */
function removeUnprintable(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}

/** The llms.txt document in the form that llmstxt.org describes: a title, a summary, details, and lists of links. */
export function writeLlmsText(settings: Settings): string {
  const { origin, chainId, chainName } = settings;
  return [
    `# ${serviceName}`,
    `> ${serviceDescription}`,
    `Payments are in USDG (six decimals) on ${chainName} (eip155:${chainId}). Requests and answers are JSON. A refusal is \`{ "error": text for people, "code": stable name, "requestId" }\`; after a 429 or 503 wait as long as Retry-After says.`,
    "The endpoints, with the names that the steps use:",
    listBullets(listEndpointLines(settings)),
    "How to read and pay, step by step:",
    numberSteps([
      `Find something: \`GET ${origin}/api/presses\`, or \`?stock=AAPL\` for one stock. Each press has \`pressId\`, \`slug\`, \`preview\`, \`priceUnits\`, \`auditScore\` and \`votes\`.`,
      `Judge a press before paying: \`GET ${origin}/api/presses/{slug}\` adds the audit's summary and the stock's price now; \`GET ${origin}/api/audit-report/{id}\` has every issue the audit raised.`,
      ...listPurchaseSteps(settings),
    ]),
    "The signed message, for programs without an x402 library:",
    listBullets([
      "`PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)`",
      "`TokenPermissions(address token,uint256 amount)`",
      "`Witness(address to,uint256 validAfter)`",
      "By EIP-3009: `TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`; `authorization` contains the same six fields, with numbers as decimal strings and the nonce as hex.",
      "`permit2Authorization` contains `permitted`, `from` (the wallet), `spender`, `nonce`, `deadline` and `witness`, with numbers as decimal strings; `accepted` is the entry of `accepts` that was signed, and `resource` comes from the 402 answer.",
    ]),
    "Rules:",
    listBullets(rules),
    "Limits:",
    listBullets([
      `A list holds up to ${pageSize} presses, newest first; \`limit\` and \`cursor\` page through older ones.`,
      `The RPC relay accepts batches of up to ${batchLimit} calls.`,
      `Publishing: ${draftsPerDay} new drafts and ${generationsPerDay} AI drafts per wallet and UTC day, ${auditLimit} audits per press.`,
      `A sign-in's nonce is valid for ${nonceMinutes} minutes and one use; a session is valid for ${sessionDays} days.`,
    ]),
    'Agents can also buy over MCP (streamable HTTP, stateless): `buy_press` with leg fee, then with leg publisher, each paid in `_meta["x402/payment"]`. The MCP server at this address shows its tools:',
    listBullets([`\`${origin}/mcp\``]),
    "What each program needs: x402 clients (@x402/fetch, @x402/axios, @faremeter/fetch, thirdweb) the query `?method=eip3009` for a wallet that has not approved Permit2, since most sign the first offer; @x402/fetch the asset allowed as in the step on the official x402 client. @x402/axios 2.11 has no spend control: give its client a policy that keeps offers of this network, asset and at most your price, `client.registerPolicy((version, offers) => offers.filter(...))`.",
    `Signed receipts: \`GET ${makeReceiptsUrl(settings)}\` answers \`{ receipts: [{ format: "eip712", payload, signature }] }\`, one for each payment that the transaction settled. Recover the signer by EIP-712, domain \`{ name: "x402 receipt", version: "1", chainId: 1 }\` and \`Receipt(uint256 version,string network,string resourceUrl,string payer,uint256 issuedAt,string transaction)\`; the signer has to be \`receipts.signer.address\` of the discovery document. \`payload.resourceUrl\` is the address that was paid, followed by # and the press: \`#pressId=7\`. Take the receipt whose payer and press are yours, because other payments may have shared the transaction.`,
    "Codes of refusals. Unless the explanation of a code says otherwise, no money moved, and the same request will not succeed later:",
    listBullets(errors.map(formatError)),
    "## API",
    listLinks(listApiLinks(settings)),
    "## Site",
    listLinks(listSiteLinks(settings)),
  ]
    .join("\n\n")
    .concat("\n");
}

function formatError({ code, statuses, meaning, moneyMoved, retry }: ErrorEntry): string {
  const money = moneyMoved === "no" ? "" : ` Money moved: ${moneyMoved}.`;
  const again = retry === "no" ? "" : ` Try again ${retry}.`;
  return `\`${code}\` (${statuses.join(", ")}): ${meaning}${money}${again}`;
}

type NamedLink = readonly [name: string, url: string, notes: string];

function listApiLinks(settings: Settings): readonly NamedLink[] {
  const { origin } = settings;
  const { openapi, discovery } = makeLinks(settings);
  return [
    ["OpenAPI 3.1", openapi, "every endpoint with its schemas, errors and examples"],
    ["x402 discovery", discovery, "network, token, contracts, endpoints and flow"],
    ["Presses", `${origin}/api/presses`, "the newest live presses with their free previews"],
    ["Stock tokens", `${origin}/api/stocks`, "the stock tokens that presses are about"],
  ];
}

function listSiteLinks(settings: Settings): readonly NamedLink[] {
  const { site, developers, feed, sitemap, terms, licence } = makeLinks(settings);
  return [
    ["Presses", site, "the presses for people"],
    ["For developers", developers, "how to read and pay from a program"],
    ["Feed", feed, "RSS of the newest free previews; `?stock=AAPL` for one stock"],
    ["Terms", terms, "what may be done with a text"],
    ["Licence", licence, "the same terms for programs, in Really Simple Licensing 1.0"],
    ["Sitemap", sitemap, "every press's page"],
  ];
}

function numberSteps(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
}

function listBullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function listLinks(list: readonly NamedLink[]): string {
  return listBullets(list.map(([name, url, notes]) => `[${name}](${url}): ${notes}`));
}

/** The robots.txt document (RFC 9309), which allows all paths except the given paths. In a path, `{name}` stands for one segment. */
export function makeRobots(settings: Pick<Settings, "origin">, closed: readonly string[]): string {
  const { llms, sitemap, licence } = makeLinks(settings);
  return [
    "# Previews, audits and votes may be found freely. Full texts are sold and are at none of these addresses.",
    `# Programs that read and pay: ${llms}`,
    "User-agent: *",
    "Disallow: /feed.xml?for=",
    ...closed.map((path) => `Disallow: ${path.replace(/\{[^}]+\}/g, "*")}$`),
    "Allow: /",
    "",
    `Sitemap: ${sitemap}`,
    `License: ${licence}`,
    "",
  ].join("\n");
}

type NewestPress = Pick<LivePress, "pressId" | "priceUnits" | "publisher" | "publishedAt">;

/**
 * The document `/.well-known/x402.json`, in the form that the draft standard for this path demands. The document lists the endpoints of the
 * two payments for a text, and the MCP tool that buys a text. The document shows the prices and payees of the newest press. If there is no
 * live press, the document lists nothing. Only the terms in an answer with status 402 are binding.
 */
export function makeManifest(settings: Settings, newest: NewestPress | undefined) {
  if (newest === undefined) return { x402Version: 2, lastUpdated: 0, items: [] };
  const fee = Payment.makeDirectoryTerms(settings, "fee", newest);
  const publisher = Payment.makeDirectoryTerms(settings, "publisher", newest);
  const tool = { ...fee, resource: { ...fee.resource, url: `${settings.origin}/mcp` } };
  return {
    x402Version: 2,
    lastUpdated: Math.floor(Date.parse(newest.publishedAt) / 1000),
    items: [
      makeItem("http", fee, readBazaar(fee)),
      makeItem("http", publisher, readBazaar(publisher)),
      makeItem("mcp", tool, bazaarOfBuying.info),
    ],
  };
}

type BazaarInfo = { readonly input?: unknown; readonly output?: unknown };

function readBazaar({ extensions }: PaymentRequired): BazaarInfo {
  return extensions.bazaar?.info ?? {};
}

function makeItem(
  type: "http" | "mcp",
  { resource, accepts }: PaymentRequired,
  { input, output }: BazaarInfo,
) {
  // A ticket is valid for one payment only, so this public document contains no tickets.
  const offered = accepts.map(({ extra: { ticket: _, ...extra }, ...entry }) => ({ ...entry, extra }));
  return { resource, type, accepts: offered, input, ...(output !== undefined && { output }) };
}
