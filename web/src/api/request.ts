import * as z from "zod";

/** Why the service's answer cannot be shown; `requestId` is what to quote to its operators. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** `missing` for a 404, `refused` for other answers that are not 2xx. */
  readonly kind: "unreachable" | "missing" | "refused" | "unreadable";
  readonly requestId: string | undefined;

  constructor(
    kind: ApiProblem["kind"],
    message: string,
    options: { cause?: unknown; requestId?: string | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.requestId = options.requestId;
  }
}

/** The body of every error but a 402 (design §2). */
const ErrorBody = z.object({ error: z.string(), requestId: z.string().optional() });

/** How long an answer may take, in milliseconds: a little more than the slowest reading endpoint. */
const patience = 15_000;

/** Reads JSON of a known form from the site's own origin. Throws ApiProblem, or the signal's AbortError. */
export async function getJson<T>(path: string, form: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  const response = await reach(path, signal);
  const text = await received(response, signal);
  if (!response.ok) throw refusal(response.status, text);
  const parsed = form.safeParse(json(text));
  if (parsed.success) return parsed.data;
  throw new ApiProblem("unreadable", "The service answered in a form that this page does not understand.", {
    cause: parsed.error,
  });
}

async function reach(path: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(path, {
      headers: { accept: "application/json" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    });
  } catch (cause) {
    throw unreachable(cause, signal);
  }
}

async function received(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw unreachable(cause, signal);
  }
}

function unreachable(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return cause;
  return new ApiProblem(
    "unreachable",
    "The service could not be reached. Check your connection and try again.",
    { cause },
  );
}

function refusal(status: number, text: string): ApiProblem {
  const kind = status === 404 ? "missing" : "refused";
  const body = ErrorBody.safeParse(json(text));
  if (!body.success) return new ApiProblem(kind, `The service answered with status ${status}.`);
  return new ApiProblem(kind, body.data.error, { requestId: body.data.requestId });
}

/** The value that a text stands for, or `undefined`, which no form accepts, where it is not JSON. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
