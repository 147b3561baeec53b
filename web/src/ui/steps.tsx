import type { ReactNode } from "react";
import { joinClasses, Spinner } from "./button.tsx";
import { Icon } from "./icon.tsx";

export type StepState = "waiting" | "current" | "busy" | "done" | "failed";

type StepProps = {
  readonly state: StepState;
  /** The text that screen readers read instead of the step's mark. */
  readonly stateName: string;
  readonly title: string;
  /** Content beside the step's title, such as an amount or a transaction. */
  readonly aside?: ReactNode;
  /** Content below the step's title. */
  readonly children?: ReactNode;
};

const marks = {
  waiting: "border border-edge text-quiet",
  current: "border-2 border-accent text-accent",
  busy: "bg-accent-soft text-accent",
  done: "bg-accent text-on-accent",
  failed: "bg-bad-soft text-bad",
} as const;

/** A step in an ordered list of steps. The current step is marked visibly and for screen readers. */
export function Step({ state, stateName, title, aside, children }: StepProps) {
  const on = state === "current" || state === "busy" || state === "failed";
  return (
    <li aria-current={on ? "step" : undefined} className="group relative flex gap-3.5 pb-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-8 bottom-1 left-[0.8125rem] w-px bg-line group-last:hidden"
      />
      <span
        className={joinClasses("grid size-[1.625rem] shrink-0 place-items-center rounded-full", marks[state])}
      >
        <Mark state={state} />
        <span className="sr-only">{stateName}: </span>
      </span>
      <div className="grid min-w-0 flex-1 gap-1 pt-0.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
          <span className={joinClasses("font-medium", state === "waiting" && "text-quiet")}>{title}</span>
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

type ProblemProps = {
  readonly title: string;
  /** A text above the title. The text names the kind of problem. */
  readonly family?: string;
  readonly children: ReactNode;
};

/** Shows why an action stopped, and how the reader can continue. */
export function Problem({ title, family, children }: ProblemProps) {
  return (
    <div
      role="alert"
      className="grid w-full justify-items-start gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm text-ink"
    >
      {family !== undefined && <p className="text-xs font-medium text-warn">{family}</p>}
      <p className="text-base font-semibold">{title}</p>
      {children}
    </div>
  );
}

/** The number of a step, beside its text. */
export function StepNumber({ children }: { readonly children: number }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
    >
      {children}
    </span>
  );
}
