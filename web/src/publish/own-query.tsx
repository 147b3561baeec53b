import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiProblem } from "../api/problem.ts";
import { type AuditedPress, ownPress } from "../api/publish.ts";
import { publish as words } from "../strings/publish.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Failure, Notice } from "../ui/notice.tsx";
import { LoadingText } from "../ui/skeleton.tsx";

type OwnPressViewProps = {
  /** As it stands in the address. */
  readonly id: string;
  readonly loading: string;
  readonly failed: string;
  readonly children: (own: AuditedPress) => ReactNode;
};

/** Shows one of the session's own presses, or why it is not shown. */
export function OwnPressView({ id, loading, failed, children }: OwnPressViewProps) {
  const { data, error, refetch } = useQuery(ownPress(Number(id)));
  if (data !== undefined) return children(data);
  if (error !== null) return <OwnPressFailure heading={failed} error={error} retry={() => void refetch()} />;
  return <OwnPressLoading>{loading}</OwnPressLoading>;
}

/** An own press that could not be read: one that is not there, or not theirs, is told from a failure. */
export function OwnPressFailure({ heading, error, retry }: Parameters<typeof Failure>[0]) {
  if (!(error instanceof ApiProblem && error.kind === "missing")) {
    return <Failure heading={heading} error={error} retry={retry} />;
  }
  return (
    <Notice heading={words.missingTitle}>
      <p>{words.missing}</p>
      <ButtonLink to="/publish">{words.toDashboard}</ButtonLink>
    </Notice>
  );
}

export function OwnPressLoading({ children }: { readonly children: string }) {
  return <LoadingText lines={10}>{children}</LoadingText>;
}
