/**
 * The one DynamoDB table, as data: what infra creates in the cloud and the local runtime on one machine.
 * Which entity uses which index stands in `core/*\/entity.ts`; the reads that they serve in design §3.
 */
export const storage = {
  partitionKey: "pk",
  sortKey: "sk",
  /** Seconds since the epoch. Deletion lags by hours, so expiry is also checked in code. */
  ttlAttribute: "expiresAt",
  /** All indexes carry whole items: each public read is one request. */
  indexes: [
    { name: "gsi1", partitionKey: "gsi1pk", sortKey: "gsi1sk" },
    { name: "gsi2", partitionKey: "gsi2pk", sortKey: "gsi2sk" },
    { name: "gsi3", partitionKey: "gsi3pk", sortKey: "gsi3sk" },
  ],
} as const;
