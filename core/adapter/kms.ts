import {
  GetPublicKeyCommand,
  type KMSClient,
  SignCommand,
  UnsupportedOperationException,
} from "@aws-sdk/client-kms";
import { hexToBytes, keccak256, serializeTransaction } from "viem/utils";
import { pointFromDer, signatureFromDer } from "../chain/der.ts";
import { type Address, type Hex, lower } from "../chain/hex.ts";
import { addressOf, type RecoverableSignature, recoverable } from "../chain/secp256k1.ts";
import { AppError } from "../error.ts";
import type { Signer } from "../port/signer.ts";

const keySpec = "ECC_SECG_P256K1";
const keyUsage = "SIGN_VERIFY";

/** Milliseconds for one answer, a repetition by the client included: the request still has the chain to wait for. */
const usualTimeLimit = 5_000;

type Kms = { readonly client: KMSClient; readonly timeLimit: number };

/**
 * Relayer keys in AWS KMS, named by id, ARN or alias: key spec ECC_SECG_P256K1, usage SIGN_VERIFY. Their addresses are
 * read once, when first asked for; a key that is named twice counts once.
 *
 * Throws `upstream` `signer_unavailable` when KMS refuses, fails or takes longer than `timeLimit` milliseconds, and
 * an Error naming the key when it is of another kind or its answer is unusable: a fault of the deployment.
 */
export function kmsSigner(
  client: KMSClient,
  keyIds: readonly string[],
  timeLimit: number = usualTimeLimit,
): Signer {
  const kms = { client, timeLimit };
  const keys = keyIds.map((keyId) => kept(async () => [await readAddress(kms, keyId), keyId] as const));
  const pool = async () => new Map(await Promise.all(keys.map((key) => key())));
  return {
    addresses: async () => [...(await pool()).keys()],
    async sign(address, transaction) {
      const signer = lower(address);
      const keyId = (await pool()).get(signer);
      if (keyId === undefined) throw new TypeError(`No relayer key for ${address}`);
      const unsigned = { ...transaction, type: "eip1559" } as const;
      const digest = keccak256(serializeTransaction(unsigned));
      return serializeTransaction(unsigned, await signDigest(kms, { keyId, signer, digest }));
    },
  };
}

async function readAddress({ client, timeLimit }: Kms, keyId: string): Promise<Address> {
  const command = new GetPublicKeyCommand({ KeyId: keyId });
  const key = await client
    .send(command, { abortSignal: AbortSignal.timeout(timeLimit) })
    .catch((cause: unknown) => {
      // The answer for a symmetric key, which has no public half.
      throw cause instanceof UnsupportedOperationException ? unfit(keyId, cause.message) : unavailable(cause);
    });
  if (key.KeySpec !== keySpec || key.KeyUsage !== keyUsage) {
    throw unfit(keyId, `it is ${key.KeySpec} for ${key.KeyUsage}`);
  }
  return usable(keyId, "public key", () => addressOf(pointFromDer(given(key.PublicKey))));
}

async function signDigest(
  { client, timeLimit }: Kms,
  { keyId, signer, digest }: { readonly keyId: string; readonly signer: Address; readonly digest: Hex },
): Promise<RecoverableSignature> {
  const command = new SignCommand({
    KeyId: keyId,
    Message: hexToBytes(digest),
    MessageType: "DIGEST",
    SigningAlgorithm: "ECDSA_SHA_256",
  });
  const { Signature } = await client
    .send(command, { abortSignal: AbortSignal.timeout(timeLimit) })
    .catch((cause: unknown) => {
      throw unavailable(cause);
    });
  const numbers = usable(keyId, "signature", () => signatureFromDer(given(Signature)));
  const signature = await recoverable(signer, digest, numbers);
  if (signature === undefined) throw new Error(`KMS key ${keyId} gave a signature that is not ${signer}'s`);
  return signature;
}

function given(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new TypeError("The answer has none");
  return bytes;
}

function usable<Value>(keyId: string, what: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new Error(`KMS key ${keyId} gave an unusable ${what}`, { cause });
  }
}

function unfit(keyId: string, what: string): Error {
  return new Error(`KMS key ${keyId} cannot be a relayer's, which is ${keySpec} for ${keyUsage}: ${what}`);
}

function unavailable(cause: unknown): AppError {
  return new AppError(
    "upstream",
    "signer_unavailable",
    "Transactions cannot be signed right now. Try again shortly.",
    { cause, retryAfter: 5 },
  );
}

/** Reads once for all who ask, at the same time or later; a failed read is forgotten, so that the next one tries again. */
function kept<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= read().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
