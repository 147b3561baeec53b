import * as z from "zod";
import { makeHttpClient } from "../../support/http-payer.ts";

type Expectations = {
  /** The expected status, by default 200. */
  readonly status?: number;
  readonly headers?: unknown;
};

const Headers = z.record(z.string(), z.string());

/**
 * A visitor with a separate browser, which stores the session's cookie. The caller can set `site.origin` after this call. Throws an Error
 * with the answer's text if the status is not the expected status.
 */
export function makeVisitor(site: { readonly origin: string }) {
  let cookie: string | undefined;
  async function ask(path: string, body: unknown, { status = 200, headers = {} }: Expectations) {
    const sent = { body, cookie, headers: Headers.parse(headers) };
    const answer = await makeHttpClient(site.origin).ask(path, sent);
    if (answer.status !== status) throw new Error(`${path} answered with ${answer.status}: ${answer.text}`);
    cookie = answer.cookie ?? cookie;
    return answer.body ?? answer.text;
  }
  return {
    get: (path: string, expected: Expectations = {}) => ask(path, undefined, expected),
    post: (path: string, body: unknown, { headers = {}, ...expected }: Expectations = {}) =>
      ask(path, body ?? {}, { ...expected, headers: { origin: site.origin, ...Headers.parse(headers) } }),
  };
}
