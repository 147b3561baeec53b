import * as z from "zod";

/** One refused field of what was sent. */
export type FieldIssue = { readonly path: string; readonly message: string };

type Details = {
  readonly cause?: unknown;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly issues?: readonly FieldIssue[] | undefined;
  readonly body?: unknown;
};

/** Why the service's answer cannot be used. `message` is for people, `code` is the service's own and stable. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** `missing` for a 404, `refused` for other answers that are not 2xx. */
  readonly kind: "unreachable" | "missing" | "refused" | "unreadable";
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** What to quote to the service's operators. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;
  readonly issues: readonly FieldIssue[];
  /** The whole answer, for the fields that one endpoint adds. */
  readonly body: unknown;

  constructor(kind: ApiProblem["kind"], message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.issues = details.issues ?? [];
    this.body = details.body;
  }
}

/** The body of every error but a 402 (design §2). */
const ErrorBody = z.object({
  error: z.string(),
  code: z.string().optional(),
  requestId: z.string().optional(),
  retryAfter: z.number().optional(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** What an answer that is not 2xx says. `fallback` stands in where it says nothing that can be read. */
export function refusal(status: number, body: unknown, fallback: string): ApiProblem {
  const kind = status === 404 ? "missing" : "refused";
  const read = ErrorBody.safeParse(body);
  if (!read.success) return new ApiProblem(kind, fallback, { status, body });
  const { error, ...details } = read.data;
  return new ApiProblem(kind, error, { status, body, ...details });
}
