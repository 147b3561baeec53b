import type { Settings } from "../port/settings.ts";
import { links } from "./links.ts";

/**
 * What crawlers may fetch (RFC 9309): all but the given paths, in which `{name}` stands for one segment. Previews are
 * free to be found; a text that is sold is at no address.
 */
export function robots(settings: Pick<Settings, "origin">, closed: readonly string[]): string {
  const { llms, sitemap } = links(settings);
  return [
    "# Previews, audits and votes are free to be found. Full texts are sold and are at none of these addresses.",
    `# Programs that read and pay: ${llms}`,
    "User-agent: *",
    ...closed.map((path) => `Disallow: ${path.replace(/\{[^}]+\}/g, "*")}$`),
    "Allow: /",
    "",
    `Sitemap: ${sitemap}`,
    "",
  ].join("\n");
}
