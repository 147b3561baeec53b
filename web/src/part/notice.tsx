import type { ReactNode } from "react";
import type { ApiProblem } from "../api/request.ts";

type NoticeProps = { readonly heading: string; readonly children: ReactNode };

/** Something that a reader should know instead of what was asked for. */
export function Notice({ heading, children }: NoticeProps) {
  return (
    <div className="notice">
      <h2>{heading}</h2>
      {children}
    </div>
  );
}

type FailureProps = { readonly heading: string; readonly problem: ApiProblem; readonly retry: () => void };

/** Why something could not be read, and how to try again. */
export function Failure({ heading, problem, retry }: FailureProps) {
  return (
    <div role="alert">
      <Notice heading={heading}>
        <p>{problem.message}</p>
        {problem.requestId !== undefined && (
          <p className="quiet">
            Request id: <code>{problem.requestId}</code>
          </p>
        )}
        <button type="button" onClick={retry}>
          Try again
        </button>
      </Notice>
    </div>
  );
}
