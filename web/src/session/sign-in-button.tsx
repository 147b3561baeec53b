import { lazy, Suspense, useState } from "react";
import { Button } from "../ui/button.tsx";

const WalletDialog = lazy(() => import("./wallet-dialog.tsx"));

type SignInButtonProps = { readonly children: string; readonly onSignedIn?: () => void };

/** A way to sign in from the middle of a page, which goes on with what was wanted. */
export function SignInButton({ children, onSignedIn }: SignInButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        {children}
      </Button>
      {open && (
        <Suspense>
          <WalletDialog view="sign-in" onClose={() => setOpen(false)} onSignedIn={onSignedIn} />
        </Suspense>
      )}
    </>
  );
}
