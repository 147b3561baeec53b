import * as z from "zod";
import type { PaymentRequirements } from "../../../core/payment/schema.ts";
import { makeHttpClient } from "../../support/http-payer.ts";

const Entry: z.ZodType<PaymentRequirements> = z.object({
  scheme: z.literal("exact"),
  network: z.string(),
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
  extra: z.object({
    assetTransferMethod: z.literal("permit2"),
    spender: z.string(),
    name: z.literal("USDG"),
    ticket: z.string(),
  }),
});

/** The payment terms of a 402 answer. */
export const Terms = z.object({ accepts: z.tuple([Entry], z.unknown()) });

type Expectations = {
  /** The expected status, by default 200. */
  readonly status?: number;
  readonly headers?: unknown;
};

const Headers = z.record(z.string(), z.string());

/**
 * A visitor with a separate browser, which stores the session's cookie. The address in `site` may be set later. Throws an Error with the
 * answer's text if the status is not the expected one.
 */
export function makeVisitor(site: { readonly origin: string }) {
  let cookie: string | undefined;
  async function ask(path: string, body: unknown, { status = 200, headers = {} }: Expectations) {
    const sent = { body, cookie, headers: Headers.parse(headers) };
    const answer = await makeHttpClient(site.origin).ask(path, sent);
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    cookie = answer.cookie ?? cookie;
    return answer.body ?? answer.text;
  }
  return {
    get: (path: string, expected: Expectations = {}) => ask(path, undefined, expected),
    post: (path: string, body: unknown, { headers = {}, ...expected }: Expectations = {}) =>
      ask(path, body ?? {}, { ...expected, headers: { origin: site.origin, ...Headers.parse(headers) } }),
  };
}
