import { lazy, type ReactNode, Suspense } from "react";
import { common } from "../strings/common.ts";
import { wallet as words } from "../strings/wallet.ts";
import { Failure } from "../ui/notice.tsx";
import { TextSkeleton } from "../ui/skeleton.tsx";
import { useSession } from "./use-session.ts";

const SignInPanel = lazy(() => import("./sign-in-panel.tsx"));

type GateProps = {
  /** What the session is needed for, in a sentence. */
  readonly lead: string;
  readonly children: (address: string) => ReactNode;
};

/** Shows its content to a session, and to everybody else how to get one. */
export function SessionGate({ lead, children }: GateProps) {
  const { address, error, retry } = useSession();
  if (typeof address === "string") return children(address);
  if (error !== null) return <Failure heading={common.unreachable} error={error} retry={retry} />;
  if (address === undefined) return <TextSkeleton />;
  return <SignInCard lead={lead} />;
}

type SignInCardProps = { readonly lead: string; readonly onSignedIn?: () => void };

/** How to sign in, as a part of a page. */
export function SignInCard({ lead, onSignedIn = () => undefined }: SignInCardProps) {
  return (
    <section className="grid max-w-md gap-5 rounded-2xl border border-line bg-card p-6 shadow-card">
      <div className="grid gap-2">
        <h2 className="text-title">{words.signInTitle}</h2>
        <p className="text-sm text-quiet">{lead}</p>
        <p className="text-sm text-quiet">{words.signInLead}</p>
      </div>
      <Suspense fallback={<TextSkeleton lines={2} />}>
        <SignInPanel onSignedIn={onSignedIn} />
      </Suspense>
    </section>
  );
}
