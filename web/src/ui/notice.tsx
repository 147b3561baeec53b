import type { ReactNode } from "react";
import { ApiProblem } from "../api/problem.ts";
import { common } from "../strings/common.ts";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";

type NoticeProps = {
  readonly heading: string;
  readonly tone?: "neutral" | "warn" | "bad" | undefined;
  readonly children: ReactNode;
};

const tones = {
  neutral: "border-line bg-card",
  warn: "border-warn bg-warn-soft",
  bad: "border-bad bg-bad-soft",
} as const;

/** Something that somebody should know, often instead of what was asked for. */
export function Notice({ heading, tone = "neutral", children }: NoticeProps) {
  return (
    <div className={classes("grid justify-items-start gap-3 rounded-2xl border p-5 sm:p-6", tones[tone])}>
      <h2 className="text-lg font-semibold">{heading}</h2>
      {children}
    </div>
  );
}

type FailureProps = { readonly heading: string; readonly error: unknown; readonly retry: () => void };

/** Why something could not be read, and how to try again. */
export function Failure({ heading, error, retry }: FailureProps) {
  const problem = error instanceof ApiProblem ? error : undefined;
  return (
    <div role="alert">
      <Notice heading={heading}>
        <p>{problem?.message ?? common.unreadable}</p>
        {problem?.requestId !== undefined && (
          <p className="text-sm text-quiet">
            {common.requestId}: <code>{problem.requestId}</code>
          </p>
        )}
        <Button onClick={retry}>{common.retry}</Button>
      </Notice>
    </div>
  );
}
