import { createHash } from "node:crypto";
import type { Attributes } from "./schema.ts";

/** The MD5 that SQS answers for a body, in hexadecimal. */
export function bodyDigest(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/**
 * The MD5 that SQS answers for message attributes, or `undefined` when there are none.
 *
 * Source: SQS Developer Guide, "Calculating the MD5 message digest for message attributes": by name, each of
 * name, type and value behind its length (four bytes, big-endian), the value also behind its kind (1 text,
 * 2 binary).
 */
export function attributesDigest(attributes: Attributes): string | undefined {
  const entries = Object.entries(attributes).sort(([a], [b]) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  if (entries.length === 0) return undefined;
  const hash = createHash("md5");
  for (const [name, { DataType, StringValue, BinaryValue }] of entries) {
    hash.update(sized(Buffer.from(name))).update(sized(Buffer.from(DataType)));
    hash.update(Buffer.of(BinaryValue === undefined ? 1 : 2));
    hash.update(
      sized(BinaryValue === undefined ? Buffer.from(StringValue ?? "") : Buffer.from(BinaryValue, "base64")),
    );
  }
  return hash.digest("hex");
}

function sized(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
