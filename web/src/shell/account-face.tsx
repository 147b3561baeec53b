import type { ComponentProps } from "react";
import { buttonClasses } from "../ui/button.tsx";

type FaceProps = ComponentProps<"button"> & { readonly signedIn: boolean };

/** The account's button: an address, and a dot that is full for a session. */
export function AccountFace({ signedIn, children, ...rest }: FaceProps) {
  return (
    <button type="button" aria-haspopup="menu" {...rest} className={faceClass}>
      <AccountDot signedIn={signedIn} />
      {children}
    </button>
  );
}

export const faceClass = buttonClasses({ look: "secondary" }, "font-mono");

export function AccountDot({ signedIn }: { readonly signedIn: boolean }) {
  return <span className={`size-2 rounded-full ${signedIn ? "bg-accent" : "border border-edge"}`} />;
}
