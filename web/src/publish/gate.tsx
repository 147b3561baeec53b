import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { ApiProblem } from "../api/problem.ts";
import { dashboard } from "../api/publish.ts";
import { SessionGate, SignInCard } from "../session/gate.tsx";
import { publish as words } from "../strings/publish.ts";
import { LoadingText } from "../ui/skeleton.tsx";

type GateProps = { readonly children: (wallet: string) => ReactNode };

/**
 * Shows its content to a session that may publish. One that was born from a payment may not: only the service knows, and
 * says so when it is asked for the publisher's own presses.
 */
export function PublisherGate({ children }: GateProps) {
  return (
    <SessionGate lead={words.signInLead}>
      {(wallet) => (
        <Inner key={wallet} wallet={wallet}>
          {children}
        </Inner>
      )}
    </SessionGate>
  );
}

function Inner({ wallet, children }: GateProps & { readonly wallet: string }) {
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
