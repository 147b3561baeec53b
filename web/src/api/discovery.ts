import * as z from "zod";
import { getJson } from "./request.ts";
import { source } from "./source.ts";

const Fields = z.record(z.string(), z.string());
const Endpoint = z.object({
  method: z.string(),
  url: z.string(),
  paid: z.boolean(),
  query: Fields.optional(),
  body: Fields.optional(),
  share: z.string().optional(),
  returns: z.string().optional(),
});
export type Endpoint = Readonly<z.infer<typeof Endpoint>>;

/** The service's description of itself (specification §2.11), as far as this site shows it. */
export const Discovery = z.object({
  name: z.string(),
  description: z.string(),
  docs: z.string(),
  network: z.object({
    caip2: z.string(),
    name: z.string(),
    asset: z.object({ symbol: z.string(), address: z.string(), decimals: z.int() }),
  }),
  x402: z.object({
    version: z.int(),
    scheme: z.string(),
    assetTransferMethod: z.string(),
    permit2: z.string(),
    header: z.string(),
  }),
  endpoints: z.object({
    list: Endpoint,
    read: Endpoint,
    stocks: Endpoint,
    payFee: Endpoint,
    payPublisher: Endpoint,
  }),
  flow: z.array(z.string()),
  rules: z.array(z.string()),
});
export type Discovery = Readonly<z.infer<typeof Discovery>>;

export const discoveryPath = "/.well-known/x402";

/** The discovery document, under any key. */
export const discovery = source((_key, signal) => getJson(discoveryPath, Discovery, signal));
