import { QueryClient, queryOptions } from "@tanstack/react-query";
import * as z from "zod";
import { walletHeader } from "../../../core/session/schema.ts";
import { common } from "../strings/common.ts";

type ProblemDetails = {
  readonly [Name in "cause" | "status" | "code" | "requestId" | "retryAfter" | "issues"]?:
    | ApiProblem[Name]
    | undefined;
};

/** The error of a failed request. The error's `message` is for people, and the error's `code` is the service's own stable code. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** The kind of failure: `missing` is status 404, `refused` is any other status outside 2xx. */
  readonly kind: "unreachable" | "missing" | "refused" | "unreadable";
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** The request's id, which a reader can give to the service's operators. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;
  readonly issues: readonly { readonly path: string; readonly message: string }[];

  constructor(kind: ApiProblem["kind"], message: string, details: ProblemDetails = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.issues = details.issues ?? [];
  }
}

/** Whether the error says that nothing exists at the URL that the reader asked for. */
export function isMissingError(error: unknown): boolean {
  return error instanceof ApiProblem && (error.kind === "missing" || error.status === 400);
}

/** Whether a sign-in solves the error: the session has ended, is only allowed to read, or belongs to a wallet other than the page's. */
export function isSignInNeeded(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}

/** The body of every error answer except an answer with status 402 (design §2). */
const ErrorBody = z.object({
  error: z.string(),
  code: z.string().optional(),
  requestId: z.string().optional(),
  retryAfter: z.number().optional(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** Converts an answer outside 2xx to an error. `fallback` is the message if the answer's body has no message. */
export function makeRefusal(status: number, body: unknown, fallback: string): ApiProblem {
  const kind = status === 404 ? "missing" : "refused";
  const read = ErrorBody.safeParse(body);
  if (!read.success) return new ApiProblem(kind, fallback, { status });
  const { error, ...details } = read.data;
  return new ApiProblem(kind, error, { status, ...details });
}

/** Milliseconds that a request may take, by method: a little more than the slowest endpoint of that method needs. */
const timeLimits = { get: 15_000, post: 32_000 } as const;

/** Reads JSON from the site's own origin and validates it. Throws ApiProblem, or an AbortError if the signal aborts. */
export function getJson<T>(path: string, form: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
  // The browser's cache may hold answers from before a sign-in or a payment, so only TanStack Query caches answers.
  const init = { headers: { accept: "application/json" }, cache: "no-store" } as const;
  return requestJson(path, init, form, addTimeout(timeLimits.get, signal));
}

/** The milliseconds for which an answer counts as fresh, unless the query sets another `staleTime`. */
const usualFreshness = 5_000;

/** The query that reads JSON with `getJson`. The answer counts as fresh for `staleTime` milliseconds. */
export function queryJson<T>(
  queryKey: readonly unknown[],
  path: string,
  form: z.ZodType<T>,
  staleTime = usualFreshness,
) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => getJson(path, form, signal), staleTime });
}

/** The query that reads all pages of a long list of the session's wallet with `getJson`. `join` makes the query's data from the pages. */
export function queryPages<Page extends { readonly cursor?: string }, T>(
  path: string,
  form: z.ZodType<Page>,
  join: (pages: readonly [Page, ...(readonly Page[])]) => T,
) {
  return queryOptions({
    queryKey: ["mine", path],
    queryFn: async ({ signal }) => {
      const first = await getJson(path, form, signal);
      const pages: [Page, ...Page[]] = [first];
      for (let { cursor } = first; cursor !== undefined; cursor = pages.at(-1)?.cursor) {
        const query = new URLSearchParams({ cursor });
        pages.push(await getJson(`${path}${path.includes("?") ? "&" : "?"}${query}`, form, signal));
      }
      return join(pages);
    },
  });
}

/** The query key of the session's wallet (session.ts). */
export const meKey = ["me"] as const;

/** The paths whose requests change data of the session's wallet. */
const ofWallet = /^\/api\/(press|draft|me)\//;

/**
 * Sends JSON to the site's own origin and reads the answer as `getJson` does. A request to a path of `ofWallet` names the page's wallet, so
 * that the service refuses the request if another tab has signed in with another wallet. With `keepalive`, the request continues after the
 * page is left.
 */
export function postJson<T>(
  path: string,
  body: unknown,
  form: z.ZodType<T>,
  signal?: AbortSignal,
  { keepalive = false, key }: { readonly keepalive?: boolean; readonly key?: string | undefined } = {},
): Promise<T> {
  const accept = "application/json";
  const wallet = queryClient.getQueryData<string | null>(meKey);
  const headers = {
    accept,
    ...(wallet != null && ofWallet.test(path) && { [walletHeader]: wallet }),
    ...(body !== undefined && { "content-type": accept }),
    ...(key !== undefined && { "idempotency-key": key }),
  };
  const init = { method: "POST", headers, body: JSON.stringify(body), keepalive };
  return requestJson(path, init, form, addTimeout(timeLimits.post, signal));
}

async function requestJson<T>(
  path: string,
  init: RequestInit,
  form: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const { response, body } = await fetchBody(path, { ...init, signal });
  if (!response.ok) {
    const refusal = makeRefusal(response.status, body, common.status(response.status));
    if (refusal.code === "other_session") void queryClient.invalidateQueries({ queryKey: meKey });
    throw refusal;
  }
  const parsed = form.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiProblem("unreadable", common.unreadable, { status: response.status, cause: parsed.error });
}

/** The seconds by which the service's clock is ahead of this computer's clock. */
let ahead = 0;

/**
 * The service's time, in seconds since the epoch. Deadlines are computed with this time, so that a wrong clock of this computer has no
 * effect on them. The time is known after the first answer to a POST request.
 */
export function computeServiceTime(): number {
  return Math.floor(Date.now() / 1000) + ahead;
}

/**
 * Sends a request and returns the answer, whatever its status is. The answer's `body` is `undefined` if the body is not JSON. Throws the
 * errors of `getJson` if no answer comes.
 */
export async function fetchBody(
  path: string,
  init: RequestInit,
): Promise<{ readonly response: Response; readonly body: unknown }> {
  try {
    const response = await fetch(path, init);
    const date = Date.parse(response.headers.get("date") ?? "");
    // The answer to a GET request may come from a cache and have an old date.
    if (init.method === "POST" && date > 0) ahead = Math.floor(date / 1000) - Math.floor(Date.now() / 1000);
    return { response, body: parseJson(await response.text()) };
  } catch (cause) {
    // An aborted request is not a failure: the page was left, or a newer request replaced the aborted request.
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiProblem("unreachable", common.unreachable, { cause });
  }
}

function addTimeout(milliseconds: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

/** Parses a text as JSON. Returns `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const AddressForm = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{40}$/)]);
export type Address = z.infer<typeof AddressForm>;

export const HashForm = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{64}$/)]);
export type Hash = z.infer<typeof HashForm>;

/** A decimal number of base units. */
export const UnitsForm = z.string().regex(/^\d{1,78}$/);

/** Whether two addresses are equal, regardless of upper and lower case. */
export function isSameAddress(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}

/** The cache of everything that is read from the service, by key. A cached value is shown at once and refreshed in the background. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // If there is no network connection, a page must say that loading failed, and not that loading continues.
      networkMode: "always",
      staleTime: usualFreshness,
      gcTime: 30 * 60_000,
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiProblem && (error.kind === "unreachable" || error.status === 503),
      retryDelay: 400,
    },
    mutations: { networkMode: "always", retry: false },
  },
});
