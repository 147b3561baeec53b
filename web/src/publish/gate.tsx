import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { type AuditedPress, dashboard, ownPress } from "../api/publish.ts";
import { ApiProblem } from "../api/request.ts";
import { SessionGate, SignInCard } from "../session/sign-in.tsx";
import { publish as words } from "../strings/publish.ts";
import { ButtonLink } from "../ui/button.tsx";
import { LoadingText } from "../ui/page.tsx";
import { Failure, Notice } from "../ui/status.tsx";

type GateProps = {
  /** Stands above the sign-in. */
  readonly pitch?: ReactNode;
  readonly children: (wallet: string) => ReactNode;
};

/**
 * Shows its content to a session that may publish. One that was born from a payment may not: only the service knows, and
 * says so when it is asked for the publisher's own presses.
 */
export function PublisherGate({ pitch, children }: GateProps) {
  return (
    <SessionGate lead={words.signInLead} pitch={pitch}>
      {(wallet) => (
        <Inner key={wallet} wallet={wallet}>
          {children}
        </Inner>
      )}
    </SessionGate>
  );
}

function Inner({ wallet, children }: Pick<GateProps, "children"> & { readonly wallet: string }) {
  const { data, error, refetch } = useQuery(dashboard);
  // Who was let in stays: a session that ends later must not take away what is being written.
  const letIn = useRef(false);
  if (data !== undefined || (error !== null && !isSignInNeeded(error))) letIn.current = true;
  if (letIn.current) return children(wallet);
  if (error !== null) return <SignInCard lead={words.signInAgain} onSignedIn={() => void refetch()} />;
  return <LoadingText>{words.loading}</LoadingText>;
}

/** Whether a sign-in is what is missing: there is no session any more, or one that only reads. */
export function isSignInNeeded(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}

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
