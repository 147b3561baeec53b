import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod";
import { discoveryPath } from "../site.ts";
import { AddressForm, getJson } from "./request.ts";

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

/** The parts of the service's discovery document (specification §2.11) that this site uses. */
export const Discovery = z.object({
  name: z.string(),
  description: z.string(),
  docs: z.string(),
  network: z.object({
    caip2: z.string().regex(/^eip155:\d+$/),
    name: z.string(),
    asset: z.object({ symbol: z.string(), address: AddressForm, decimals: z.int() }),
  }),
  x402: z.object({
    version: z.int(),
    scheme: z.string(),
    assetTransferMethod: z.string(),
    permit2: AddressForm,
    header: z.string(),
  }),
  erc8004: z.object({ identityRegistry: AddressForm, reputationRegistry: AddressForm }),
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

/** The chain, token, contracts and endpoints, read from the service, because the site has no chain data of its own. */
export const discovery = queryOptions({
  queryKey: ["discovery"],
  queryFn: ({ signal }) => getJson(discoveryPath, Discovery, signal),
  staleTime: 10 * 60_000,
});

/** The EIP-155 chain id in a CAIP-2 name. */
export function chainIdOf({ network }: Pick<Discovery, "network">): number {
  return Number(network.caip2.replace("eip155:", ""));
}

/** The name of the service's chain. */
export function useChainName(): string {
  return useQuery(discovery).data?.network.name ?? "Robinhood Chain";
}
