import * as z from "zod";
import { HashInput, lower } from "../../core/chain/hex.ts";
import { listReceipts, makeMissingError } from "../../core/receipt/index.ts";
import { makeHandler } from "../lib/endpoint.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** The cache time of receipts while other payments of the same transaction may still be recorded. */
const passing = { "cache-control": "public, max-age=0, s-maxage=5" };

export const handler = makeHandler("receipts", z.undefined(), async ({ path }) => {
  const transaction = HashInput.safeParse(path.transaction);
  if (!transaction.success) throw makeMissingError();
  const ports = { ...runtime.makeTablePorts(), settings: runtime.readSettings(), signer: runtime.receipts() };
  const { receipts, final } = await listReceipts(ports, lower(transaction.data));
  return makeJson({ receipts }, { headers: final ? {} : passing });
});
