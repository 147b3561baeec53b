import { AsyncLocalStorage } from "node:async_hooks";
import { environment } from "./environment.ts";

/** By what a line of the log is found, and what belongs to it in other functions' logs. */
type Correlation = {
  /** The id of the row in `routes.ts` or `jobs.ts`. */
  readonly function: string;
  /** The gateway's id of the request, which answers carry; for a job Lambda's. */
  readonly requestId: string;
  /** Lambda's own id of the call, which its platform's lines carry. */
  readonly invocationId: string;
  /** The request that began it all: messages and state machines pass it on. */
  readonly correlationId: string;
};

type Fields = Readonly<Record<string, string | number>>;

const calls = new AsyncLocalStorage<{ fields: Fields }>();

/** Runs a call of a function; whatever is logged and measured meanwhile carries its ids and its trace's. */
export function correlated<Result>(ids: Correlation, run: () => Result): Result {
  const traceId = environment.traceId();
  return calls.run({ fields: { ...ids, ...(traceId !== undefined && { traceId }) } }, run);
}

/** Adds to every further line of this call what it is about: ids, never texts, wallets or secrets. */
export function follow(fields: Fields): void {
  const call = calls.getStore();
  if (call !== undefined) call.fields = { ...call.fields, ...fields };
}

/** The fields of this call, none outside of one. */
export function correlation(): Fields {
  return calls.getStore()?.fields ?? {};
}

/** What this call passes on to those that it sets in motion. */
export function passedOn(): { readonly correlationId?: string } {
  const id = correlation().correlationId;
  return id === undefined ? {} : { correlationId: String(id) };
}
