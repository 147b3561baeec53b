import { useEffect, useState } from "react";

type CodeProps = { readonly label: string; readonly text: string };

/** A listing with a name and, where the browser lets pages do so, a button that copies it. */
export function Code({ label, text }: CodeProps) {
  return (
    <figure className="code">
      <figcaption>
        <span>{label}</span>
        {window.isSecureContext && <Copy label={label} text={text} />}
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** How long a button tells what came of it, in milliseconds. */
const telling = 2_000;
const words = { idle: "Copy", copied: "Copied", refused: "Not allowed" } as const;

function Copy({ label, text }: CodeProps) {
  const [state, setState] = useState<keyof typeof words>("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), telling);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  return (
    <button type="button" className="small" onClick={copy}>
      <span aria-live="polite">{words[state]}</span>
      <span className="unseen">: {label}</span>
    </button>
  );
}
