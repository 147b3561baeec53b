import { useEffect, useState } from "react";
import { ApiProblem } from "./request.ts";

/** Something to be read from the service by key, and the last answer for each. */
export type Source<T> = {
  readonly load: (key: string, signal: AbortSignal) => Promise<T>;
  readonly kept: Map<string, T>;
};

/** A source that keeps its answers while the page lives, so that going back shows them at once. */
export function source<T>(load: Source<T>["load"]): Source<T> {
  return { load, kept: new Map() };
}

export type Reading<T> =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly problem: ApiProblem; readonly retry: () => void };

/** What an attempt to read a key came to. */
type Settled<T> = { readonly key: string; readonly attempt: number } & (
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly problem: ApiProblem }
);

/** Reads a key anew whenever a component that shows it appears; until then shows the kept answer, if any. */
export function useSource<T>(from: Source<T>, key: string): Reading<T> {
  const [settled, setSettled] = useState<Settled<T>>();
  const [attempt, setAttempt] = useState(1);

  useEffect(() => {
    const leaving = new AbortController();
    from.load(key, leaving.signal).then(
      (value) => {
        from.kept.set(key, value);
        if (!leaving.signal.aborted) setSettled({ key, attempt, state: "ready", value });
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setSettled({ key, attempt, state: "failed", problem: problemOf(error) });
      },
    );
    return () => leaving.abort();
  }, [from, key, attempt]);

  if (settled?.key === key && settled.attempt === attempt) {
    if (settled.state === "ready") return { state: "ready", value: settled.value };
    return { state: "failed", problem: settled.problem, retry: () => setAttempt(attempt + 1) };
  }
  const kept = from.kept.get(key);
  return kept === undefined ? { state: "loading" } : { state: "ready", value: kept };
}

/** What a reader is told. A defect of the page itself is reported to the console with its cause. */
function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  console.error(error);
  return new ApiProblem("unreadable", "This page met an error of its own.", { cause: error });
}
