import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { AppError } from "../error.ts";
import type { Pages } from "../port/pages.ts";

/** The edge asks again after five minutes, a browser each time: a new build of the site changes every page. */
const cacheControl = "public, max-age=0, s-maxage=300, must-revalidate";

/** Pages in the bucket that the site is served from, each under its own path. */
export function s3Pages(client: S3Client, bucket: string): Pages {
  return {
    async template() {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: "index.html" }));
        return await Body?.transformToString();
      } catch (cause) {
        if (cause instanceof NoSuchKey) return undefined;
        throw unavailable(cause);
      }
    },
    async put(slug, html) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: `press/${slug}`,
        Body: html,
        ContentType: "text/html; charset=utf-8",
        CacheControl: cacheControl,
      });
      try {
        await client.send(command);
      } catch (cause) {
        throw unavailable(cause);
      }
    },
  };
}

function unavailable(cause: unknown): AppError {
  return new AppError("upstream", "site_unavailable", "The site's files are unavailable right now.", {
    cause,
  });
}
