import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import { type AuditSummary, auditScale } from "../../../core/press/schema.ts";
import { ApiProblem } from "../api/request.ts";
import { common } from "../strings/common.ts";
import { Button, joinClasses, ReloadButton, Waiting } from "./button.tsx";
import { LoadingText } from "./page.tsx";

type NoticeProps = {
  readonly heading: string;
  readonly tone?: "neutral" | "warn" | "bad" | undefined;
  /** Whether the notice is an alert, which screen readers read out at once. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
};

const noticeTones = {
  neutral: "border-line bg-card",
  warn: "border-warn bg-warn-soft",
  bad: "border-bad bg-bad-soft",
} as const;

/** A notice to the reader, often shown instead of content. */
export function Notice({ heading, tone = "neutral", isAlert = false, children }: NoticeProps) {
  return (
    <div
      role={isAlert ? "alert" : undefined}
      className={joinClasses(
        "grid justify-items-start gap-3 rounded-2xl border p-5 sm:p-6",
        noticeTones[tone],
      )}
    >
      <h2 className="text-lg font-semibold">{heading}</h2>
      {children}
    </div>
  );
}

type FailureProps = { readonly heading: string; readonly error: unknown; readonly retry: () => void };

/**
 * Shows why loading failed, with a button to try again. If code could not be loaded, some browsers load it only after the whole page is
 * loaded again.
 */
export function Failure({ heading, error, retry }: FailureProps) {
  const problem = error instanceof ApiProblem ? error : undefined;
  // Browsers report code that could not be loaded as a TypeError.
  const isCode = error instanceof TypeError;
  return (
    <Notice heading={heading} isAlert>
      <p>{problem?.message ?? (isCode ? common.partFailed : common.unreadable)}</p>
      <RequestId id={problem?.requestId} />
      {isCode ? (
        <ReloadButton>{common.reload}</ReloadButton>
      ) : (
        <Button onClick={retry}>{common.retry}</Button>
      )}
    </Notice>
  );
}

/** Shows the id of the failed request, if the request has an id. A reader can give the id to the service's operators. */
export function RequestId({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <p className="text-sm text-quiet">
      {common.requestId}: <code>{id}</code>
    </p>
  );
}

/** Shows a fault, if there is one. Screen readers read the fault out at once. */
export function Alert({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p role="alert" className="text-sm text-bad [overflow-wrap:anywhere]">
      {children}
    </p>
  );
}

/** The text that a person sees for an error. If code cannot be loaded, browsers throw a TypeError with a message for developers. */
export function describeError(error: unknown): string {
  if (error instanceof TypeError) return common.partFailed;
  return error instanceof Error ? error.message : String(error);
}

type Query<Data> = Pick<UseQueryResult<Data>, "data" | "error"> & { readonly refetch: () => unknown };

export function joinQueries<One, Other>(
  one: Query<One>,
  other: Query<Other>,
): Query<{ readonly one: One; readonly other: Other }> {
  const [first, second] = [one.data, other.data];
  return {
    data: first === undefined || second === undefined ? undefined : { one: first, other: second },
    error: one.error ?? other.error,
    refetch: () => Promise.all([one.refetch(), other.refetch()]),
  };
}

type QueryViewProps<Data> = {
  readonly query: Query<Data>;
  readonly failed: string;
  /** The content that is shown while the data loads: placeholder bars with a text for screen readers, or other content. */
  readonly loading: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** Shows the data of a query, or a placeholder while the data is loading, or the reason why loading failed. */
export function QueryView<Data>({
  query: { data, error, refetch },
  failed,
  loading,
  children,
}: QueryViewProps<Data>) {
  if (data !== undefined) return children(data);
  if (error !== null) return <Failure heading={failed} error={error} retry={() => void refetch()} />;
  return typeof loading === "string" ? <LoadingText>{loading}</LoadingText> : loading;
}

const badgeTones = {
  neutral: "bg-sunk text-quiet",
  accent: "bg-accent-soft text-accent",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
} as const;

export type Tone = keyof typeof badgeTones;

export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={joinClasses(
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
  /** Shows the audit's verdict. A live press has always passed its audit. */
  readonly verdict?: AuditSummary["verdict"] | undefined;
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
          className={verdict === "approve" ? findScoreTone(score) : scoreTones[verdict]}
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

/**
 * The colour of the score of a text that passed the audit. The limits between the three colours are 100 minus the points of one medium
 * finding, and 100 minus the points of two medium findings. The best scores therefore stand out.
 */
function findScoreTone(score: number): string {
  const { medium } = auditScale.penalties;
  if (score > 100 - medium) return "stroke-accent";
  return score > 100 - 2 * medium ? "stroke-accent/60" : "stroke-warn";
}

type LoadingDialogProps = {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/**
 * A dialog that is shown until the real dialog's code is loaded, or if this code cannot be loaded. The browser's own dialog element is
 * used, because it traps and restores the focus.
 */
export function LoadingDialog({ label, onClose, children }: LoadingDialogProps) {
  const show = useCallback((veil: HTMLDialogElement | null) => {
    veil?.showModal();
    return () => veil?.close();
  }, []);
  return (
    <dialog
      ref={show}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="fixed inset-0 z-40 m-0 grid size-full max-h-none max-w-none items-end justify-items-center border-0 bg-veil p-0 text-ink sm:items-center sm:p-6"
    >
      <div className="w-full max-w-md rounded-t-3xl bg-card p-7 shadow-float sm:rounded-3xl">{children}</div>
    </dialog>
  );
}

/** A message that is shown at once while a dialog is loading. */
export function OpeningDialog({ onClose }: Pick<LoadingDialogProps, "onClose">) {
  return (
    <LoadingDialog label={common.opening} onClose={onClose}>
      <Waiting>{common.opening}</Waiting>
    </LoadingDialog>
  );
}
