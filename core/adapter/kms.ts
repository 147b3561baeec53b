import {
  GetPublicKeyCommand,
  type KMSClient,
  SignCommand,
  UnsupportedOperationException,
} from "@aws-sdk/client-kms";
import { secp256k1 } from "@noble/curves/secp256k1";
import {
  bytesToHex,
  hexToBytes,
  keccak256,
  numberToHex,
  publicKeyToAddress,
  serializeTransaction,
} from "viem/utils";
import { type Address, type Hex, lower } from "../chain/hex.ts";
import { recoverSigner } from "../chain/signature.ts";
import { AppError } from "../error.ts";
import type { AddressBook, Signer, StatementSigner } from "../port/chain.ts";
import type { Log } from "../port/cloud.ts";

const keySpec = "ECC_SECG_P256K1";
const keyUsage = "SIGN_VERIFY";

/**
 * The time limit in milliseconds for one answer of KMS, including the client's retry. The time limit is short because the caller's request
 * still needs time for calls to the chain.
 */
const usualTimeLimit = 5_000;

type Kms = { readonly client: KMSClient; readonly timeLimit: number };

type KmsSettings = {
  readonly timeLimit?: number;
  /** Stored addresses of keys. KMS is asked only for the addresses that are not stored. */
  readonly book?: AddressBook | undefined;
  /** This log gets an entry when the stored addresses cannot be read or updated, or when a stored address is wrong. */
  readonly log?: Log;
};

/**
 * Relayer keys in AWS KMS, each named by its id, ARN or alias. Each key has the key spec ECC_SECG_P256K1 and the usage SIGN_VERIFY. The
 * keys' addresses are read once, on first use. A key that the list names twice is used as one key. If a stored address is wrong, the key's
 * first signature shows the error, so the signature is discarded and the right address is stored. Throws `signer_unavailable` (`upstream`)
 * when KMS refuses, fails or exceeds `timeLimit` milliseconds, and when the stored address was wrong. A key of the wrong kind or an
 * unusable answer of KMS is a fault of the deployment, and causes an Error that names the key.
 */
export function makeKmsSigner(
  client: KMSClient,
  keyIds: readonly string[],
  { timeLimit = usualTimeLimit, book, log }: KmsSettings = {},
): Signer {
  const kms = { client, timeLimit };
  const makeAddressReads = () =>
    new Map(keyIds.map((keyId) => [keyId, rememberRead(() => readAddress(kms, keyId))] as const));
  let asked = makeAddressReads();
  let pool = rememberRead(() => loadPool(readAddresses));

  async function loadPool(readKnown: () => Promise<ReadonlyMap<string, Address>>) {
    const known = await readKnown();
    const addresses = new Map(
      await Promise.all(
        [...asked].map(async ([keyId, ask]) => [keyId, known.get(keyId) ?? (await ask())] as const),
      ),
    );
    if (![...asked.keys()].every((keyId) => known.has(keyId))) await writeAddresses(addresses);
    return new Map([...addresses].map(([keyId, address]) => [address, keyId]));
  }

  async function readAddresses(): Promise<ReadonlyMap<string, Address>> {
    if (book === undefined) return new Map();
    return book.read().catch((error: unknown) => {
      log?.warn("signer_addresses_unread", { error });
      return new Map();
    });
  }

  async function writeAddresses(addresses: ReadonlyMap<string, Address>): Promise<void> {
    // A failure to store the addresses is only logged, because the addresses can be read from KMS again.
    await book
      ?.write(addresses)
      .catch((error: unknown) => log?.warn("signer_addresses_unwritten", { error }));
  }

  /**
   * Whether the address that KMS returns is different from the stored address. If the two addresses differ, the address that KMS returns
   * replaces the stored address.
   */
  async function isAddressWrong(keyId: string, believed: Address): Promise<boolean> {
    const address = await readAddress(kms, keyId);
    if (address === believed) return false;
    log?.warn("signer_address_wrong", { keyId, believed, address });
    asked = makeAddressReads();
    pool = rememberRead(() => loadPool(async () => new Map()));
    await pool();
    return true;
  }

  return {
    addresses: async () => [...(await pool()).keys()],
    async sign(address, transaction) {
      const signer = lower(address);
      const keyId = (await pool()).get(signer);
      if (keyId === undefined) throw new TypeError(`No relayer key for ${address}`);
      const unsigned = { ...transaction, type: "eip1559" } as const;
      const digest = hexToBytes(keccak256(serializeTransaction(unsigned)));
      const signature = await signDigest(kms, { keyId, signer, digest });
      if (signature !== undefined) return serializeTransaction(unsigned, signature);
      const foreign = new Error(`KMS key ${keyId} gave a signature that is not ${signer}'s`);
      throw book !== undefined && (await isAddressWrong(keyId, signer)) ? makeSignerError(foreign) : foreign;
    },
  };
}

