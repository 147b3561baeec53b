import { escapeUTF8 as escaped } from "entities/escape";
import * as z from "zod";
import { makeLinks, makePackage, makePressLicence, toDollars } from "../discovery/index.ts";
import type { Settings } from "../port/settings.ts";
import { makeApiUrl, makePageUrl } from "../press/index.ts";
import { AuditSummary, Correction, formatSignature, type Press, type Profile } from "../press/schema.ts";

/**
 * The facts that the page of a press shows. A fact that the author can change may be up to a minute out of date, because caches keep a page
 * for at most a minute.
 */
export const PageFacts = z.object({
  slug: z.string().regex(/^[0-9a-z-]+$/),
  headline: z.string(),
  preview: z.string(),
  stock: z.string(),
  publisher: z.string(),
  publisherName: z.string(),
  bylineAmbiguous: z.boolean().default(false),
  /** The price in USDG base units, as decimal text. */
  priceUnits: z.string().regex(/^\d+$/),
  publishedAt: z.iso.datetime(),
  readMinutes: z.int(),
  aiAssisted: z.boolean(),
  publisherHolds: z.boolean().default(false),
  audit: AuditSummary.pick({ score: true }),
  corrections: z.array(Correction).readonly().default([]),
  priceChangedAt: z.iso.datetime().optional(),
  unlistedAt: z.iso.datetime().optional(),
});
export type PageFacts = Readonly<z.infer<typeof PageFacts>>;

/** The site's address, and the chain to which the publishers' wallets belong. */
export type PageSettings = Pick<Settings, "origin" | "chainId">;

const siteName = "Press Market";

/** The size of a press's picture in pixels. Programs that read Open Graph require this size. */
export const cardSize = { width: 1200, height: 630 } as const;

/** The address of a press's picture (core/page/card.ts draws it). */
function makeCardUrl(origin: string, slug: string): string {
  return `${origin}/cards/${slug}.png`;
}

