import { createECDH, createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { p256 } from "@noble/curves/p256";
import { secp256k1 } from "@noble/curves/secp256k1";
import * as z from "zod";
import {
  AwsFailure,
  type AwsOperation,
  type LocalServer,
  listen,
  makeAwsListener,
  makeOperation,
} from "./stand-in.ts";

/** A delay before the answer to a request, or a fault instead of the answer. */
export type KmsFault =
  | {
      readonly kind: "refuse";
      /** The exception's name, such as `ThrottlingException`. */
      readonly type: string;
      readonly message: string;
      /** The HTTP status of the fault; the default is 400, as in KMS's own refusals. */
      readonly status?: number;
    }
  | { readonly kind: "delay"; readonly milliseconds: number }
  /** Fields that replace fields of the true answer; bytes are in base64. */
  | { readonly kind: "alter"; readonly fields: Readonly<Record<string, unknown>> };

type KmsOptions = {
  readonly keys: readonly KmsKey[];
  /** The function that is called once for each request, with the action of the request: `GetPublicKey` or `Sign`. */
  readonly fault?: ((action: string) => KmsFault | undefined) | undefined;
};

/**
 * Starts a KMS stand-in that answers `GetPublicKey` and `Sign` on the loopback interface. Like KMS, the stand-in does not normalise ECDSA
 * signatures: `s` may be high, and the length of signatures varies. Throws if a private key is not valid on the curve.
 */
export async function startKms({ keys, fault }: KmsOptions): Promise<LocalServer> {
  const opened = new Map(
    keys.map((key) => {
      const arn = makeArn(key.id);
      return [arn, prepareKey(key, arn)] as const;
    }),
  );
  const served = Object.entries(makeOperations(opened)).map(
    ([action, run]) => [action, applyFault(run, () => fault?.(action))] as const,
  );
  const makeInputError = (message: string) => new AwsFailure("ValidationException", message);
  const service = { target: "TrentService", operations: Object.fromEntries(served), makeInputError };
  return listen(createServer(makeAwsListener(service)));
}

function applyFault(run: AwsOperation, takeFault: () => KmsFault | undefined): AwsOperation {
  return async (body, gone) => {
    const fault = takeFault();
    switch (fault?.kind) {
      case "refuse":
        throw new AwsFailure(fault.type, fault.message, { status: fault.status ?? 400 });
      case "delay":
        await sleep(fault.milliseconds, undefined, { signal: gone });
        return run(body, gone);
      case "alter":
        return Object.assign({}, await run(body, gone), fault.fields);
      case undefined:
        return run(body, gone);
    }
  };
}

const maxMessageBytes = 4096;

const keyInput = z.object({ KeyId: z.string().min(1) });
const signInput = keyInput.extend({
  Message: z.base64().transform((text) => Buffer.from(text, "base64")),
  MessageType: z.enum(["RAW", "DIGEST"]).default("RAW"),
  SigningAlgorithm: z.string(),
});

/** The ARN of a key or an alias. */
function makeArn(id: string): string {
  return `arn:aws:kms:us-east-1:000000000000:${id.startsWith("alias/") ? id : `key/${id}`}`;
}

/** KMS's actions on the given keys, which are found by id or ARN. */
function makeOperations(keys: ReadonlyMap<string, KmsKeyState>): Readonly<Record<string, AwsOperation>> {
  const requireKey = (id: string): KmsKeyState => {
    const arn = id.startsWith("arn:") ? id : makeArn(id);
    const key = keys.get(arn);
    if (key === undefined) throw new AwsFailure("NotFoundException", `Key '${arn}' does not exist`);
    return key;
  };
  return {
    GetPublicKey: makeOperation(keyInput, ({ KeyId }) => {
      const { arn, keySpec, keyUsage, signingAlgorithms, publicKey } = requireKey(KeyId);
      return {
        KeyId: arn,
        KeySpec: keySpec,
        CustomerMasterKeySpec: keySpec,
        KeyUsage: keyUsage,
        SigningAlgorithms: signingAlgorithms,
        PublicKey: publicKey().toString("base64"),
      };
    }),
    Sign: makeOperation(signInput, ({ KeyId, Message, MessageType, SigningAlgorithm }) => {
      const key = requireKey(KeyId);
      if (!key.signingAlgorithms.includes(SigningAlgorithm)) {
        const message = `${key.arn} is ${key.keySpec} for ${key.keyUsage}: it cannot sign by ${SigningAlgorithm}.`;
        throw new AwsFailure("InvalidKeyUsageException", message);
      }
      if (Message.length < 1 || Message.length > maxMessageBytes) {
        throw new AwsFailure("ValidationException", `A message has 1 to ${maxMessageBytes} bytes.`);
      }
      const signature = key.sign(computeDigest(Message, MessageType));
      return { KeyId: key.arn, Signature: signature.toString("base64"), SigningAlgorithm };
    }),
  };
}

/** A relayer's key, or a key of another kind that relayers cannot use. */
type KmsKey =
  | {
      /** The id of the key, or an alias such as `alias/relayer-0`. */
      readonly id: string;
      /** The private key: 32 bytes in hex, with or without 0x. */
      readonly privateKey: string;
    }
  | { readonly id: string; readonly keySpec: "ECC_NIST_P256" | "SYMMETRIC_DEFAULT" };

type KmsKeyState = {
  readonly arn: string;
  readonly keySpec: string;
  readonly keyUsage: string;
  readonly signingAlgorithms: readonly string[];
  /** The public key as SubjectPublicKeyInfo in DER. Throws for a symmetric key. */
  readonly publicKey: () => Buffer;
  /** Signs a SHA-256 digest and returns the signature in DER. */
  readonly sign: (digest: Buffer) => Buffer;
};

/** Prepares a key for signing. Throws if the private key is not valid on the curve. */
function prepareKey(key: KmsKey, arn: string): KmsKeyState {
  if ("privateKey" in key) {
    const secret = Buffer.from(key.privateKey.replace(/^0x/, ""), "hex");
    const publicKey = makePublicKeyInfo(secret);
    // Like KMS, the stand-in never makes the same signature twice, and `s` is high in half of the signatures.
    return makeSigningKey(arn, "ECC_SECG_P256K1", publicKey, (digest) =>
      secp256k1.sign(digest, secret, { lowS: false, extraEntropy: true }),
    );
  }
  if (key.keySpec === "ECC_NIST_P256") {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const secret = Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url");
    const info = publicKey.export({ format: "der", type: "spki" });
    return makeSigningKey(arn, key.keySpec, info, (digest) => p256.sign(digest, secret, { lowS: false }));
  }
  const refuseUse = (): never => {
    throw new AwsFailure("UnsupportedOperationException", `${arn} is a symmetric key.`);
  };
  const symmetric = { keySpec: key.keySpec, keyUsage: "ENCRYPT_DECRYPT", signingAlgorithms: [] };
  return { arn, ...symmetric, publicKey: refuseUse, sign: refuseUse };
}

function makeSigningKey(
  arn: string,
  keySpec: string,
  publicKey: Buffer,
  sign: (digest: Buffer) => { readonly toDERRawBytes: () => Uint8Array },
): KmsKeyState {
  const use = { keyUsage: "SIGN_VERIFY", signingAlgorithms: ["ECDSA_SHA_256"] };
  const toDer = (digest: Buffer) => Buffer.from(sign(digest).toDERRawBytes());
  return { arn, keySpec, ...use, publicKey: () => publicKey, sign: toDer };
}

/** The public key as SubjectPublicKeyInfo in DER. Throws if the private key is not 32 bytes in the curve's range. */
function makePublicKeyInfo(privateKey: Buffer): Buffer {
  const ecdh = createECDH("secp256k1");
  ecdh.setPrivateKey(privateKey);
  const [x, y] = [ecdh.getPublicKey().subarray(1, 33), ecdh.getPublicKey().subarray(33)];
  const key = { kty: "EC", crv: "secp256k1", x: x.toString("base64url"), y: y.toString("base64url") };
  return createPublicKey({ key, format: "jwk" }).export({ format: "der", type: "spki" });
}

/** The digest to sign: the message's SHA-256, or the caller's own digest. Throws if the caller's own digest is not 32 bytes long. */
function computeDigest(message: Buffer, messageType: "RAW" | "DIGEST"): Buffer {
  if (messageType === "RAW") return createHash("sha256").update(message).digest();
  if (message.length === 32) return message;
  throw new AwsFailure("ValidationException", "Digest is invalid length for algorithm ECDSA_SHA_256.");
}
