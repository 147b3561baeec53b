import { lazy, Suspense, useState } from "react";
import { Button } from "../ui/button.tsx";

const WalletDialog = lazy(() => import("./wallet-dialog.tsx"));

/** A way to sign in from the middle of a page. */
export function SignInButton({ children }: { readonly children: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        {children}
      </Button>
      {open && (
        <Suspense>
          <WalletDialog view="sign-in" onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
