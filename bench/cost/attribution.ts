import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest } from "node:http";
import * as z from "zod";
import { correlation } from "../../functions/lib/correlation.ts";
import type { Ledger } from "./ledger.ts";

/** Carries to a proxy whose request it is. */
export const byHeader = "x-measured-function";

const SdkRequest = z.object({ request: z.instanceof(ClientRequest) });
/** The request itself, and no copy of it: the header has to be its own. */
const Fetch = z.object({
  request: z.custom<{ readonly addHeader: (name: string, value: string) => void }>(
    (request) => typeof request === "object" && request !== null && "addHeader" in request,
  ),
});

/**
 * Marks every request that a function of this process sends with the function's id, until it is told to stop. Those to
 * queues are counted here: their clients go to a queue's own address, past any proxy.
 */
export function markRequests(ledger: Ledger): () => void {
  const markSdk = (message: unknown) => {
    const id = correlation().function;
    if (id === undefined) return;
    const { request } = SdkRequest.parse(message);
    request.setHeader(byHeader, id);
    const isMessage = String(request.getHeader("x-amz-target")).startsWith("AmazonSQS.");
    if (isMessage) ledger.add(String(id), { messages: 1 });
  };
  const markFetch = (message: unknown) => {
    const id = correlation().function;
    if (id !== undefined) Fetch.parse(message).request.addHeader(byHeader, String(id));
  };
  subscribe("http.client.request.created", markSdk);
  subscribe("undici:request:create", markFetch);
  return () => {
    unsubscribe("http.client.request.created", markSdk);
    unsubscribe("undici:request:create", markFetch);
  };
}
