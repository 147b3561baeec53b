import { MarketError, type MarketErrorOptions } from "./error.ts";

/** Milliseconds that one request may take: above the 29 s of the service's slowest functions. */
const requestTimeoutMs = 40_000;

/** Characters of an answer that are read: a list of 200 presses has about 200,000. */
const longestAnswer = 4_000_000;

export type ServiceAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** `undefined` if the answer is not JSON. */
  readonly body: unknown;
};

export type Request = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends a request and returns any answer. Throws `unreachable` if there is none. */
export type Send = (path: string, request?: Request) => Promise<ServiceAnswer>;

/** Sends requests to a service and knows the time of its clock. */
export type ServiceConnection = {
  readonly send: Send;
  /**
   * Milliseconds since the epoch by the service's clock, learned from its last answer, because a wrong clock on this machine must not spoil
   * a deadline. Before the first answer this machine's clock is used.
   */
  readonly now: () => number;
};

/** The largest believed difference of the clocks, in milliseconds. A larger one would let signatures live too long. */
const mostAhead = 86_400_000;

/** Requests to one origin and to no other: a redirect is refused, for it could carry a signature elsewhere. */
export function openService(origin: string, fetcher: typeof fetch): ServiceConnection {
  let ahead = 0;
  const send: Send = async (path, { body, headers = {} } = {}) => {
    try {
      const response = await fetcher(origin + path, {
        method: body === undefined ? "GET" : "POST",
        redirect: "error",
        signal: AbortSignal.timeout(requestTimeoutMs),
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const told = Date.parse(response.headers.get("date") ?? "") - Date.now();
      if (Math.abs(told) <= mostAhead) ahead = told;
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: json(text) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new MarketError("unreachable", `${origin} gave no answer: ${reason}.`, { cause });
    }
  };
  return { send, now: () => Date.now() + ahead };
}

function json(text: string): unknown {
  if (text.length > longestAnswer) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A page, or half an answer, is not JSON, so the body is `undefined`.
    return undefined;
  }
}

/** Reads a member of a value that came over the wire. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

export function text(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" ? found : undefined;
}

/** Seconds to wait, if the answer names them. */
export function retryAfterOf({ headers }: ServiceAnswer): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** The service's refusal as an error, with every field at fault. */
export function refusal(answer: ServiceAnswer, options: Pick<MarketErrorOptions, "money"> = {}): MarketError {
  const { status, body } = answer;
  const code = text(body, "code") ?? "unexpected_answer";
  const message = text(body, "error") ?? `The service answered ${status}.`;
  const issues = member(body, "issues");
  // The message names the first of these fields.
  const others = (Array.isArray(issues) ? issues : [])
    .slice(1)
    .map((issue) => `${text(issue, "path")}: ${text(issue, "message")}`);
  return new MarketError(code, [message, ...others].join("; "), {
    ...options,
    status,
    retryAfter: retryAfterOf(answer),
    cause: body,
  });
}
