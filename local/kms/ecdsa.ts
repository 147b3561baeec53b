import { createECDH, createPublicKey } from "node:crypto";

const curve = "secp256k1";
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const coordinateBytes = 32;

/** The public key as SubjectPublicKeyInfo in DER. Throws for a private key that is not 32 bytes in the curve's range. */
export function publicKeyInfo(privateKey: Buffer): Buffer {
  const [x, y] = point(privateKey);
  const key = { kty: "EC", crv: curve, x: x.toString("base64url"), y: y.toString("base64url") };
  return createPublicKey({ key, format: "jwk" }).export({ format: "der", type: "spki" });
}

/**
 * An ECDSA signature of a 32-byte digest in DER, as KMS makes them: `s` high half of the time, and 68 to 72 bytes
 * long for the most part. Written out because node:crypto hashes whatever it signs.
 */
export function signDigest(privateKey: Buffer, digest: Buffer): Buffer {
  const once = createECDH(curve);
  once.generateKeys();
  const k = once.getPrivateKey();
  const r = toNumber(point(k)[0]) % order;
  const s = (inverse(toNumber(k)) * (toNumber(digest) + r * toNumber(privateKey))) % order;
  return element(0x30, Buffer.concat([integer(r), integer(s)]));
}

function point(privateKey: Buffer): readonly [x: Buffer, y: Buffer] {
  const ecdh = createECDH(curve);
  ecdh.setPrivateKey(privateKey);
  const [, ...coordinates] = ecdh.getPublicKey();
  return [
    Buffer.from(coordinates.slice(0, coordinateBytes)),
    Buffer.from(coordinates.slice(coordinateBytes)),
  ];
}

function toNumber(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}

/** By Fermat's little theorem, as the order is prime. */
function inverse(value: bigint): bigint {
  let [result, base] = [1n, value % order];
  for (let exponent = order - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % order;
    base = (base * base) % order;
  }
  return result;
}

/** A DER integer in the fewest bytes; a zero in front keeps a high bit from meaning minus. */
function integer(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return element(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag, content.length), content]);
}
