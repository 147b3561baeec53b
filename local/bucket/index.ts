import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { listen } from "../wire/listen.ts";
import type { Objects, StoredObject } from "./objects.ts";

export type BucketOptions = {
  /** 0 takes a free port. */
  readonly port: number;
  readonly name: string;
  readonly objects: Objects;
};

export type Bucket = { readonly endpoint: string; readonly stop: () => Promise<void> };

/** A refusal in S3's own words. */
class S3Failure extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Starts a small S3 with one bucket on the loopback interface. It knows GetObject, HeadObject and PutObject with a body
 * in one piece, by path-style addresses, and checks the CRC-32 that the client sends; signatures are ignored.
 */
export async function startBucket({ port, name, objects }: BucketOptions): Promise<Bucket> {
  const server = createServer((request, response) => void serve({ name, objects }, request, response));
  return listen(server, port);
}

type Served = { readonly name: string; readonly objects: Objects };

async function serve(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader("x-amz-request-id", randomUUID());
  try {
    await answer(served, request, response);
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    refuse(response, error);
  }
}

async function answer(
  { name, objects }: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const key = keyIn(name, request.url ?? "/");
  switch (request.method) {
    case "GET":
    case "HEAD":
      return give(response, await objects.get(key));
    case "PUT": {
      const body = await bodyOf(request);
      const { etag } = await objects.put(key, {
        body,
        contentType: request.headers["content-type"] ?? "binary/octet-stream",
        cacheControl: request.headers["cache-control"],
      });
      response.writeHead(200, { etag }).end();
      return;
    }
    default:
      throw new S3Failure(501, "NotImplemented", `${request.method} is not served by this stand-in.`);
  }
}

/**
 * The key as it was sent: no dots are resolved in it. Parameters name other operations, but for the SDK's own mark of the
 * one that it calls.
 */
function keyIn(bucket: string, target: string): string {
  const [path = "", query] = target.split("?");
  const [, first = "", ...rest] = path.split("/").map(decodeURIComponent);
  if (first !== bucket) {
    throw new S3Failure(404, "NoSuchBucket", `The specified bucket ${first} does not exist.`);
  }
  const others = [...new URLSearchParams(query).keys()].filter((parameter) => parameter !== "x-id");
  const key = rest.join("/");
  if (others.length > 0 || key === "") {
    throw new S3Failure(501, "NotImplemented", `${target} is not served by this stand-in.`);
  }
  return key;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  if (request.headers["content-encoding"]?.includes("aws-chunked") === true) {
    throw new S3Failure(501, "NotImplemented", "Bodies in chunks are not served by this stand-in.");
  }
  const body = await buffer(request);
  const told = request.headers["x-amz-checksum-crc32"];
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  if (told !== undefined && told !== bytes.toString("base64")) {
    throw new S3Failure(400, "BadDigest", "The CRC32 you specified did not match what was received.");
  }
  return body;
}

function give(response: ServerResponse, object: StoredObject | undefined): void {
  if (object === undefined) throw new S3Failure(404, "NoSuchKey", "The specified key does not exist.");
  const { body, contentType, cacheControl, etag, changedAt } = object;
  response.writeHead(200, {
    "content-type": contentType,
    "content-length": body.length,
    ...(cacheControl !== undefined && { "cache-control": cacheControl }),
    etag,
    "last-modified": new Date(changedAt).toUTCString(),
  });
  // node leaves the body out of an answer to HEAD.
  response.end(body);
}

function refuse(response: ServerResponse, error: unknown): void {
  const known = error instanceof S3Failure ? error : undefined;
  if (known === undefined) console.error("The stand-in for S3 failed", error);
  const { status, code, message } =
    known ?? new S3Failure(500, "InternalError", "We encountered an internal error. Please try again.");
  const text = message.replace(/[<&]/g, (character) => `&#${character.charCodeAt(0)};`);
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message></Error>`,
  );
}
