import type { Settings } from "../port/settings.ts";

type Site = Pick<Settings, "origin">;

/** Where the service describes itself. */
export function links({ origin }: Site) {
  return {
    site: `${origin}/`,
    developers: `${origin}/developers`,
    discovery: `${origin}/.well-known/x402`,
    openapi: `${origin}/openapi.json`,
    llms: `${origin}/llms.txt`,
    feed: `${origin}/feed.xml`,
    sitemap: `${origin}/sitemap.xml`,
  } as const;
}

/** The same as a `Link` header's value (RFC 8288, relations of RFC 8631), for whoever reads no further than that. */
export function linkHeader(site: Site): string {
  const { openapi, llms, feed } = links(site);
  return [
    `<${openapi}>; rel="service-desc"; type="application/json"`,
    `<${llms}>; rel="service-doc"; type="text/plain"`,
    `<${feed}>; rel="alternate"; type="application/rss+xml"`,
  ].join(", ");
}
