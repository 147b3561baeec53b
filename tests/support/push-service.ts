import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer } from "node:http";
import * as z from "zod";
import { listen } from "../../local/stand-in.ts";

/** The answer of a browser's push service to a message. */
type PushReply = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export type PushBrowser = {
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** The decrypted messages that the browser has shown. */
  readonly shown: unknown[];
  /** The push service's answers to the next messages for this browser, instead of the usual status 201. */
  readonly answers: PushReply[];
};

const Header = z.object({ typ: z.literal("JWT"), alg: z.literal("ES256") });
const Claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string().regex(/^(https:\/\/|mailto:)/) });

/**
 * A push service of a browser, as strict as the vendors' services. The push service accepts only messages that have a `TTL` and at most
 * 4,096 bytes and are encrypted for the subscription (RFC 8291). Each message needs a token for this push service. The token must be signed
 * by the subscription's key, and be valid for at most a day (RFC 8292).
 */
export async function startPushService() {
  const browsers = new Map<
    string,
    PushBrowser & { readonly open: (body: Buffer) => unknown; key: string | undefined }
  >();
  const refused: string[] = [];
  let origin = "";
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const browser = browsers.get(request.url ?? "");
      const refuse = (status: number, reason: string) => {
        refused.push(reason);
        response.writeHead(status).end(reason);
      };
      if (request.method !== "POST") return refuse(405, "method");
      if (browser === undefined) return refuse(404, "unknown subscription");
      const { ttl, topic, authorization = "" } = request.headers;
      const body = Buffer.concat(parts);
      if (!/^\d+$/.test(String(ttl))) return refuse(400, "no TTL");
      if (topic !== undefined && !/^[\w-]{1,32}$/.test(String(topic))) return refuse(400, "bad topic");
      if (body.byteLength > 4_096) return refuse(413, "too large");
      if (request.headers["content-encoding"] !== "aes128gcm") return refuse(400, "encoding");
      const fault = findFault(authorization, { origin, key: browser.key });
      if (fault !== undefined) return refuse(403, fault);
      const next = browser.answers.shift();
      if (next !== undefined) return response.writeHead(next.status, next.headers).end();
      try {
        browser.shown.push(browser.open(body));
      } catch (error) {
        return refuse(400, `cannot be read: ${String(error)}`);
      }
      return response.writeHead(201, { location: `${origin}/message` }).end();
    });
  });
  const { endpoint, stop } = await listen(server);
  origin = endpoint;
  return {
    origin,
    refused,
    /**
     * Makes a browser that subscribes with the given key of our service, in base64url. If no key is given, the browser accepts messages
     * with any key.
     */
    makeBrowser(key?: string): PushBrowser {
      const pair = createECDH("prime256v1");
      pair.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(16).toString("base64url")}`;
      const made = {
        subscription: {
          endpoint: `${origin}${path}`,
          keys: { p256dh: pair.getPublicKey("base64url"), auth: auth.toString("base64url") },
        },
        shown: [],
        answers: [],
        key,
        open: (body: Buffer) => JSON.parse(decrypt(body, pair, auth).toString()),
      };
      browsers.set(path, made);
      return made;
    },
    stop,
  };
}

function findFault(
  authorization: string,
  { origin, key }: { readonly origin: string; readonly key: string | undefined },
): string | undefined {
  const [, token = "", k = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = "", claims = "", signature = ""] = token.split(".");
  const parse = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString() || "null");
  const said = Claims.safeParse(parse(claims));
  if (!Header.safeParse(parse(header)).success || !said.success) return "token";
  const { aud, exp } = said.data;
  const now = Date.now() / 1000;
  if (aud !== origin) return "token for another service";
  if (exp <= now || exp > now + 24 * 60 * 60) return "token's end";
  if (key !== undefined && key !== k) return "another key than subscribed";
  const point = Buffer.from(k, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({
    format: "jwk",
    key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" },
  });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  return isSigned ? undefined : "token's signature";
}

/** Decrypts a message as a browser does (RFC 8291 §3.4, RFC 8188 §2). */
function decrypt(body: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const length = body.readUInt8(20);
  if (length !== 65 || body.readUInt32BE(16) < 18) throw new TypeError("header");
  const sender = body.subarray(21, 21 + length);
  const sealed = body.subarray(21 + length);
  const derive = (secret: Uint8Array, salted: Uint8Array, info: Uint8Array, size: number) =>
    Buffer.from(hkdfSync("sha256", secret, salted, info, size));
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), sender]);
  const ikm = derive(pair.computeSecret(sender), auth, keyInfo, 32);
  const key = derive(ikm, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(ikm, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new TypeError("padding");
  return padded.subarray(0, end);
}
