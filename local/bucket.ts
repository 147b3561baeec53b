import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { escapeUTF8 } from "entities/escape";
import { listen } from "./stand-in.ts";

type BucketOptions = {
  /** 0 takes a free port. */
  readonly port: number;
  readonly name: string;
  /** What the bucket holds under a key. */
  readonly read: (key: string) => Promise<Buffer | undefined>;
};

export type Bucket = { readonly endpoint: string; readonly stop: () => Promise<void> };

type Failure = { readonly status: number; readonly code: string; readonly message: string };

/**
 * Starts a small S3 with one bucket on the loopback interface. It knows GetObject by path-style addresses, and refuses all
 * else; signatures are ignored. As to roles that may not list it, S3 does not say of a file that it is missing.
 */
export async function startBucket({ port, ...bucket }: BucketOptions): Promise<Bucket> {
  const server = createServer((request, response) => {
    answer(bucket, request, response).catch((error: unknown) => {
      console.error("The stand-in for S3 failed", error);
      refuse(response, { status: 500, code: "InternalError", message: "We encountered an internal error." });
    });
  });
  return listen(server, port);
}

async function answer(
  { name, read }: Omit<BucketOptions, "port">,
  { method, url = "/" }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // No dots are resolved in a key. Parameters name other operations, but for the SDK's own mark of the one that it calls.
  const [path = "", query] = url.split("?");
  const [, bucket = "", ...rest] = path.split("/").map(decodeURIComponent);
  const key = rest.join("/");
  if (bucket !== name) {
    return refuse(response, { status: 404, code: "NoSuchBucket", message: `There is no bucket ${bucket}.` });
  }
  const others = [...new URLSearchParams(query).keys()].filter((parameter) => parameter !== "x-id");
  if (method !== "GET" || key === "" || others.length > 0) {
    const message = `${method} ${url} is not served by this stand-in.`;
    return refuse(response, { status: 501, code: "NotImplemented", message });
  }
  const body = await read(key);
  if (body === undefined) {
    return refuse(response, { status: 403, code: "AccessDenied", message: "Access Denied" });
  }
  response.writeHead(200, { "content-length": body.length }).end(body);
}

function refuse(response: ServerResponse, { status, code, message }: Failure): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeUTF8(message)}</Message></Error>`,
  );
}
