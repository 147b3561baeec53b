import { createHash, createPublicKey, verify } from "node:crypto";
import {
  GetPublicKeyCommand,
  InvalidKeyUsageException,
  KMSClient,
  KMSInvalidStateException,
  NotFoundException,
  SignCommand,
  type SignCommandInput,
  UnsupportedOperationException,
} from "@aws-sdk/client-kms";
import { secp256k1 } from "@noble/curves/secp256k1";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type KmsFault, startKms } from "../../local/kms.ts";

const KeyId = "3f1c7d0a-8f39-4a9e-bb0c-2b7a2a4f9d10";
const Arn = `arn:aws:kms:us-east-1:000000000000:key/${KeyId}`;

let fault: KmsFault | undefined;
let calls = 0;
let kms: Awaited<ReturnType<typeof startKms>>;
let client: KMSClient;

beforeAll(async () => {
  kms = await startKms({
    port: 0,
    keys: [
      { id: KeyId, privateKey: generatePrivateKey() },
      { id: "alias/p256", keySpec: "ECC_NIST_P256" },
      { id: "alias/symmetric", keySpec: "SYMMETRIC_DEFAULT" },
    ],
    fault: () => {
      calls += 1;
      return fault;
    },
  });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  client = new KMSClient({ endpoint: kms.endpoint, region: "us-east-1", credentials });
});

afterAll(async () => {
  client.destroy();
  await kms.stop();
});

afterEach(() => {
  fault = undefined;
});

const message = Buffer.from("A message of any length.");
const digest = createHash("sha256").update(message).digest();

async function sign(input: Partial<SignCommandInput> = {}): Promise<Uint8Array> {
  const command = new SignCommand({
    KeyId,
    Message: digest,
    MessageType: "DIGEST",
    SigningAlgorithm: "ECDSA_SHA_256",
    ...input,
  });
  return (await client.send(command)).Signature ?? Buffer.of();
}

async function publicKey() {
  const { PublicKey = Buffer.of() } = await client.send(new GetPublicKeyCommand({ KeyId }));
  return createPublicKey({ key: Buffer.from(PublicKey), format: "der", type: "spki" });
}

describe("signatures", () => {
  test("signatures of a digest and of a message verify under the public key", async () => {
    const key = await publicKey();
    const ofMessage = await sign({ Message: message, MessageType: "RAW" });
    expect(verify("sha256", message, key, await sign())).toBe(true);
    expect(verify("sha256", message, key, ofMessage)).toBe(true);
    expect(verify("sha256", Buffer.from("Another message."), key, ofMessage)).toBe(false);
  });

  test("a key on P-256 signs, and its signature verifies under its own public key", async () => {
    const { PublicKey = Buffer.of() } = await client.send(new GetPublicKeyCommand({ KeyId: "alias/p256" }));
    const key = createPublicKey({ key: Buffer.from(PublicKey), format: "der", type: "spki" });
    expect(verify("sha256", message, key, await sign({ KeyId: "alias/p256" }))).toBe(true);
  });

  test("signatures are not normalised: s is high or low and the length varies", async () => {
    const all = await Promise.all(Array.from({ length: 60 }, () => sign()));
    const high = all.filter((der) => secp256k1.Signature.fromDER(der).hasHighS()).length;
    expect(high).toBeGreaterThan(5);
    expect(high).toBeLessThan(55);
    expect(new Set(all.map(({ length }) => length)).size).toBeGreaterThan(1);
  });

  test("signatures are refused for a digest of another length, another algorithm, and keys that cannot sign", async () => {
    await expect(sign({ Message: message })).rejects.toThrow("Digest is invalid length");
    await expect(sign({ SigningAlgorithm: "ECDSA_SHA_384" })).rejects.toThrow(InvalidKeyUsageException);
    await expect(sign({ KeyId: "alias/symmetric" })).rejects.toThrow(InvalidKeyUsageException);
    await expect(sign({ Message: Buffer.alloc(4097), MessageType: "RAW" })).rejects.toThrow(
      "1 to 4096 bytes",
    );
  });
});

describe("keys", () => {
  test("keys are found by id and ARN, and show their ids", async () => {
    const { $metadata, PublicKey, ...rest } = await client.send(new GetPublicKeyCommand({ KeyId: Arn }));
    expect($metadata.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(PublicKey).toHaveLength(88);
    expect(rest).toEqual({
      KeyId: Arn,
      KeySpec: "ECC_SECG_P256K1",
      CustomerMasterKeySpec: "ECC_SECG_P256K1",
      KeyUsage: "SIGN_VERIFY",
      SigningAlgorithms: ["ECDSA_SHA_256"],
    });
  });

  test("keys of other kinds answer as KMS does", async () => {
    const p256 = await client.send(new GetPublicKeyCommand({ KeyId: "alias/p256" }));
    expect(p256.KeySpec).toBe("ECC_NIST_P256");
    const symmetric = client.send(new GetPublicKeyCommand({ KeyId: "alias/symmetric" }));
    await expect(symmetric).rejects.toThrow(UnsupportedOperationException);
    await expect(client.send(new GetPublicKeyCommand({ KeyId: "nobody" }))).rejects.toThrow(
      NotFoundException,
    );
  });

  test("keys outside the curve's range make the start fail", async () => {
    const privateKey = `0x${"ff".repeat(32)}`;
    await expect(startKms({ port: 0, keys: [{ id: KeyId, privateKey }] })).rejects.toThrow();
  });
});

describe("faults", () => {
  test("faults become the SDK's own exceptions", async () => {
    fault = { kind: "refuse", type: "KMSInvalidStateException", message: "The key is pending deletion." };
    await expect(sign()).rejects.toThrow(KMSInvalidStateException);
  });

  test("faults that pass are retried by the client", async () => {
    fault = { kind: "refuse", type: "ThrottlingException", message: "Rate exceeded" };
    const before = calls;
    const signed = sign();
    await expect.poll(() => calls, { interval: 1 }).toBe(before + 1);
    fault = undefined;
    expect((await signed).length).toBeGreaterThan(0);
    expect(calls).toBe(before + 2);
  });

  test("faults may alter an answer", async () => {
    fault = { kind: "alter", fields: { Signature: "MAA=" } };
    expect(await sign()).toEqual(Uint8Array.of(0x30, 0));
  });
});
