import { useQuery } from "@tanstack/react-query";
import * as z from "zod";
import { DiscoveryDocument } from "../../../core/discovery/schema.ts";
import { discoveryPath } from "../site.ts";
import { AddressForm, queryJson } from "./request.ts";

const { network, x402 } = DiscoveryDocument.shape;

/** The service's discovery document (specification §2.11), with the addresses converted to the form that this site uses. */
export const Discovery = DiscoveryDocument.extend({
  network: network.extend({
    caip2: z.string().regex(/^eip155:\d+$/),
    asset: network.shape.asset.extend({ address: AddressForm }),
  }),
  x402: x402.extend({ permit2: AddressForm }),
  erc8004: z.object({ identityRegistry: AddressForm, reputationRegistry: AddressForm }),
});
export type Discovery = Readonly<z.infer<typeof Discovery>>;

/** The chain, token, contracts and endpoints, read from the service, because the site has no chain data of its own. */
export const discovery = queryJson(["discovery"], discoveryPath, Discovery, 10 * 60_000);

/** The EIP-155 chain id in a CAIP-2 name. */
export function readChainId({ network }: Pick<Discovery, "network">): number {
  return Number(network.caip2.replace("eip155:", ""));
}

/** The name of the service's chain. */
export function useChainName(): string {
  return useQuery(discovery).data?.network.name ?? "Robinhood Chain";
}
