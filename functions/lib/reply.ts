import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import * as z from "zod";
import { AppError, type ErrorKind, type InputIssue } from "../../core/error.ts";
import { sessionLifetime } from "../../core/session/index.ts";
import { sessionCookieName } from "../browser.ts";

export type Reply = APIGatewayProxyStructuredResultV2;

type ReplyOptions = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
};

/** An answer with a given media type, in UTF-8, with status 200 by default. */
export function makeText(
  type: string,
  body: string,
  { status = 200, headers = {} }: ReplyOptions = {},
): Reply {
  return { statusCode: status, headers: { "content-type": `${type}; charset=utf-8`, ...headers }, body };
}

/** A JSON answer, with status 200 by default. */
export function makeJson(value: unknown, { cookies = [], ...options }: ReplyOptions = {}): Reply {
  const reply = makeText("application/json", JSON.stringify(value), options);
  return cookies.length > 0 ? { ...reply, cookies: [...cookies] } : reply;
}

/** The headers of an answer that may still change: caches keep the answer for only a few seconds. */
export const passing = { "cache-control": "public, max-age=0, s-maxage=5" };

/** Makes a refusal whose reason lies in the HTTP request, such as a wrong origin, and not in the code of `core/`. */
export class HttpProblem extends Error {
  override readonly name = "HttpProblem";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const statusOf: Readonly<Record<ErrorKind, number>> = {
  input: 400,
  auth: 401,
  missing: 404,
  conflict: 409,
  limit: 429,
  upstream: 503,
};

/** The refusal that an error contains; `undefined` for a defect, because the text of a defect is not shown. */
export function toRefusal(error: unknown): AppError | HttpProblem | undefined {
  if (error instanceof AppError || error instanceof HttpProblem) return error;
  return hasOutage(error)
    ? new AppError("upstream", "temporarily_unavailable", busyText, { cause: error })
    : undefined;
}

/** Whether an error comes from a failed dependency, and not from a refused request or from a defect in the code. */
export function isOutage(error: unknown): boolean {
  const found = toRefusal(error);
  return found instanceof AppError && found.kind === "upstream";
}

/**
 * Whether an answer with 503 shows no failure. Anybody can cause these answers again and again, and an alarm on failures reverts
 * deployments.
 */
export function isPostponed(error: unknown): boolean {
  return (
    error instanceof AppError &&
    ["mint_pending", "model_budget_spent", "price_below_gas"].includes(error.code)
  );
}

const busyText = "This is temporarily unavailable. Nothing is lost: try again shortly.";

/** The fields by which the AWS SDK marks a service's faults and retryable errors, and the codes of network failures. */
const Outage = z.union([
  z.object({ $fault: z.literal("server") }),
  z.object({ $retryable: z.object({}) }),
  z.object({
    name: z.enum(["TimeoutError", "ThrottlingException", "ProvisionedThroughputExceededException"]),
  }),
  z.object({ code: z.enum(["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "ENOTFOUND"]) }),
]);

/** Whether the error, or one of the errors inside it, means that a dependency was unreachable or overloaded. */
function hasOutage(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (Outage.safeParse(at).success) return true;
  }
  return false;
}

/** The body that `makeProblemReply` gives to every refusal except a 402 (design §2). */
export const Problem = z.object({
  error: z.string().describe("For people."),
  code: z.string().describe("Stable, for programs."),
  requestId: z.string().describe("The request's id in the service's log."),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe("Every refused field of the input, with the field's dotted path."),
  retryAfter: z.number().optional().describe("Seconds, as in the Retry-After header."),
  transaction: z
    .string()
    .optional()
    .describe("Only with the code settlement_pending: the sent transaction's hash."),
  updatedAt: z
    .string()
    .optional()
    .describe(
      "The time of the stored version, if there is one; only with the code stale_draft or stale_manuscript.",
    ),
  read: z
    .object({ "sign-in-with-x": z.string(), "sign-in": z.string() })
    .optional()
    .describe(
      "Where the wallet that paid can read the text. Only the refusal already_unlocked has this member. `sign-in-with-x`: the URL for a GET with x402's header of the same name, which is valid once. `sign-in`: the URL at which a sign-in begins.",
    ),
  press: z
    .int()
    .optional()
    .describe("Only with the code stale_manuscript: the press that the manuscript has become."),
});

/** The body of a refusal (design §2): `{ error, code, requestId }`, with `issues` and `retryAfter` when useful. */
export function makeProblemReply(error: AppError | HttpProblem | undefined, requestId: string): Reply {
  const headers = { "cache-control": "no-store" };
  if (error === undefined) {
    const message = "Something went wrong on our side. The error has been logged under this request id.";
    return makeJson({ error: message, code: "internal", requestId }, { status: 500, headers });
  }
  if (error instanceof HttpProblem) {
    return makeJson({ error: error.message, code: error.code, requestId }, { status: error.status, headers });
  }
  // Every answer with status 429 or 503 says when to retry (design §2).
  const retryAfter = error.retryAfter ?? (error.kind === "upstream" ? 5 : undefined);
  return makeJson(
    {
      error: error.message,
      code: error.code,
      requestId,
      ...error.details,
      ...(error.issues !== undefined && { issues: error.issues }),
      ...(retryAfter !== undefined && { retryAfter }),
    },
    {
      status: statusOf[error.kind],
      headers: retryAfter === undefined ? headers : { ...headers, "retry-after": String(retryAfter) },
    },
  );
}

/**
 * Converts a failed validation to one refusal that names every invalid field. If `told` is given, this text is the refusal's message, in
 * place of the message about the first invalid field.
 */
export function makeInvalidInputError(error: z.ZodError, told?: string): AppError {
  const issues: readonly InputIssue[] = error.issues.map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issue.message,
  }));
  const first = issues[0];
  const where = first === undefined || first.path === "" ? "" : `${first.path}: `;
  const message = told ?? `${where}${first?.message ?? "invalid"}`;
  return new AppError("input", "invalid_input", message, { issues });
}

/** Parses the query of a request. Throws `invalid_input` (`input`). */
export function parseQuery<Query>(form: z.ZodType<Query>, query: object): Query {
  const read = form.safeParse(query);
  if (read.success) return read.data;
  throw makeInvalidInputError(read.error);
}

/** The name of the session cookie at this origin. On https the cookie's name has the prefix of RFC 6265bis §4.1.3.2. */
export function findCookieName(origin: string): string {
  return origin.startsWith("https:") ? sessionCookieName.https : sessionCookieName.http;
}

/** The `Set-Cookie` header for a new session's token (design §2). */
export function makeSessionCookie(origin: string, token: string): string {
  return setCookie(origin, token, sessionLifetime);
}

/** The `Set-Cookie` header that deletes the session's cookie. */
export function clearCookie(origin: string): string {
  return setCookie(origin, "", 0);
}

/** The session token among a request's cookies, if any. */
export function readSessionToken(origin: string, cookies: readonly string[] | undefined): string | undefined {
  const prefix = `${findCookieName(origin)}=`;
  const found = cookies?.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return found === "" ? undefined : found;
}

function setCookie(origin: string, value: string, maxAge: number): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${findCookieName(origin)}=${value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAge}${secure}`;
}
