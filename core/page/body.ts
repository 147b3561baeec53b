import type { Facts } from "./facts.ts";
import { escaped, oneLine, paragraphs } from "./markup.ts";

const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/**
 * What is free of a press, to be read without scripts. The site's app draws the page anew in its place. Texts of people
 * stand in elements that keep their direction to themselves.
 */
export function bodyOf(press: Facts): string {
  const about = [
    `By <bdi>${escaped(oneLine(press.publisherName))}</bdi>`,
    escaped(press.stock),
    `<time datetime="${escaped(press.publishedAt)}">${day.format(new Date(press.publishedAt))}</time>`,
    `${press.readMinutes} min read`,
  ];
  return [
    "<main>",
    "<article>",
    `<h1 dir="auto">${escaped(oneLine(press.headline))}</h1>`,
    `<p>${about.join(" · ")}</p>`,
    ...paragraphs(press.preview).map((text) => `<p dir="auto">${escaped(text)}</p>`),
    `<p>${escaped(disclosures(press).join(" "))}</p>`,
    `<p class="paywall">The full text is unlocked for ${usdg(press.priceUnits)} USDG.</p>`,
    "<p>Nothing published here is investment advice.</p>",
    "</article>",
    '<p><a href="/">All presses</a></p>',
    "</main>",
  ].join("\n");
}

function disclosures({ audit, aiAssisted, publisherHolds, stock }: Facts): readonly string[] {
  return [
    `Audit score: ${audit.score} of 100.`,
    ...(aiAssisted ? ["It began as an AI draft."] : []),
    ...(publisherHolds ? [`Its publisher held ${stock} when it was audited.`] : []),
  ];
}

/** Base units with at least two decimals. */
function usdg(units: string): string {
  const digits = units.padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "").padEnd(2, "0");
  return `${digits.slice(0, -6)}.${fraction}`;
}
