import { apiUrl, pageUrl } from "../press/index.ts";
import type { Facts, Place } from "./facts.ts";
import { escaped, oneLine, scriptJson } from "./markup.ts";

const siteName = "Press Market";

/** The picture of every shared press. The site's build draws it (web/card.ts). */
const card = {
  path: "/card.png",
  width: 1200,
  height: 630,
  alt: "Press Market: a price line between lines of text",
};

/**
 * What previews of links and search engines read of a press: title, description, canonical address, Open Graph
 * (ogp.me), a Twitter card, and schema.org's NewsArticle with what of it is paid for.
 */
export function headOf(press: Facts, place: Place): string {
  const title = oneLine(press.headline);
  const description = oneLine(press.preview);
  const url = pageUrl(place.origin, press.slug);
  const image = place.origin + card.path;
  return [
    `<title>${escaped(`${title} · ${siteName}`)}</title>`,
    named("description", description),
    `<link rel="canonical" href="${escaped(url)}">`,
    `<link rel="alternate" type="application/json" href="${escaped(apiUrl(place.origin, press.slug))}">`,
    property("og:site_name", siteName),
    property("og:type", "article"),
    property("og:title", title),
    property("og:description", description),
    property("og:url", url),
    property("og:image", image),
    property("og:image:type", "image/png"),
    property("og:image:width", String(card.width)),
    property("og:image:height", String(card.height)),
    property("og:image:alt", card.alt),
    property("article:published_time", press.publishedAt),
    property("article:tag", press.stock),
    named("twitter:card", "summary_large_image"),
    named("twitter:title", title),
    named("twitter:description", description),
    named("twitter:image", image),
    named("twitter:image:alt", card.alt),
    // A block of data: no script, so that a policy against inline scripts does not concern it (HTML §4.12.1.1).
    `<script type="application/ld+json">${scriptJson(article(press, place, { url, image }))}</script>`,
  ]
    .map((line) => `    ${line}\n`)
    .join("");
}

function article(
  press: Facts,
  { origin, chainId }: Place,
  { url, image }: { readonly url: string; readonly image: string },
) {
  return {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    headline: oneLine(press.headline),
    description: oneLine(press.preview),
    url,
    mainEntityOfPage: url,
    image: [image],
    datePublished: press.publishedAt,
    dateModified: press.publishedAt,
    author: {
      "@type": "Person",
      name: oneLine(press.publisherName),
      // CAIP-10.
      identifier: `eip155:${chainId}:${press.publisher}`,
    },
    publisher: { "@type": "Organization", name: siteName, url: origin },
    keywords: press.stock,
    timeRequired: `PT${press.readMinutes}M`,
    isAccessibleForFree: false,
    hasPart: { "@type": "WebPageElement", isAccessibleForFree: false, cssSelector: ".paywall" },
  };
}

function named(name: string, content: string): string {
  return `<meta name="${name}" content="${escaped(content)}">`;
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escaped(content)}">`;
}
