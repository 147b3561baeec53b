import { createECDH, createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1";
import { AwsFailure } from "../wire/aws-json.ts";

/** A relayer's key, or one of a kind that relayers cannot use. */
export type KmsKey =
  | {
      /** Key id, or alias such as `alias/relayer-0`. */
      readonly id: string;
      /** 32 bytes of hex, with or without 0x. */
      readonly privateKey: string;
    }
  | { readonly id: string; readonly keySpec: "ECC_NIST_P256" | "SYMMETRIC_DEFAULT" };

export type Key = {
  readonly arn: string;
  readonly keySpec: string;
  readonly keyUsage: string;
  readonly signingAlgorithms: readonly string[];
  /** SubjectPublicKeyInfo in DER. Throws for a symmetric key. */
  readonly publicKey: () => Buffer;
  /** A signature of a SHA-256 digest in DER. */
  readonly sign: (digest: Buffer) => Buffer;
};

/** Throws for a private key that the curve does not have. */
export function openKey(key: KmsKey, arn: string): Key {
  if ("privateKey" in key) return signingKey(arn, Buffer.from(key.privateKey.replace(/^0x/, ""), "hex"));
  return key.keySpec === "ECC_NIST_P256" ? otherCurve(arn) : symmetric(arn);
}

function signingKey(arn: string, privateKey: Buffer): Key {
  const publicKey = publicKeyInfo(privateKey);
  return {
    arn,
    keySpec: "ECC_SECG_P256K1",
    keyUsage: "SIGN_VERIFY",
    signingAlgorithms: ["ECDSA_SHA_256"],
    publicKey: () => publicKey,
    // As KMS signs: never twice alike, and `s` is high half of the time.
    sign: (digest) =>
      Buffer.from(secp256k1.sign(digest, privateKey, { lowS: false, extraEntropy: true }).toDERRawBytes()),
  };
}

/** The public key as SubjectPublicKeyInfo in DER. Throws for a private key that is not 32 bytes in the curve's range. */
function publicKeyInfo(privateKey: Buffer): Buffer {
  const ecdh = createECDH("secp256k1");
  ecdh.setPrivateKey(privateKey);
  const [x, y] = [ecdh.getPublicKey().subarray(1, 33), ecdh.getPublicKey().subarray(33)];
  const key = { kty: "EC", crv: "secp256k1", x: x.toString("base64url"), y: y.toString("base64url") };
  return createPublicKey({ key, format: "jwk" }).export({ format: "der", type: "spki" });
}

function otherCurve(arn: string): Key {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    arn,
    keySpec: "ECC_NIST_P256",
    keyUsage: "SIGN_VERIFY",
    signingAlgorithms: ["ECDSA_SHA_256"],
    publicKey: () => publicKey.export({ format: "der", type: "spki" }),
    sign: () => {
      throw new AwsFailure("UnsupportedOperationException", "The stand-in signs with secp256k1 keys only.");
    },
  };
}

function symmetric(arn: string): Key {
  const unsupported = (): never => {
    throw new AwsFailure("UnsupportedOperationException", `${arn} is a symmetric key.`);
  };
  return {
    arn,
    keySpec: "SYMMETRIC_DEFAULT",
    keyUsage: "ENCRYPT_DECRYPT",
    signingAlgorithms: [],
    publicKey: unsupported,
    sign: unsupported,
  };
}

/** What is signed in the end: the message's SHA-256, or the digest that the caller has made. Throws for a wrong length. */
export function digestOf(message: Buffer, messageType: "RAW" | "DIGEST"): Buffer {
  if (messageType === "RAW") return createHash("sha256").update(message).digest();
  if (message.length === 32) return message;
  throw new AwsFailure("ValidationException", "Digest is invalid length for algorithm ECDSA_SHA_256.");
}
