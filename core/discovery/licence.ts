import { escapeUTF8 as escaped } from "entities/escape";
import type { Settings } from "../port/settings.ts";
import { apiUrl, pageUrl } from "../press/index.ts";
import { links } from "./document.ts";

type Site = Pick<Settings, "origin">;

const namespace = "https://rslstandard.org/rsl";

/** What is sold: the press, its price in USDG base units, and who and what made it. */
type Sold = {
  readonly slug: string;
  readonly headline: string;
  readonly priceUnits: string;
  readonly publisherName: string;
  readonly publishedAt: string;
  readonly aiAssisted: boolean;
};

/**
 * The site's licence for programs, as Really Simple Licensing 1.0 has it. What is free may be searched, indexed and given
 * to a model; a text may be given to a model by who has bought it; nothing trains a model. The terms say the same to people.
 */
export function licence(site: Site): string {
  return rsl([
    content(site, "/", [offer("search ai-index ai-input", "free")]),
    content(site, "/press/*", [
      offer("search ai-index ai-input", "free"),
      offer("ai-input", "purchase", [element("custom", links(site).llms)]),
    ]),
  ]);
}

/** The licence of one press with its price, to stand in its page. */
export function pressLicence(site: Site, { slug, priceUnits }: Pick<Sold, "slug" | "priceUnits">): string {
  const price = `<amount currency="USD">${dollars(priceUnits)}</amount>`;
  const purchase = offer("ai-input", "purchase", [price, element("custom", links(site).llms)]);
  return rsl([
    content(site, pageUrl(site.origin, slug), [offer("search ai-index ai-input", "free"), purchase]),
  ]);
}

/**
 * One press as a package of IAB Tech Lab's Content Monetization Protocols 1.0. The numbers are of its lists: scope 5
 * a selection; allowed use 5 as the licence says; price type 3 flat; content 0 text; source 0 human, 2 hybrid;
 * authorization 4 other; delivery 2 API.
 */
export function compPackage(site: Site, press: Sold) {
  const { slug, headline, priceUnits, publisherName, publishedAt, aiAssisted } = press;
  return {
    package: {
      id: slug,
      title: headline,
      seller: new URL(site.origin).host,
      licenseurl: links(site).licence,
      citation: 1,
      scope: {
        scope: 5,
        ause: 5,
        pricetype: 3,
        unitprice: Number(dollars(priceUnits)),
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
      retrieval: { auth: 4, endpoint: apiUrl(site.origin, slug), type: [2] },
    },
  };
}

/** Base units of USDG in dollars, exactly. */
export function dollars(units: string): string {
  const digits = units.padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "").padEnd(2, "0");
  return `${digits.slice(0, -6)}.${fraction}`;
}

function rsl(contents: readonly string[]): string {
  return `<rsl xmlns="${namespace}">\n${contents.join("")}</rsl>\n`;
}

function content(site: Site, url: string, licences: readonly string[]): string {
  const owner = `<copyright type="organization" contactUrl="${escaped(`${site.origin}/contact`)}"/>`;
  const about = [owner, element("terms", links(site).terms)];
  const lines = [...licences, ...about].map((line) => `    ${line}\n`).join("");
  return `  <content url="${escaped(url)}">\n${lines}  </content>\n`;
}

/** One licence that is offered. Every one leaves training out. */
function offer(usage: string, payment: "free" | "purchase", price: readonly string[] = []): string {
  const permits = `<permits type="usage">${usage}</permits>`;
  const prohibits = '<prohibits type="usage">ai-train</prohibits>';
  const paid =
    price.length === 0
      ? `<payment type="${payment}"/>`
      : `<payment type="${payment}">${price.join("")}</payment>`;
  return `<license>${permits}${prohibits}${paid}</license>`;
}

const element = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`;
