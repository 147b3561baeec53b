import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest } from "node:http";
import * as z from "zod";
import { correlation } from "../../functions/lib/log.ts";
import type { Endpoints } from "../../local/settings.ts";

/** Requests to each part of what lies outside; a part that was not asked is left out. */
export type Spent = { readonly [Part in keyof Endpoints]?: number };

export type Tally = {
  /** Does the work and tells what a function sent meanwhile. */
  readonly of: (id: string, work: () => Promise<unknown>) => Promise<Spent>;
  readonly stop: () => void;
};

/** What Node says of every request that this process sends, by fetch, by the SDK's clients, and over HTTP/2. */
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
 * Counts which functions of this process ask what of a local service's parts, each HTTP request as one and repeated ones
 * too. A request is the function's in whose call it was sent; what no function sends is nobody's.
 */
export function tally(endpoints: Endpoints): Tally {
  // The longest first: one part may answer below another's address.
  const parts = Object.entries(endpoints).sort(([, one], [, other]) => other.length - one.length);
  const sent: { readonly by: string; readonly part: string }[] = [];
  const listen = (message: unknown) => {
    const by = correlation().function;
    if (by === undefined) return;
    const url = Message.parse(message);
    sent.push({ by: String(by), part: parts.find(([, endpoint]) => url.startsWith(endpoint))?.[0] ?? url });
  };
  for (const channel of channels) subscribe(channel, listen);
  return {
    async of(id, work) {
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
