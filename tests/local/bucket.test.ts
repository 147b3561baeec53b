import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startBucket } from "../../local/bucket/index.ts";
import { type Draft, openObjects } from "../../local/bucket/objects.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "bucket-"));
});
afterAll(() => rm(root, { recursive: true }));

const Bucket = "site";
const page = { ContentType: "text/html; charset=utf-8", CacheControl: "public, max-age=0, s-maxage=300" };

/** The real client on a bucket, kept in a directory of the given name or in memory. */
async function start(name?: string, deployed?: (key: string) => Promise<Draft | undefined>) {
  const directory = name === undefined ? undefined : join(root, name);
  const objects = openObjects(directory, deployed);
  const { endpoint, stop } = await startBucket({ port: 0, name: Bucket, objects });
  const client = new S3Client({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  onTestFinished(async () => {
    client.destroy();
    await stop();
  });
  const read = async (Key: string) => {
    const { Body, ...about } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return { text: await Body?.transformToString(), ...about };
  };
  return { client, endpoint, read, directory: directory ?? "" };
}

test.each([undefined, "kept"])(
  "what is put is got back, with what was said of it (directory: %s)",
  async (name) => {
    const { client, read } = await start(name);
    const Body = '<p>Größe 🗞</p>\n{"like":"json"}\n';
    const { ETag } = await client.send(
      new PutObjectCommand({ Bucket, Key: "press/a-slug-1", Body, ...page }),
    );
    const got = await read("press/a-slug-1");
    expect(got).toMatchObject({ text: Body, ETag, ...page, ContentLength: Buffer.byteLength(Body) });
    expect(Math.abs(Date.now() - Number(got.LastModified))).toBeLessThan(5_000);
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: "press/a-slug-1" }))).toMatchObject({
      ETag,
      ...page,
    });
    await client.send(
      new PutObjectCommand({ Bucket, Key: "press/a-slug-1", Body: "", ContentType: "text/plain" }),
    );
    expect(await read("press/a-slug-1")).toMatchObject({ text: "", ContentType: "text/plain" });
  },
);

test("the client hears of a missing key and a missing bucket as from S3", async () => {
  const { client, read } = await start();
  await expect(read("press/nothing")).rejects.toBeInstanceOf(NoSuchKey);
  await expect(client.send(new GetObjectCommand({ Bucket: "other", Key: "a" }))).rejects.toMatchObject({
    name: "NoSuchBucket",
  });
});

test("what it does not serve it refuses", async () => {
  const { client } = await start();
  const refused = { name: "NotImplemented", $metadata: { httpStatusCode: 501 } };
  await expect(client.send(new DeleteObjectCommand({ Bucket, Key: "a" }))).rejects.toMatchObject(refused);
  await expect(client.send(new GetObjectCommand({ Bucket, Key: "a", VersionId: "1" }))).rejects.toMatchObject(
    refused,
  );
});

test("a body that has changed on its way is refused", async () => {
  const { endpoint, read } = await start();
  const answer = await fetch(`${endpoint}/${Bucket}/press/x`, {
    method: "PUT",
    headers: { "x-amz-checksum-crc32": "AAAAAA==" },
    body: "changed",
  });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("<Code>BadDigest</Code>"),
  ]);
  await expect(read("press/x")).rejects.toBeInstanceOf(NoSuchKey);
});

test("objects outlive a restart, and what was half written is not there", async () => {
  const first = await start("restart");
  await first.client.send(new PutObjectCommand({ Bucket, Key: "press/kept", Body: "page", ...page }));
  await writeFile(join(first.directory, ".1-1"), "half");
  const second = await start("restart");
  expect(await second.read("press/kept")).toMatchObject({ text: "page", ...page });
});

test("a key names no file outside of the directory, whatever it says", async () => {
  const { client, read, directory } = await start("inside");
  await client.send(new PutObjectCommand({ Bucket, Key: "a", Body: "a" }));
  const beside = await readdir(root);
  const keys = ["../outside", "..", "/etc/passwd", ".hidden", "a/../../b", "a%2fb", "a"];
  for (const Key of keys) {
    await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
    expect((await read(Key)).text).toBe(Key);
  }
  expect(await readdir(directory)).toHaveLength(keys.length);
  expect(await readdir(root)).toEqual(beside);
});

test("what was deployed lies beneath what functions put", async () => {
  const { client, read } = await start(undefined, async (key) =>
    key === "index.html"
      ? { body: Buffer.from("the site"), contentType: "text/html", cacheControl: undefined }
      : undefined,
  );
  expect(await read("index.html")).toMatchObject({ text: "the site", ContentType: "text/html" });
  await client.send(new PutObjectCommand({ Bucket, Key: "index.html", Body: "another" }));
  expect((await read("index.html")).text).toBe("another");
});
