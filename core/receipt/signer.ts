import { getAddress } from "viem/utils";
import type { StatementSigner } from "../port/chain.ts";
import { type ReceiptSigner, receiptDomain } from "./schema.ts";

/** Who signs receipts, in the words of the extension: a key by its DID (did:pkh). Throws `upstream` `signer_unavailable`. */
export async function receiptSigner(signer: StatementSigner): Promise<ReceiptSigner> {
  const address = getAddress(await signer.address());
  return { address, kid: `did:pkh:eip155:${receiptDomain.chainId}:${address}` };
}
