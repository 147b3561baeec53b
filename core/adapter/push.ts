import {
  createCipheriv,
  createECDH,
  createHash,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  sign,
} from "node:crypto";
import { GetPublicKeyCommand, type KMSClient, SignCommand } from "@aws-sdk/client-kms";
import { p256 } from "@noble/curves/p256";
import { tryCall } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { Log, Push, PushResult, PushTarget } from "../port/cloud.ts";
import { rememberRead } from "./kms.ts";

/** The stage's P-256 key, by which push services recognise the sender (RFC 8292). */
export type PushSigner = {
  /** The public key as an uncompressed point of 65 bytes. */
  publicKey(): Promise<Uint8Array>;
  /** Signs the given bytes with ES256, and returns r and s in 64 bytes. */
  sign(message: Uint8Array): Promise<Uint8Array>;
};

/**
 * Two durations in seconds: how long a push service stores a message that it cannot deliver yet, and how long our token for a push service
 * is valid (at most a day by RFC 8292).
 */
const keptFor = 24 * 60 * 60;
const tokenFor = 12 * 60 * 60;
/** The time limit in milliseconds for one answer of a push service. */
const usualTimeLimit = 5_000;
/** The maximum size of a message's text in bytes: push services accept 4,096 bytes, encryption included. */
const longest = 3_000;

type PushOptions = {
  readonly signer: PushSigner;
  readonly subject: string;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The maximum number of milliseconds to wait for a push service's answer. If no answer comes in time, the message is sent again, although
   * the push service may have accepted it.
   */
  readonly timeLimit?: number;
};

/**
 * Sends messages to browsers' push services by Web Push (RFC 8030). Messages are encrypted by the method of RFC 8291, and the sender
 * identifies itself by the method of RFC 8292. `subject` is the service's own contact address.
 */
export function makeWebPush({ signer, subject, clock, log, timeLimit = usualTimeLimit }: PushOptions): Push {
  const tokens = new Map<string, { readonly header: string; readonly until: number }>();

  async function makeAuthorization(audience: string): Promise<string> {
    const now = Math.floor(clock.now() / 1000);
    const known = tokens.get(audience);
    if (known !== undefined && known.until - now > tokenFor / 2) return known.header;
    const until = now + tokenFor;
    const claims = [
      { typ: "JWT", alg: "ES256" },
      { aud: audience, exp: until, sub: subject },
    ];
    const said = claims.map((part) => encodeText(JSON.stringify(part))).join(".");
    const signature = await signer.sign(Buffer.from(said));
    const header = `vapid t=${said}.${encodeBytes(signature)}, k=${encodeBytes(await signer.publicKey())}`;
    tokens.set(audience, { header, until });
    return header;
  }

  return {
    async send(target, text, topic) {
      const { origin, host } = new URL(target.endpoint);
      const body = encrypt(target, Buffer.from(text));
      if (body === undefined) return { status: "gone" };
      const headers = {
        authorization: await makeAuthorization(origin),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(keptFor),
        urgency: "normal",
        topic: encodeText(createHash("sha256").update(topic).digest("hex").slice(0, 20)),
      };
      try {
        const signal = AbortSignal.timeout(timeLimit);
        const init = { method: "POST", headers, body, redirect: "manual", signal } as const;
        const response = await fetch(target.endpoint, init);
        await response.body?.cancel();
        const delivery = readDelivery(response);
        if (![200, 201, 202, 404, 410].includes(response.status))
          log.warn("push_refused", { host, status: response.status });
        return delivery;
      } catch (error) {
        log.warn("push_unanswered", { host, error: error instanceof Error ? error.name : "unknown" });
        return { status: "later", retryAfter: undefined };
      }
    },
  };
}

/** A redirect is not followed, because the address in the redirect has not been checked. */
function readDelivery({ status, headers }: Response): PushResult {
  if (status >= 200 && status < 300) return { status: "sent" };
  if (status === 404 || status === 410) return { status: "gone" };
  if (status !== 429 && status < 500) return { status: "refused" };
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return { status: "later", retryAfter: Number.isFinite(seconds) ? seconds : undefined };
}

