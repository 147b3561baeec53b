import * as z from "zod";
import { HashInput, lower } from "../../core/chain/hex.ts";
import { listReceipts, makeMissingError } from "../../core/receipt/index.ts";
import { makeHandler } from "../lib/endpoint.ts";
import { makeJson, passing } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = makeHandler("receipts", z.undefined(), async ({ path }) => {
  const transaction = HashInput.safeParse(path.transaction);
  if (!transaction.success) throw makeMissingError();
  const ports = { ...runtime.makeTablePorts(), settings: runtime.readSettings(), signer: runtime.receipts() };
  const { receipts, final } = await listReceipts(ports, lower(transaction.data));
  // While the list is not final, more receipts of the same transaction can be added, so caches keep the list only briefly.
  return makeJson({ receipts }, { headers: final ? {} : passing });
});