/** Formats a UTC day for people. */
export const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** These tags are removed from the site's document, because the pages of presses, stocks and authors have their own tags. */
const told = [
  /[^\S\n]*<title>[^<]*<\/title>\n?/gi,
  /[^\S\n]*<meta\s(?=[^>]*\b(?:name|property)=["']?(?:description|og:|article:|twitter:))[^>]*>\n?/gi,
  /[^\S\n]*<link\s(?=[^>]*\brel=["']?canonical)[^>]*>\n?/gi,
];
const headEnd = /[^\S\n]*<\/head>/i;
const root = /(<div\s[^>]*\bid=["']?root\b[^>]*>)\s*(<\/div>)/i;

/**
 * The page of a press: the site's built document, with the press's tags in the head and the press's public fields inside the app's root
 * element. Throws an Error if the document has no closing head tag or no empty root element.
 */
export function makePage(template: string, press: PageFacts, place: PageSettings): string {
  return fillTemplate(template, writeHead(press, place), writeBody(press));
}

/** The content that readers without JavaScript see on the page of a stock or an author. */
export type ListingPage = {
  /** The path of the page, and the path of the feed that lists the same presses as the page. */
  readonly path: string;
  readonly feed: string;
  readonly title: string;
  readonly heading: string;
  readonly lead: string;
  /** The description that an author has written. */
  readonly about?: Profile | undefined;
  readonly presses: readonly Pick<Press, "slug" | "headline" | "preview">[];
};

/** The page of a stock or an author. Throws the same errors as `makePage`. */
export function makeListingPage(template: string, listing: ListingPage, { origin }: PageSettings): string {
  const { title, lead, path, feed } = { ...listing, title: toOneLine(listing.title) };
  const head = [
    ...writeIntroduction({ type: "website", title, description: lead, url: origin + path }),
    makePropertyTag(
      "og:image",
      listing.presses[0] ? makeCardUrl(origin, listing.presses[0].slug) : `${origin}/card.png`,
    ),
    `<link rel="alternate" type="application/rss+xml" href="${escaped(origin + feed)}">`,
  ];
  const body = [
    '<main class="listing">',
    `<h1 dir="auto">${escaped(toOneLine(listing.heading))}</h1>`,
    `<p>${escaped(lead)}</p>`,
    ...writeProfile(listing.about),
    ...listing.presses.flatMap(({ slug, headline, preview }) => [
      "<article>",
      `<h2 dir="auto"><a href="/press/${escaped(slug)}">${escaped(toOneLine(headline))}</a></h2>`,
      ...splitParagraphs(preview).map((text) => `<p dir="auto">${escaped(text)}</p>`),
      "</article>",
    ]),
    '<p><a href="/">All articles</a></p>',
    "</main>",
  ];
  return fillTemplate(template, head, body);
}

function writeProfile(profile: Profile | undefined): readonly string[] {
  if (profile === undefined) return [];
  const { text, link } = profile;
  const host = link === null ? undefined : URL.parse(link)?.host;
  return [
    ...splitParagraphs(text).map((part) => `<p dir="auto">${escaped(part)}</p>`),
    ...(link === null || host === undefined
      ? []
      : [`<p><a rel="nofollow ugc noopener" href="${escaped(link)}">${escaped(host)}</a></p>`]),
  ];
}

/** Inserts tags at the end of the head of the site's document, and content into the document's root element. */
function fillTemplate(template: string, head: readonly string[], body: readonly string[]): string {
  if (!headEnd.test(template)) throw new Error("The site's index.html has no </head>");
  if (!root.test(template)) throw new Error('The site\'s index.html has no empty <div id="root">');
  return (
    told
      .reduce((html, tag) => html.replace(tag, ""), template)
      // The replacements are given as functions, because `$` has a special meaning in a replacement text.
      .replace(headEnd, (end) => head.map((line) => `    ${line}\n`).join("") + end)
      .replace(root, (_, start: string, end: string) => [start, ...body, end].join("\n"))
  );
}

/**
 * The tags of a press for link previews and search engines: title, description, canonical address, Open Graph (ogp.me), a Twitter card, and
 * schema.org's NewsArticle with its paid part.
 */
function writeHead(press: PageFacts, place: PageSettings): readonly string[] {
  const title = toOneLine(press.headline);
  const description = toOneLine(press.preview);
  const url = makePageUrl(place.origin, press.slug);
  const image = makeCardUrl(place.origin, press.slug);
  const alt = `${press.stock}: ${title}. By ${toOneLine(formatSignature(press))}, audit ${press.audit.score} of 100.`;
  return [
    ...writeIntroduction({ type: "article", title, description, url }),
    ...(press.unlistedAt === undefined ? [] : [makeMetaTag("robots", "noindex")]),
    `<link rel="alternate" type="application/json" href="${escaped(makeApiUrl(place.origin, press.slug))}">`,
    makePropertyTag("og:image", image),
    makePropertyTag("og:image:type", "image/png"),
    makePropertyTag("og:image:width", String(cardSize.width)),
    makePropertyTag("og:image:height", String(cardSize.height)),
    makePropertyTag("og:image:alt", alt),
    makePropertyTag("article:published_time", press.publishedAt),
    makePropertyTag("article:tag", press.stock),
    makeMetaTag("twitter:card", "summary_large_image"),
    makeMetaTag("twitter:title", title),
    makeMetaTag("twitter:description", description),
    makeMetaTag("twitter:image", image),
    makeMetaTag("twitter:image:alt", alt),
    // A script element can hold a data block instead of a script. A content security policy that forbids inline scripts still allows data
    // blocks in script elements (HTML §4.12.1.1).
    `<script type="application/ld+json">${embedJson(makeArticleData(press, place, { url, image }))}</script>`,
    // These tags tell programs the licence and the price of the text, in the forms of Really Simple Licensing and of a CoMP package.
    `<link rel="license" type="application/rsl+xml" href="${escaped(makeLinks(place).licence)}">`,
    `<script type="application/rsl+xml">${makePressLicence(place, press)}</script>`,
    `<script type="application/json" id="comp-package">${embedJson(makePackage(place, { ...press, headline: title, publisherName: toOneLine(formatSignature(press)) }))}</script>`,
  ];
}

type PageIntro = {
  readonly type: "article" | "website";
  readonly title: string;
  readonly description: string;
  readonly url: string;
};

/** The tags of every page: title, description and canonical address, each also as an Open Graph tag. */
function writeIntroduction({ type, title, description, url }: PageIntro): readonly string[] {
  return [
    `<title>${escaped(`${title} · ${siteName}`)}</title>`,
    makeMetaTag("description", description),
    `<link rel="canonical" href="${escaped(url)}">`,
    makePropertyTag("og:site_name", siteName),
    makePropertyTag("og:type", type),
    makePropertyTag("og:title", title),
    makePropertyTag("og:description", description),
    makePropertyTag("og:url", url),
  ];
}

function makeArticleData(
  press: PageFacts,
  { origin, chainId }: PageSettings,
  { url, image }: { readonly url: string; readonly image: string },
) {
  return {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    headline: toOneLine(press.headline),
    description: toOneLine(press.preview),
    url,
    mainEntityOfPage: url,
    image: [image],
    datePublished: press.publishedAt,
    dateModified: [press.publishedAt, press.priceChangedAt ?? "", ...press.corrections.map(({ at }) => at)]
      .toSorted()
      .at(-1),
    ...(press.corrections.length > 0 && {
      correction: press.corrections.map(({ at, text }) => ({
        "@type": "CorrectionComment",
        datePublished: at,
        text: toOneLine(text),
      })),
    }),
    author: {
      "@type": "Person",
      name: toOneLine(formatSignature(press)),
      // CAIP-10.
      identifier: `eip155:${chainId}:${press.publisher}`,
    },
    publisher: { "@type": "Organization", name: siteName, url: origin },
    keywords: press.stock,
    timeRequired: `PT${press.readMinutes}M`,
    license: makeLinks({ origin }).licence,
    usageInfo: makeLinks({ origin }).terms,
    acquireLicensePage: url,
    copyrightHolder: { "@type": "Person", name: toOneLine(formatSignature(press)) },
    creditText: `${toOneLine(formatSignature(press))}, ${siteName}`,
    offers: {
      "@type": "Offer",
      url,
      price: toDollars(press.priceUnits),
      priceCurrency: "USD",
      availability: `https://schema.org/${press.unlistedAt === undefined ? "InStock" : "Discontinued"}`,
    },
    isAccessibleForFree: false,
    hasPart: { "@type": "WebPageElement", isAccessibleForFree: false, cssSelector: ".paywall" },
  };
}

function makeMetaTag(name: string, content: string): string {
  return `<meta name="${name}" content="${escaped(content)}">`;
}

function makePropertyTag(name: string, content: string): string {
  return `<meta property="${name}" content="${escaped(content)}">`;
}

/**
 * The public fields of a press for readers without JavaScript. When the site's app starts, the app replaces these public fields. Texts that
 * people have written are put into elements that isolate the direction of writing.
 */
function writeBody(press: PageFacts): readonly string[] {
  const about = [
    `By <bdi>${escaped(toOneLine(press.publisherName))}</bdi>${press.bylineAmbiguous ? ` (${escaped(press.publisher)})` : ""}`,
    escaped(press.stock),
    `<time datetime="${escaped(press.publishedAt)}">${day.format(new Date(press.publishedAt))}</time>`,
    `${press.readMinutes} min read`,
  ];
  return [
    "<main>",
    "<article>",
    `<h1 dir="auto">${escaped(toOneLine(press.headline))}</h1>`,
    `<p>${about.join(" · ")}</p>`,
    ...press.corrections
      .toReversed()
      .flatMap(({ at, text }) => [
        `<p><strong>Correction, ${day.format(new Date(at))}:</strong></p>`,
        ...splitParagraphs(text).map((part) => `<p dir="auto">${escaped(part)}</p>`),
      ]),
    ...splitParagraphs(press.preview).map((text) => `<p dir="auto">${escaped(text)}</p>`),
    `<p>${escaped(listDisclosures(press).join(" "))}</p>`,
    press.unlistedAt === undefined
      ? `<p class="paywall">The full text is unlocked for ${toDollars(press.priceUnits)} USDG.</p>`
      : '<p class="paywall">The author has taken this article off sale. Readers who have unlocked it keep it.</p>',
    "<p>Nothing published here is investment advice.</p>",
    "</article>",
    '<p><a href="/">All articles</a></p>',
    "</main>",
  ];
}

function listDisclosures({ audit, aiAssisted, publisherHolds, stock }: PageFacts): readonly string[] {
  return [
    `Audit score: ${audit.score} of 100.`,
    ...(aiAssisted ? ["The article began as an AI draft."] : []),
    ...(publisherHolds ? [`The author held ${stock} when the article was audited.`] : []),
  ];
}

/** Control characters, which markup must not contain, and bidirectional marks, which reverse neighbouring text. */
const unfit = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Writes a text as one line, without control characters and bidirectional marks. */
export function toOneLine(text: string): string {
  return text.replace(unfit, " ").replace(/\s+/g, " ").trim();
}

/** Splits a text at empty lines into paragraphs, and writes each paragraph as one line. */
function splitParagraphs(text: string): readonly string[] {
  return text
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map(toOneLine)
    .filter((paragraph) => paragraph !== "");
}

/** Writes JSON for a script element in such a way that no part of the JSON ends the element or opens a comment (HTML §4.12.1.3). */
function embedJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
