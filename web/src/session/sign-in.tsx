import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import { me } from "../api/session.ts";
import { common, wallet as words } from "../strings/common.ts";
import { Button, joinClasses } from "../ui/button.tsx";
import { TextSkeleton } from "../ui/page.tsx";
import { makeLazyPart, PartBoundary } from "../ui/part.tsx";
import { Failure } from "../ui/status.tsx";
import { useConnection, wasConnected } from "../wallet/state.ts";

/** The address of the session's wallet in lower case; `undefined` until the address is known, null without a session. */
export function useSession() {
  return { address: useQuery(me).data };
}

const SignInPanel = makeLazyPart(async () => (await import("./wallet-dialog.tsx")).SignInPanel);

type GateProps = {
  /** A sentence that says why a session is needed. */
  readonly lead: string;
  /** Content that is shown above the sign-in. */
  readonly pitch?: ReactNode;
  /** The address of a wallet whose content stays visible although the wallet's session has ended. */
  readonly heldFor?: string | undefined;
  readonly children: (address: string) => ReactNode;
};

/** Shows the content to a signed-in reader, and shows the sign-in to everybody else. */
export function SessionGate({ lead, pitch, heldFor, children }: GateProps) {
  const { data: signedIn, error, refetch } = useQuery(me);
  const address = heldFor ?? signedIn;
  if (typeof address === "string") return children(address);
  if (error !== null)
    return <Failure heading={common.unreachable} error={error} retry={() => void refetch()} />;
  if (address === undefined) return <TextSkeleton />;
  return (
    <div
      className={joinClasses(
        "grid items-start gap-x-16 gap-y-8",
        pitch !== undefined && "lg:grid-flow-col lg:justify-start",
      )}
    >
      {pitch}
      <SignInCard lead={lead} isFolded={pitch !== undefined} />
    </div>
  );
}

type SignInCardProps = {
  readonly lead: string;
  /**
   * Whether the sign-in is collapsed at first. The code for wallets is as large as the page's own code. A collapsed sign-in loads the code
   * for wallets only when the visitor opens the sign-in.
   */
  readonly isFolded?: boolean;
  readonly onSignedIn?: () => void;
};

/** The box in a page that offers the sign-in. */
export function SignInCard({ lead, isFolded = false, onSignedIn = () => undefined }: SignInCardProps) {
  const isConnected = useConnection() !== undefined;
  const [wanted, setWanted] = useState(!isFolded || wasConnected());
  return (
    <section
      className={joinClasses(
        "grid gap-5 rounded-2xl border border-line bg-card p-6 shadow-card",
        isFolded ? "max-w-md" : "max-w-3xl",
      )}
    >
      <div className="grid gap-2">
        <h2 className="text-title">{words.signInTitle}</h2>
        <p className="text-sm text-quiet">{lead}</p>
        <p className="text-sm text-quiet">{words.signInLead}</p>
      </div>
      {!wanted && !isConnected ? (
        <Button look="primary" size="large" onClick={() => setWanted(true)}>
          {words.connectTitle}
        </Button>
      ) : (
        <PartBoundary fallback={<TextSkeleton lines={2} />}>
          <SignInPanel onSignedIn={onSignedIn} />
        </PartBoundary>
      )}
    </section>
  );
}

const Loaded = makeLazyPart(async () => (await import("./wallet-dialog.tsx")).default);

/** The dialog that connects a wallet or signs in. */
export function WalletDialog(props: ComponentProps<typeof Loaded>) {
  return (
    <PartBoundary onClose={props.onClose}>
      <Loaded {...props} />
    </PartBoundary>
  );
}

type SignInButtonProps = {
  readonly children: string;
  readonly look?: "plain" | "secondary";
  readonly onSignedIn?: () => void;
};

/** A sign-in button inside a page. After the sign-in, the page continues with the action that the reader has begun. */
export function SignInButton({ children, look = "plain", onSignedIn }: SignInButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {open && <WalletDialog view="sign-in" onClose={() => setOpen(false)} onSignedIn={onSignedIn} />}
    </>
  );
}
