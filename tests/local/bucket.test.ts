import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { expect, onTestFinished, test } from "vitest";
import { openS3EdgeLogs } from "../../core/adapter/aws.ts";
import { startBucket } from "../../local/bucket.ts";
import { localAws } from "../support/aws.ts";

const Bucket = "site";
const document = "<p>Größe 🗞</p>\n";

/** The real S3 client with a bucket that contains one file. */
async function openBucket() {
  const read = async (key: string) => (key === "index.html" ? Buffer.from(document) : undefined);
  const list = async (prefix: string) =>
    Array.from({ length: 2_345 }, (_, at) => `edge/2026/11/26/${String(at).padStart(5, "0")}`).filter((key) =>
      key.startsWith(prefix),
    );
  const buckets = { [Bucket]: { read }, logs: { read, list } };
  const { endpoint, stop } = await startBucket({ buckets });
  const client = new S3Client({ endpoint, ...localAws, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await stop();
  });
  return client;
}

test("the S3 client reads a file; without the right to list the bucket, it gets `AccessDenied` for a missing key, and `NoSuchBucket` for a missing bucket", async () => {
  const client = await openBucket();
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: "index.html" }));
  expect(await Body?.transformToString()).toBe(document);
  const missing = new GetObjectCommand({ Bucket, Key: "a/../index.html" });
  await expect(client.send(missing)).rejects.toMatchObject({
    name: "AccessDenied",
    $metadata: { httpStatusCode: 403 },
  });
  await expect(
    client.send(new GetObjectCommand({ Bucket: "other", Key: "index.html" })),
  ).rejects.toMatchObject({ name: "NoSuchBucket" });
});

test("the S3 client lists a bucket's keys by prefix over several pages, and a bucket that forbids listing refuses the request", async () => {
  const client = await openBucket();
  const logs = openS3EdgeLogs(client, { bucket: "logs", prefix: "edge" });
  const files = await logs.listFiles("2026-11-26");
  expect([files.length, new Set(files).size, files.at(-1)]).toEqual([2_345, 2_345, "edge/2026/11/26/02344"]);
  expect(await logs.listFiles("2026-11-25")).toEqual([]);
  await expect(client.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject({
    name: "NotImplemented",
  });
});
