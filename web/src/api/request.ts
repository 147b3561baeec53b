import type * as z from "zod";
import { common } from "../strings/common.ts";
import { ApiProblem, refusal } from "./problem.ts";

/** How long an answer may take, in milliseconds: a little more than the slowest endpoint of its kind. */
const patience = { get: 15_000, post: 32_000 } as const;

/** Reads JSON of a known form from the site's own origin. Throws ApiProblem, or the signal's AbortError. */
export function getJson<T>(path: string, form: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
  // The browser's own cache may answer with what it was told before a sign-in or a payment; Query keeps what can be kept.
  const init = { headers: { accept: "application/json" }, cache: "no-store" } as const;
  return exchange(path, init, form, within(patience.get, signal));
}

/** Sends JSON to the site's own origin and reads the answer, as `getJson` does. `keepalive`: also when the page is left. */
export function postJson<T>(
  path: string,
  body: unknown,
  form: z.ZodType<T>,
  signal?: AbortSignal,
  { keepalive = false }: { readonly keepalive?: boolean } = {},
): Promise<T> {
  return exchange(path, { ...posted(body), keepalive }, form, within(patience.post, signal));
}

function posted(body: unknown): RequestInit {
  const accept = "application/json";
  if (body === undefined) return { method: "POST", headers: { accept } };
  return { method: "POST", headers: { accept, "content-type": accept }, body: JSON.stringify(body) };
}

async function exchange<T>(
  path: string,
  init: RequestInit,
  form: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const { response, body } = await send(path, { ...init, signal });
  if (!response.ok) throw refusal(response.status, body, common.status(response.status));
  const parsed = form.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiProblem("unreadable", common.unreadable, { status: response.status, cause: parsed.error });
}

/** An answer whatever its status; `body` is `undefined` where it is not JSON. Throws as `getJson` where there is none. */
export async function send(
  path: string,
  init: RequestInit,
): Promise<{ readonly response: Response; readonly body: unknown }> {
  try {
    const response = await fetch(path, init);
    return { response, body: json(await response.text()) };
  } catch (cause) {
    // A page that is left, or a newer question, has no use for an answer.
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiProblem("unreachable", common.unreachable, { cause });
  }
}

function within(milliseconds: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
