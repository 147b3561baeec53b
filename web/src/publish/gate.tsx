import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import type { DashboardPress } from "../../../core/press/schema.ts";
import { type AuditedPress, dashboard, queryOwnPress } from "../api/publish.ts";
import { ApiProblem, isMissingError, isSignInNeeded } from "../api/request.ts";
import { SessionGate, SignInCard } from "../session/sign-in.tsx";
import { publish as words } from "../strings/publish.ts";
import { ButtonLink } from "../ui/button.tsx";
import { LoadingText } from "../ui/page.tsx";
import { Badge, Failure, Notice, type Tone } from "../ui/status.tsx";

type GateProps = {
  /** Content that is shown above the sign-in. */
  readonly pitch?: ReactNode;
  /** The wallet whose unsaved text stays visible although the wallet's session has ended. */
  readonly heldFor?: string | undefined;
  readonly children: (wallet: string) => ReactNode;
};

/**
 * Shows its content only to a session that is allowed to publish. A session that began with a payment cannot publish. Only the service
 * knows how a session began, so the page requests the publisher's presses to learn whether the session is allowed to publish.
 */
export function PublisherGate({ pitch, heldFor, children }: GateProps) {
  return (
    <SessionGate lead={words.signInLead} pitch={pitch} heldFor={heldFor}>
      {(wallet) => (
        <PublisherContent key={wallet} wallet={wallet}>
          {children}
        </PublisherContent>
      )}
    </SessionGate>
  );
}

function PublisherContent({ wallet, children }: Pick<GateProps, "children"> & { readonly wallet: string }) {
  const { data, error, refetch } = useQuery(dashboard);
  // Once a visitor was allowed to publish, the content stays visible, because the end of a session must not hide an unsaved text.
  const letIn = useRef(false);
  if (data !== undefined || (error !== null && !isSignInNeeded(error))) letIn.current = true;
  if (letIn.current) return children(wallet);
  if (error !== null) return <SignInCard lead={explainSignIn(error)} onSignedIn={() => void refetch()} />;
  return <LoadingText>{words.loading}</LoadingText>;
}

/** The reason why a sign-in is needed, for an error for which `isSignInNeeded` is true. */
export function explainSignIn(error: unknown): string {
  if (!(error instanceof ApiProblem)) return words.sessionEnded;
  if (error.code === "other_session") return error.message;
  return error.code === "sign_in_required" ? words.signInAgain : words.sessionEnded;
}

type OwnPressViewProps = {
  /** The press's id in the page's address. */
  readonly id: string;
  readonly children: (own: AuditedPress) => ReactNode;
};

/** Shows one press of the session's wallet, or the reason why it cannot be shown. */
export function OwnPressView({ id, children }: OwnPressViewProps) {
  const { data, error, refetch } = useQuery(queryOwnPress(Number(id)));
  if (data !== undefined) return children(data);
  if (error === null) return <LoadingText lines={10}>{words.pressLoading}</LoadingText>;
  return <OwnPressFailure heading={words.pressFailed} error={error} retry={() => void refetch()} />;
}

/**
 * Shows that one of the wallet's own presses could not be read. If the press is missing or belongs to another wallet, the message gives
 * this reason.
 */
export function OwnPressFailure({ heading, error, retry }: Parameters<typeof Failure>[0]) {
  if (!isMissingError(error)) {
    return <Failure heading={heading} error={error} retry={retry} />;
  }
  return (
    <Notice heading={words.missingTitle}>
      <p>{words.missing}</p>
      <ButtonLink to="/publish">{words.toDashboard}</ButtonLink>
    </Notice>
  );
}

type PressStatus = DashboardPress["status"];

const tones: Readonly<Record<PressStatus, Tone>> = {
  draft: "neutral",
  revise: "warn",
  rejected: "bad",
  approved: "accent",
  live: "accent",
};

/** The status of a press (specification §3). */
export function StatusBadge({ status }: { readonly status: PressStatus }) {
  return <Badge tone={tones[status]}>{words.status[status]}</Badge>;
}
