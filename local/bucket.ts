import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { escapeUTF8 } from "entities/escape";
import { type LocalServer, listen } from "./stand-in.ts";

/** The contents of a bucket. A bucket without `write` is read-only. */
export type BucketContents = {
  readonly read: (key: string) => Promise<Buffer | undefined>;
  readonly write?: (key: string, body: Buffer) => Promise<void>;
  /** Lists the keys that begin with the given text, in order. A bucket without `list` cannot be listed. */
  readonly list?: (prefix: string) => Promise<readonly string[]>;
};

type BucketOptions = {
  readonly buckets: Readonly<Record<string, BucketContents>>;
};

/**
 * Starts a small stand-in for S3 on the loopback interface. The stand-in serves GetObject, PutObject and ListObjectsV2 by path-style
 * addresses, refuses all other requests, and ignores signatures. For a missing file, the stand-in gives the answer that S3 gives to a role
 * that may not list the bucket.
 */
export async function startBucket({ buckets }: BucketOptions): Promise<LocalServer> {
  const server = createServer((request, response) => {
    answer(buckets, request, response).catch((error: unknown) => {
      console.error("The stand-in for S3 failed", error);
      sendError(response, 500, "InternalError", "We encountered an internal error.");
    });
  });
  return listen(server);
}

async function answer(
  buckets: BucketOptions["buckets"],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = "/" } = request;
  // Dots in a key, such as `..`, are not resolved. In a request for a key, each query parameter except the SDK's `x-id` requests an
  // operation of S3 other than GetObject or PutObject.
  const [path = "", query] = url.split("?");
  const [, name = "", ...rest] = path.split("/").map(decodeURIComponent);
  const key = rest.join("/");
  const bucket = Object.hasOwn(buckets, name) ? buckets[name] : undefined;
  if (bucket === undefined) {
    return sendError(response, 404, "NoSuchBucket", `There is no bucket ${name}.`);
  }
  const asked = new URLSearchParams(query);
  if (key === "" && method === "GET" && asked.get("list-type") === "2" && bucket.list !== undefined) {
    const [prefix, after] = [asked.get("prefix") ?? "", asked.get("continuation-token") ?? ""];
    const keys = (await bucket.list(prefix)).filter((found) => found > after);
    return listKeys(response, keys);
  }
  const others = [...asked.keys()].filter((parameter) => parameter !== "x-id");
  if (key !== "" && others.length === 0) {
    if (method === "GET") return sendFile(request, response, await bucket.read(key));
    if (method === "PUT" && bucket.write !== undefined) {
      const body = await buffer(request);
      await bucket.write(key, body);
      return void response.writeHead(200, { etag: computeEtag(body) }).end();
    }
  }
  sendError(response, 501, "NotImplemented", `${method} ${url} is not served by this stand-in.`);
}

/** A page of the list has at most a thousand keys, as in S3. The last key on a page is the token of the next page. */
function listKeys(response: ServerResponse, keys: readonly string[]): void {
  const page = keys.slice(0, 1000);
  const next = keys.length > page.length ? page.at(-1) : undefined;
  response.writeHead(200, { "content-type": "application/xml" });
  response.end(
    [
      `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult><IsTruncated>${next !== undefined}</IsTruncated>`,
      ...page.map((key) => `<Contents><Key>${escapeUTF8(key)}</Key></Contents>`),
      ...(next === undefined ? [] : [`<NextContinuationToken>${escapeUTF8(next)}</NextContinuationToken>`]),
      "</ListBucketResult>",
    ].join(""),
  );
}

function sendFile(request: IncomingMessage, response: ServerResponse, body: Buffer | undefined): void {
  if (body === undefined) {
    sendError(response, 403, "AccessDenied", "Access Denied");
    return;
  }
  const etag = computeEtag(body);
  if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { "content-length": body.length, etag }).end(body);
}

/** The ETag that S3 gives a file that was stored in one piece. */
function computeEtag(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeUTF8(message)}</Message></Error>`,
  );
}
