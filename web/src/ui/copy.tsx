import { useEffect, useState } from "react";
import { common } from "../strings/common.ts";
import { Button } from "./button.tsx";

/** How long a button tells what came of it, in milliseconds. */
const telling = 2_000;
const words = { idle: common.copy, copied: common.copied, refused: common.notCopied } as const;

/** A button that copies a text, where the browser lets pages do so. `label` says which, for ears. */
export function Copy({ label, text }: { readonly label: string; readonly text: string }) {
  const [state, setState] = useState<keyof typeof words>("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), telling);
    return () => clearTimeout(timer);
  }, [state]);
  if (!window.isSecureContext) return null;
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  return (
    <Button size="small" onClick={copy}>
      <span aria-live="polite">{words[state]}</span>
      <span className="sr-only">: {label}</span>
    </Button>
  );
}
