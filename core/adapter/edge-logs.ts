import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { GetObjectCommand, ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import type { EdgeLogs } from "../port/edge-logs.ts";

/** The most bytes of an unpacked file, some 150,000 requests: it is held in memory several times over. */
const largest = 64 * 1024 * 1024;

/** The edge's log as CloudFront's standard logging (v2) stores it: `{prefix}/{yyyy}/{MM}/{dd}/NAME.gz`, JSON lines. */
export function s3EdgeLogs(
  client: S3Client,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): EdgeLogs {
  return {
    async files(day) {
      const found: string[] = [];
      let next: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: `${prefix}/${day.replaceAll("-", "/")}/`,
            ...(next !== undefined && { ContinuationToken: next }),
          }),
        );
        found.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
        next = page.NextContinuationToken;
      } while (next !== undefined);
      return found;
    },
    async lines(file) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: file }));
      const packed = await Body?.transformToByteArray();
      const bytes = await promisify(gunzip)(packed ?? new Uint8Array(), { maxOutputLength: largest });
      return bytes.toString("utf8").split("\n");
    },
  };
}
