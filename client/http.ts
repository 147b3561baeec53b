import { MarketError } from "./error.ts";

/**
 * Milliseconds that one request may take. The time limit of a request must exceed 29 s, the time limit of the service's slowest functions.
 */
const requestTimeoutMs = 40_000;

/** The maximum length of an answer, in characters. Even a list of 200 presses has only about 200,000 characters. */
const longestAnswer = 4_000_000;

export type ServiceAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The answer's JSON value; `undefined` if the answer is not JSON. */
  readonly body: unknown;
};

export type ServiceRequest = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends a request and returns the answer, whatever its status is. Throws `unreachable` if no answer comes. */
export type SendRequest = (path: string, request?: ServiceRequest) => Promise<ServiceAnswer>;

/** A connection to a service: it sends requests, and knows the time of the service's clock. */
export type ServiceConnection = {
  readonly send: SendRequest;
  /**
   * The time of the service's clock in milliseconds since the epoch, calculated from the service's last answer. This machine's clock may be
   * wrong, so a deadline must not depend on it. This machine's clock is used only until the service's first answer.
   */
  readonly now: () => number;
};

/**
 * The maximum accepted difference, in milliseconds, between the service's clock and this machine's clock. If larger differences were
 * accepted, a wrong date from the service could make signatures valid for too long.
 */
const mostAhead = 86_400_000;

/** Sends requests to one origin only: a redirect is refused, because it could send a signature to another server. */
export function openService(origin: string, fetcher: typeof fetch): ServiceConnection {
  let ahead = 0;
  const send: SendRequest = async (path, { body, headers = {} } = {}) => {
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
      const text = await readAnswer(response);
      return { status: response.status, headers: response.headers, body: parseJson(text) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new MarketError("unreachable", `${origin} gave no answer: ${reason}.`, { cause });
    }
  };
  return { send, now: () => Date.now() + ahead };
}

/** The text of an answer. Reading stops at the maximum length, and the result is then empty, because a part of the answer is of no use. */
async function readAnswer({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = "";
  for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
    text += decoder.decode(chunk.value, { stream: true });
    if (text.length <= longestAnswer) continue;
    await reader?.cancel();
    return "";
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // If the answer is an HTML page, is cut off or is too long, it is not JSON, so the body is `undefined`.
    return undefined;
  }
}

/** Reads a member of a value that came from the network. */
export function readMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

export function readText(value: unknown, name: string): string | undefined {
  const found = readMember(value, name);
  return typeof found === "string" ? found : undefined;
}

/** The seconds to wait before another try, if the service's answer gives them. */
function readRetryAfter({ headers }: ServiceAnswer): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** Converts the service's refusal to an error that lists every wrong field. */
export function makeRefusal(answer: ServiceAnswer): MarketError {
  const { status, body } = answer;
  const code = readText(body, "code") ?? "unexpected_answer";
  // The gateway's own refusals have only a `message`.
  const said = readText(body, "message");
  const message =
    readText(body, "error") ??
    `The service answered with ${status}${said === undefined ? "" : ` (${said})`}.`;
  const issues = readMember(body, "issues");
  // The refusal's message already names the first wrong field.
  const others = (Array.isArray(issues) ? issues : [])
    .slice(1)
    .map((issue) => `${readText(issue, "path")}: ${readText(issue, "message")}`);
  const retryAfter = readRetryAfter(answer);
  return new MarketError(code, [message, ...others].join("; "), { status, retryAfter, cause: body });
}
