import { GetObjectCommand, NoSuchKey, type S3Client } from "@aws-sdk/client-s3";
import { AppError } from "../error.ts";
import type { Pages } from "../port/pages.ts";

/** Pages in the bucket that the site is served from. */
export function s3Pages(client: S3Client, bucket: string): Pages {
  return {
    async template() {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: "index.html" }));
        return await Body?.transformToString();
      } catch (cause) {
        if (cause instanceof NoSuchKey) return undefined;
        throw new AppError("upstream", "site_unavailable", "The site's files are unavailable right now.", {
          cause,
        });
      }
    },
  };
}
