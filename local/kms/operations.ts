import * as z from "zod";
import { AwsFailure, type Operation, operation } from "../wire/aws-json.ts";
import { digestOf, type Key } from "./key.ts";

const account = "000000000000";
const maxMessageBytes = 4096;

const keyInput = z.object({ KeyId: z.string().min(1) });
const signInput = keyInput.extend({
  Message: z.base64().transform((text) => Buffer.from(text, "base64")),
  MessageType: z.enum(["RAW", "DIGEST"]).default("RAW"),
  SigningAlgorithm: z.string(),
});

/** The ARN under which KMS would know a key or an alias. */
export function arnOf(id: string): string {
  return `arn:aws:kms:us-east-1:${account}:${id.startsWith("alias/") ? id : `key/${id}`}`;
}

/** The actions of KMS over the given keys, which are found by id or ARN. */
export function operations(keys: ReadonlyMap<string, Key>): Readonly<Record<string, Operation>> {
  const named = (id: string): Key => {
    const arn = id.startsWith("arn:") ? id : arnOf(id);
    const key = keys.get(arn);
    if (key === undefined) throw new AwsFailure("NotFoundException", `Key '${arn}' does not exist`);
    return key;
  };
  return {
    GetPublicKey: operation(keyInput, ({ KeyId }) => {
      const key = named(KeyId);
      return { ...description(key), PublicKey: key.publicKey().toString("base64") };
    }),
    DescribeKey: operation(keyInput, ({ KeyId }) => {
      const key = named(KeyId);
      return {
        KeyMetadata: {
          ...description(key),
          KeyId: key.arn.split("/").at(-1),
          Arn: key.arn,
          AWSAccountId: account,
          Enabled: true,
          KeyState: "Enabled",
          Origin: "AWS_KMS",
          KeyManager: "CUSTOMER",
          MultiRegion: false,
        },
      };
    }),
    Sign: operation(signInput, ({ KeyId, Message, MessageType, SigningAlgorithm }) => {
      const key = named(KeyId);
      if (!key.signingAlgorithms.includes(SigningAlgorithm)) {
        const message = `${key.arn} is ${key.keySpec} for ${key.keyUsage}: it cannot sign by ${SigningAlgorithm}.`;
        throw new AwsFailure("InvalidKeyUsageException", message);
      }
      if (Message.length < 1 || Message.length > maxMessageBytes) {
        throw new AwsFailure("ValidationException", `A message has 1 to ${maxMessageBytes} bytes.`);
      }
      const signature = key.sign(digestOf(Message, MessageType));
      return { KeyId: key.arn, Signature: signature.toString("base64"), SigningAlgorithm };
    }),
  };
}

function description({ arn, keySpec, keyUsage, signingAlgorithms }: Key) {
  return {
    KeyId: arn,
    KeySpec: keySpec,
    CustomerMasterKeySpec: keySpec,
    KeyUsage: keyUsage,
    ...(signingAlgorithms.length > 0 && { SigningAlgorithms: signingAlgorithms }),
  };
}
