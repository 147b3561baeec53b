import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest } from "node:http";
import * as z from "zod";
import { readCorrelation } from "../../functions/lib/log.ts";
import type { ServiceEndpoints } from "../../local/settings.ts";

/** The number of requests to each part of the service. A part that got no requests is not in the result. */
export type RequestCounts = { readonly [Part in keyof ServiceEndpoints]?: number };

export type RequestTally = ReturnType<typeof startTally>;

/** Node.js's diagnostics channels for the requests of fetch, of the AWS SDK's clients, and of HTTP/2. */
const channels = ["undici:request:create", "http.client.request.start", "http2.client.stream.start"];
const Message = z.union([
  z
    .object({ request: z.instanceof(ClientRequest) })
    .transform(({ request }) => `http://${request.getHeader("host")}${request.path}`),
  z
    .object({ request: z.object({ origin: z.string(), path: z.string() }) })
    .transform(({ request }) => `${request.origin}${request.path}`),
  z
    .object({ headers: z.object({ ":authority": z.string(), ":path": z.string() }) })
    .transform(({ headers }) => `http://${headers[":authority"]}${headers[":path"]}`),
]);

/**
 * Counts the requests of this process's functions to a local service's parts. Each HTTP request counts, even a repeated request. A request
 * belongs to the function whose call sent it; requests outside functions are not counted.
 */
export function startTally(endpoints: ServiceEndpoints) {
  // The longest address comes first, because one part's address may be a prefix of another part's address.
  const parts = Object.entries(endpoints).sort(([, one], [, other]) => other.length - one.length);
  const sent: { readonly by: string; readonly part: string }[] = [];
  const listen = (message: unknown) => {
    const by = readCorrelation().function;
    if (by === undefined) return;
    const url = Message.parse(message);
    sent.push({ by: String(by), part: parts.find(([, endpoint]) => url.startsWith(endpoint))?.[0] ?? url });
  };
  for (const channel of channels) subscribe(channel, listen);
  return {
    /** Runs the work, and returns the numbers of requests that the named function sent during the work. */
    async countRequests(id: string, work: () => Promise<unknown>): Promise<RequestCounts> {
      sent.length = 0;
      await work();
      const own = sent.filter(({ by }) => by === id);
      return Object.fromEntries(
        [...new Set(own.map(({ part }) => part))].map((part) => [
          part,
          own.filter((request) => request.part === part).length,
        ]),
      );
    },
    stop() {
      for (const channel of channels) unsubscribe(channel, listen);
    },
  };
}
