import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { AwsFailure } from "../../../local/stand-in.ts";
import type { Account } from "./account.ts";
import { type Markup, xml } from "./wire.ts";

export type S3Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
};

/** Answers a request to S3 by path-style addresses: objects in one piece or in parts, and what CDK asks of a bucket. */
export async function answerS3(account: Account, request: IncomingMessage): Promise<S3Answer> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const [, name = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
  const bucket = account.buckets.get(name);
  if (bucket === undefined)
    throw new AwsFailure("NoSuchBucket", `The bucket ${name} does not exist`, { status: 404 });
  const key = rest.join("/");
  const asked = [...url.searchParams.keys()].filter((parameter) => parameter !== "x-id");
  if (key === "") return answerBucket(account, bucket, name, request.method ?? "", url.searchParams);
  const upload = url.searchParams.get("uploadId");
  switch (`${request.method} ${asked.sort().join(",")}`) {
    case "GET ":
    case "HEAD ": {
      const found = bucket.get(key);
      if (found === undefined)
        throw new AwsFailure("NoSuchKey", `The key ${key} does not exist`, { status: 404 });
      return { status: 200, headers: { etag: etag(found) }, body: found };
    }
    case "PUT ": {
      const body = await bodyOf(request);
      bucket.set(key, body);
      return { status: 200, headers: { etag: etag(body) } };
    }
    case "DELETE ":
      bucket.delete(key);
      return { status: 204 };
    case "POST uploads":
      return document("InitiateMultipartUploadResult", { Bucket: name, Key: key, UploadId: begin(account) });
    case "PUT partNumber,uploadId": {
      const body = await bodyOf(request);
      partsOf(account, upload).set(url.searchParams.get("partNumber")?.padStart(5, "0") ?? "", body);
      return { status: 200, headers: { etag: etag(body) } };
    }
    case "POST uploadId": {
      const parts = [...partsOf(account, upload)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, part]) => part);
      bucket.set(key, Buffer.concat(parts));
      uploads.get(account)?.delete(upload ?? "");
      return document("CompleteMultipartUploadResult", {
        Bucket: name,
        Key: key,
        ETag: etag(Buffer.concat(parts)),
      });
    }
    default:
      throw new AwsFailure("NotImplemented", `${request.method} ${request.url}`, { status: 501 });
  }
}

function answerBucket(
  { region }: Account,
  bucket: ReadonlyMap<string, Buffer>,
  name: string,
  method: string,
  query: URLSearchParams,
): S3Answer {
  if (method === "HEAD") return { status: 200 };
  if (method === "GET" && query.has("location")) {
    return document("LocationConstraint", region === "us-east-1" ? {} : region);
  }
  if (method === "GET" && query.has("encryption")) {
    const ApplyServerSideEncryptionByDefault = { SSEAlgorithm: "AES256" };
    return document("ServerSideEncryptionConfiguration", { Rule: [{ ApplyServerSideEncryptionByDefault }] });
  }
  if (method === "GET" && query.get("list-type") === "2") {
    const prefix = query.get("prefix") ?? "";
    const keys = [...bucket.keys()].filter((key) => key.startsWith(prefix));
    return document("ListBucketResult", {
      Name: name,
      Prefix: prefix,
      KeyCount: keys.length,
      IsTruncated: false,
      Contents: keys.map((Key) => ({ Key, Size: bucket.get(Key)?.length ?? 0 })),
    });
  }
  throw new AwsFailure("NotImplemented", `${method} ${name}?${query}`, { status: 501 });
}

/** Parts of uploads that are under way, by account and id. */
const uploads = new WeakMap<Account, Map<string, Map<string, Buffer>>>();

function begin(account: Account): string {
  const id = randomUUID();
  uploads.set(account, (uploads.get(account) ?? new Map()).set(id, new Map()));
  return id;
}

function partsOf(account: Account, id: string | null): Map<string, Buffer> {
  const parts = uploads.get(account)?.get(id ?? "");
  if (parts === undefined)
    throw new AwsFailure("NoSuchUpload", `The upload ${id} does not exist`, { status: 404 });
  return parts;
}

/** A body as it was meant, also where the client sent it in signed chunks. A checksum that was sent has to be right. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const sent = await buffer(request);
  const isChunked = request.headers["content-encoding"]?.includes("aws-chunked") === true;
  const body = isChunked ? unchunk(sent) : sent;
  const told = request.headers["x-amz-checksum-crc32"];
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  if (told !== undefined && told !== bytes.toString("base64")) {
    throw new AwsFailure("BadDigest", "The CRC32 you specified did not match what was received.");
  }
  return body;
}

function unchunk(sent: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < sent.length; ) {
    const end = sent.indexOf("\r\n", at);
    const size = Number.parseInt(sent.toString("latin1", at, end), 16);
    if (size === 0) break;
    parts.push(sent.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function document(name: string, value: Markup): S3Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${xml(name, value, "flat")}`;
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}

function etag(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}
