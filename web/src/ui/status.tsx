import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type AuditSummary, auditScale } from "../../../core/press/schema.ts";
import { ApiProblem } from "../api/request.ts";
import { common } from "../strings/common.ts";
import { Button, classes, Spinner } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { LoadingText } from "./page.tsx";

type NoticeProps = {
  readonly heading: string;
  readonly tone?: "neutral" | "warn" | "bad" | undefined;
  readonly children: ReactNode;
};

const noticeTones = {
  neutral: "border-line bg-card",
  warn: "border-warn bg-warn-soft",
  bad: "border-bad bg-bad-soft",
} as const;

/** A notice to the reader, often shown in the place of content. */
export function Notice({ heading, tone = "neutral", children }: NoticeProps) {
  return (
    <div
      className={classes("grid justify-items-start gap-3 rounded-2xl border p-5 sm:p-6", noticeTones[tone])}
    >
      <h2 className="text-lg font-semibold">{heading}</h2>
      {children}
    </div>
  );
}

type FailureProps = { readonly heading: string; readonly error: unknown; readonly retry: () => void };

/** Why loading failed, and a button to try again. */
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

type LoadedProps<Data> = {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  readonly failed: string;
  /** Shown while loading: bars with a text for screen readers, or other content. */
  readonly loading: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** Shows a query's data; before that, that it is loading, or why it failed. */
export function Loaded<Data>({
  query: { data, error, refetch },
  failed,
  loading,
  children,
}: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (error !== null) return <Failure heading={failed} error={error} retry={() => void refetch()} />;
  return typeof loading === "string" ? <LoadingText>{loading}</LoadingText> : loading;
}

type Verdict = AuditSummary["verdict"];

const badgeTones = {
  neutral: "bg-sunk text-quiet",
  accent: "bg-accent-soft text-accent",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
} as const;

export type Tone = keyof typeof badgeTones;

/** A short label. */
export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={classes(
        "inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-medium",
        badgeTones[tone],
      )}
    >
      {children}
    </span>
  );
}

const radius = 19;
const circumference = 2 * Math.PI * radius;

type ScoreProps = {
  readonly score: number;
  /** The audit's verdict. A live press has passed. */
  readonly verdict?: Verdict | undefined;
  readonly size?: "medium" | "large";
};

const scoreTones = { approve: "stroke-accent", revise: "stroke-warn", reject: "stroke-bad" } as const;

/** An audit's score out of 100, as a ring around the number. Only a passed audit has a green ring. */
export function Score({ score, verdict = "approve", size = "medium" }: ScoreProps) {
  return (
    <span
      className={`relative inline-grid shrink-0 place-items-center ${size === "large" ? "size-16" : "size-11"}`}
    >
      <svg
        viewBox="0 0 44 44"
        className="absolute inset-0 -rotate-90"
        fill="none"
        strokeWidth="4"
        aria-hidden="true"
      >
        <circle className="stroke-line" cx="22" cy="22" r={radius} />
        <circle
          className={verdict === "approve" ? passedTone(score) : scoreTones[verdict]}
          data-verdict={verdict}
          cx="22"
          cy="22"
          r={radius}
          strokeLinecap="round"
          strokeDasharray={`${(circumference * score) / 100} ${circumference}`}
        />
      </svg>
      <span className={`figure font-semibold ${size === "large" ? "text-xl" : "text-sm"}`}>
        {score}
        <span className="sr-only"> out of 100</span>
      </span>
    </span>
  );
}

/** Tones of passed scores, so that the best stand out: those that lost less than one medium finding costs, than two, or more. */
function passedTone(score: number): string {
  const { medium } = auditScale.penalties;
  if (score > 100 - medium) return "stroke-accent";
  return score > 100 - 2 * medium ? "stroke-accent/60" : "stroke-warn";
}

export type StepState = "waiting" | "current" | "busy" | "done" | "failed";

type StepProps = {
  readonly state: StepState;
  /** The text for screen readers in the place of the mark. */
  readonly stateName: string;
  readonly title: string;
  /** Shown beside the title, such as an amount or a transaction. */
  readonly aside?: ReactNode;
  /** Shown below the title. */
  readonly children?: ReactNode;
};

/** Steps in order. The current one is marked for sight and screen readers. */
export function Stepper({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ol aria-label={label} className="grid">
      {children}
    </ol>
  );
}

const marks = {
  waiting: "border border-edge text-quiet",
  current: "border-2 border-accent text-accent",
  busy: "bg-accent-soft text-accent",
  done: "bg-accent text-on-accent",
  failed: "bg-bad-soft text-bad",
} as const;

export function Step({ state, stateName, title, aside, children }: StepProps) {
  const on = state === "current" || state === "busy" || state === "failed";
  return (
    <li aria-current={on ? "step" : undefined} className="group relative flex gap-3.5 pb-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-8 bottom-1 left-[0.8125rem] w-px bg-line group-last:hidden"
      />
      <span
        className={classes("grid size-[1.625rem] shrink-0 place-items-center rounded-full", marks[state])}
      >
        <Mark state={state} />
        <span className="sr-only">{stateName}: </span>
      </span>
      <div className="grid min-w-0 flex-1 gap-1 pt-0.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
          <span className={classes("font-medium", state === "waiting" && "text-quiet")}>{title}</span>
          {aside !== undefined && <span className="figure text-quiet">{aside}</span>}
        </div>
        {children !== undefined && <div className="text-sm text-quiet">{children}</div>}
      </div>
    </li>
  );
}

function Mark({ state }: { readonly state: StepState }) {
  if (state === "busy") return <Spinner />;
  if (state === "done") return <Icon name="check" />;
  if (state === "failed") return <Icon name="warning" />;
  return <span className="size-1.5 rounded-full bg-current" />;
}
