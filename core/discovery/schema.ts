import * as z from "zod";
import { ReceiptSigner } from "../receipt/schema.ts";

const Notes = z.record(z.string(), z.string());

/**
 * Describes how a client uses one endpoint. `url` may contain a parameter name in braces. `share` names the receiver of the payment. The
 * OpenAPI document refers to this schema by its name.
 *
 * @public
 */
export const Endpoint = z
  .object({
    method: z.enum(["GET", "POST"]),
    url: z.string(),
    paid: z.boolean(),
    query: Notes.optional(),
    body: Notes.optional(),
    share: z.string().optional(),
    returns: z.string(),
  })
  .readonly();
export type Endpoint = z.infer<typeof Endpoint>;

/** The discovery document (specification §2.11, design §2). Addresses are in checksum form (EIP-55). */
export const DiscoveryDocument = z.object({
  name: z.string(),
  description: z.string(),
  docs: z.string().describe("Page for developers."),
  network: z.object({
    caip2: z.string(),
    name: z.string(),
    asset: z.object({ symbol: z.string(), address: z.string(), decimals: z.literal(6) }),
  }),
  x402: z.object({
    version: z.literal(2),
    scheme: z.literal("exact"),
    assetTransferMethod: z.literal("permit2"),
    permit2: z.string(),
    header: z.literal("payment-signature"),
  }),
  erc8004: z.object({ identityRegistry: z.string(), reputationRegistry: z.string() }),
  receipts: z
    .object({
      extension: z.literal("offer-receipt"),
      format: z.literal("eip712"),
      url: z
        .string()
        .describe("The URL of a transaction's receipts: the transaction's hash replaces `{transaction}`."),
      signer: ReceiptSigner,
    })
    .optional()
    .describe(
      "Signed receipts of settled payments. The member is missing while the key's address is unavailable: ask again.",
    ),
  documents: z
    .object({ openapi: z.string(), llms: z.string(), feed: z.string() })
    .describe("The other documents: OpenAPI 3.1, a guide for language models, RSS of the free previews."),
  version: z.literal(1).describe("The version of `resources`, for directories of paid endpoints."),
  resources: z
    .array(z.string())
    .readonly()
    .describe("The paid endpoints, for directories, with the method that needs no allowance."),
  endpoints: z.object({
    list: Endpoint,
    read: Endpoint,
    stocks: Endpoint,
    payFee: Endpoint,
    payPublisher: Endpoint,
  }),
  flow: z.array(z.string()).readonly().describe("Steps, in order."),
  rules: z.array(z.string()).readonly(),
});
export type DiscoveryDocument = Readonly<z.infer<typeof DiscoveryDocument>>;
