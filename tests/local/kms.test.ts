import { createHash } from "node:crypto";
import { InvalidKeyUsageException, KMSClient, SignCommand, type SignCommandInput } from "@aws-sdk/client-kms";
import { secp256k1 } from "@noble/curves/secp256k1";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startKms } from "../../local/kms.ts";
import { localAws } from "../support/aws.ts";
import { startPart } from "../support/provide.ts";

const KeyId = "3f1c7d0a-8f39-4a9e-bb0c-2b7a2a4f9d10";

let client: KMSClient;

const kms = startPart(() =>
  startKms({
    keys: [
      { id: KeyId, privateKey: generatePrivateKey() },
      { id: "alias/symmetric", keySpec: "SYMMETRIC_DEFAULT" },
    ],
  }),
);
beforeAll(async () => {
  client = new KMSClient({ endpoint: kms.endpoint, ...localAws });
});

afterAll(() => client.destroy());

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

test("the KMS stand-in's signatures are not normalised: s is high in some and low in others, and the length varies", async () => {
  const all = await Promise.all(Array.from({ length: 60 }, () => sign()));
  const high = all.filter((der) => secp256k1.Signature.fromDER(der).hasHighS()).length;
  expect(high).toBeGreaterThan(5);
  expect(high).toBeLessThan(55);
  expect(new Set(all.map(({ length }) => length)).size).toBeGreaterThan(1);
});

test("a request for a signature is refused if the digest has the wrong length, if the algorithm is wrong, or if the key cannot sign", async () => {
  await expect(sign({ Message: message })).rejects.toThrow("Digest is invalid length");
  await expect(sign({ SigningAlgorithm: "ECDSA_SHA_384" })).rejects.toThrow(InvalidKeyUsageException);
  await expect(sign({ KeyId: "alias/symmetric" })).rejects.toThrow(InvalidKeyUsageException);
  await expect(sign({ Message: Buffer.alloc(4097), MessageType: "RAW" })).rejects.toThrow("1 to 4096 bytes");
});
