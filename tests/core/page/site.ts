import { S3Client } from "@aws-sdk/client-s3";
import { openS3Pages } from "../../../core/adapter/aws.ts";
import type { PageFacts } from "../../../core/page/make.ts";
import { startBucket } from "../../../local/bucket.ts";
import { localAws } from "../../support/aws.ts";

export const settings = { origin: "https://news.example", chainId: 4663 };

/** The facts (`PageFacts`) of a press with all optional fields. `changes` replaces some of the facts. */
export function makePageFacts(changes: Partial<PageFacts> = {}): PageFacts {
  return {
    slug: "apple-s-margins-widen-again-1",
    headline: "Apple's margins widen again",
    preview: "What the last quarter says about services, and what it leaves out of the picture entirely.",
    stock: "AAPL",
    publisher: "0x00000000000000000000000000000000000000a1",
    publisherName: "Margin Notes",
    bylineAmbiguous: false,
    priceUnits: "1500000",
    publishedAt: "2026-11-20T12:00:00.000Z",
    readMinutes: 3,
    aiAssisted: true,
    publisherHolds: true,
    audit: { score: 88 },
    corrections: [],
    ...changes,
  };
}

/** The HTML document of a built site, which names its build. */
export function makeSiteTemplate(build: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Press Market</title>
    <meta name="description" content="Of the site">
    <script type="module" crossorigin src="/assets/index-${build}.js"></script>
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>
`;
}

/** The site's bucket as serverless functions read it: the real client and adapter with a stand-in for S3. */
export async function startSite() {
  const deployed: { html: string | undefined } = { html: makeSiteTemplate("one") };
  const bucket = await startBucket({
    buckets: {
      site: {
        read: async (key) =>
          key === "index.html" && deployed.html !== undefined ? Buffer.from(deployed.html) : undefined,
      },
    },
  });
  const client = new S3Client({ endpoint: bucket.endpoint, ...localAws });
  return {
    deployed,
    endpoint: bucket.endpoint,
    pages: openS3Pages(client, "site"),
    async stop() {
      client.destroy();
      await bucket.stop();
    },
  };
}