/** `privateKey` belongs to the key pair that the sender makes for a single message. */
type MessageKeys = { readonly privateKey: Uint8Array; readonly salt: Uint8Array };

/**
 * Encrypts one message for a browser (RFC 8291, in RFC 8188's form). Returns `undefined` if the browser's key is not a point of the curve.
 * `fixed` sets the key and the salt, so that a test can repeat the RFC's example.
 */
export function encrypt(
  { p256dh, auth }: Pick<PushTarget, "p256dh" | "auth">,
  text: Uint8Array,
  fixed?: MessageKeys,
): Uint8Array<ArrayBuffer> | undefined {
  if (text.byteLength > longest)
    throw new RangeError(`A notification of ${text.byteLength} bytes is too long`);
  const receiver = Buffer.from(p256dh, "base64url");
  const pair = createECDH("prime256v1");
  if (fixed === undefined) pair.generateKeys();
  else pair.setPrivateKey(fixed.privateKey);
  // Node.js throws for a key that is not a point of the curve.
  const shared = tryCall(() => pair.computeSecret(receiver));
  if (shared === undefined) return undefined;
  const sender = pair.getPublicKey();
  const salt = fixed?.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender]);
  const secret = Buffer.from(hkdfSync("sha256", shared, Buffer.from(auth, "base64url"), info, 32));
  const deriveBytes = (name: string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
  const cipher = createCipheriv("aes-128-gcm", deriveBytes("aes128gcm", 16), deriveBytes("nonce", 12));
  // The last record of an encrypted message ends with the byte 2.
  const encrypted = Buffer.concat([cipher.update(text), cipher.update(Uint8Array.of(2)), cipher.final()]);
  const size = Buffer.alloc(5);
  size.writeUInt32BE(4_096);
  size.writeUInt8(sender.byteLength, 4);
  return Uint8Array.from(Buffer.concat([salt, size, sender, encrypted, cipher.getAuthTag()]));
}

/**
 * The push key of a stage, which is stored in KMS (ECC_NIST_P256, SIGN_VERIFY). The key's private half never leaves KMS, and the key's
 * public half is read once.
 */
export function makeKmsPushSigner(client: KMSClient, keyId: string): PushSigner {
  return {
    publicKey: rememberRead(() => readPublicKey(client, keyId)),
    async sign(message) {
      const Message = createHash("sha256").update(message).digest();
      const request = {
        KeyId: keyId,
        Message,
        MessageType: "DIGEST",
        SigningAlgorithm: "ECDSA_SHA_256",
      } as const;
      const { Signature } = await client.send(new SignCommand(request));
      if (Signature === undefined) throw new Error(`KMS returned no signature by the key ${keyId}`);
      return p256.Signature.fromDER(Signature).toCompactRawBytes();
    },
  };
}

async function readPublicKey(client: KMSClient, keyId: string): Promise<Uint8Array> {
  const { KeySpec, PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyId }));
  if (KeySpec !== "ECC_NIST_P256" || PublicKey === undefined)
    throw new Error(`The key ${keyId} is of the kind ${KeySpec}: it cannot sign for push services`);
  // The DER form of a public key ends with the uncompressed point.
  return PublicKey.slice(-65);
}

/** Makes the devnet's push key from a BIP-39 phrase. */
export function makePhrasePushSigner(phrase: string): PushSigner {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(createHash("sha256").update(`push ${phrase}`).digest());
  const point = pair.getPublicKey();
  const encodeHalf = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const key = createPrivateKey({
    format: "jwk",
    key: { kty: "EC", crv: "P-256", x: encodeHalf(1), y: encodeHalf(33), d: pair.getPrivateKey("base64url") },
  });
  return {
    publicKey: async () => point,
    sign: async (message) => sign("sha256", message, { key, dsaEncoding: "ieee-p1363" }),
  };
}

const encodeText = (text: string) => Buffer.from(text).toString("base64url");
const encodeBytes = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