/**
 * The key in AWS KMS that signs receipts and offers. The key for receipts has the same key spec and usage as the relayers' keys. The key's
 * address is read once. Throws `signer_unavailable` (`upstream`) when KMS refuses, fails or exceeds `timeLimit` milliseconds. Throws an
 * Error with the key's name if the key is of the wrong kind or KMS's answer is unusable.
 */
export function makeKmsStatements(
  client: KMSClient,
  keyId: string,
  { timeLimit = usualTimeLimit }: Pick<KmsSettings, "timeLimit"> = {},
): StatementSigner {
  const kms = { client, timeLimit };
  const address = rememberRead(() => readAddress(kms, keyId));
  return {
    address,
    async sign(digest: Hex) {
      const signer = await address();
      const signature = await signDigest(kms, { keyId, signer, digest: hexToBytes(digest) });
      if (signature !== undefined) {
        const { r, s, yParity } = signature;
        return `${r}${s.slice(2)}${yParity === 0 ? "1b" : "1c"}`;
      }
      throw new Error(`KMS key ${keyId} gave a signature that is not ${signer}'s`);
    },
  };
}

async function readAddress({ client, timeLimit }: Kms, keyId: string): Promise<Address> {
  const command = new GetPublicKeyCommand({ KeyId: keyId });
  const key = await client
    .send(command, { abortSignal: AbortSignal.timeout(timeLimit) })
    .catch((cause: unknown) => {
      // KMS answers UnsupportedOperationException for a symmetric key, because such a key has no public key.
      throw cause instanceof UnsupportedOperationException
        ? makeUnfitKeyError(keyId, cause.message)
        : makeSignerError(cause);
    });
  if (key.KeySpec !== keySpec || key.KeyUsage !== keyUsage) {
    throw makeUnfitKeyError(keyId, `it is ${key.KeySpec} for ${key.KeyUsage}`);
  }
  return readUsableValue(keyId, "public key", () => decodeDerAddress(requireBytes(key.PublicKey)));
}

/** Returns `undefined` if the signature was not made by the key of the address `signer`. */
async function signDigest(
  { client, timeLimit }: Kms,
  {
    keyId,
    signer,
    digest,
  }: { readonly keyId: string; readonly signer: Address; readonly digest: Uint8Array },
) {
  const command = new SignCommand({
    KeyId: keyId,
    Message: digest,
    MessageType: "DIGEST",
    SigningAlgorithm: "ECDSA_SHA_256",
  });
  const { Signature } = await client
    .send(command, { abortSignal: AbortSignal.timeout(timeLimit) })
    .catch((cause: unknown) => {
      throw makeSignerError(cause);
    });
  // Each signature has two equally valid values of `s`. Ethereum accepts only the lower value of `s` (EIP-2).
  const signature = readUsableValue(keyId, "signature", () =>
    secp256k1.Signature.fromDER(requireBytes(Signature)).normalizeS(),
  );
  const [r, s] = [numberToHex(signature.r, { size: 32 }), numberToHex(signature.s, { size: 32 })];
  for (const yParity of [0, 1] as const) {
    const found = await recoverSigner(bytesToHex(digest), `${r}${s.slice(2)}`, yParity);
    if (found === signer) return { r, s, yParity };
  }
  return undefined;
}

/** The SubjectPublicKeyInfo of an uncompressed secp256k1 point (RFC 5480) consists of a fixed head, the byte 04 and two coordinates. */
const publicKeyInfo = /^0x3056301006072a8648ce3d020106052b8104000a034200(04[0-9a-f]{128})$/;

/**
 * The address that belongs to a secp256k1 public key in DER. Throws for a key of the wrong kind or form, and for a point that is not on the
 * curve.
 */
function decodeDerAddress(der: Uint8Array): Address {
  const point = publicKeyInfo.exec(bytesToHex(der))?.[1];
  if (point === undefined)
    throw new TypeError("The bytes are not the DER form of an uncompressed secp256k1 public key");
  return lower(publicKeyToAddress(`0x${secp256k1.ProjectivePoint.fromHex(point).toHex(false)}`));
}

function requireBytes(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new TypeError("The bytes are missing in KMS's answer");
  return bytes;
}

function readUsableValue<Value>(keyId: string, valueName: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new Error(`KMS key ${keyId} gave an unusable ${valueName}`, { cause });
  }
}

function makeUnfitKeyError(keyId: string, fault: string): Error {
  return new Error(`KMS key ${keyId} cannot be a relayer's key (${keySpec} for ${keyUsage}): ${fault}`);
}

function makeSignerError(cause: unknown): AppError {
  return new AppError(
    "upstream",
    "signer_unavailable",
    "Transactions cannot be signed right now. Try again shortly.",
    { cause, retryAfter: 5 },
  );
}

/**
 * Reads a value once for all concurrent and later callers. If the read fails, the failure is not remembered, and the next caller reads the
 * value again.
 */
export function rememberRead<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= read().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
