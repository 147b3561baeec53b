import { Link, type LinkProps } from "@tanstack/react-router";
import { type ComponentProps, useEffect, useState } from "react";
import { common } from "../strings/common.ts";

/** Joins CSS class names, and leaves out values that are false or undefined. */
export function joinClasses(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => typeof name === "string" && name !== "").join(" ");
}

type ButtonLook = {
  /** The button's look: `primary` is for the main action of a page or dialog. */
  readonly look?: "primary" | "secondary" | "plain" | "danger" | undefined;
  readonly size?: "small" | "medium" | "large" | undefined;
};

const base =
  "inline-flex items-center justify-center gap-2 rounded-full font-medium whitespace-nowrap select-none transition-colors duration-150 disabled:opacity-55 aria-disabled:opacity-55";
const looks = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong",
  secondary: "bg-card text-ink border border-edge hover:bg-sunk",
  plain: "text-accent hover:bg-accent-soft",
  danger: "text-bad border border-bad hover:bg-bad-soft",
} as const;
const sizes = {
  small: "min-h-8 px-3 text-sm",
  medium: "min-h-10 px-4 text-sm",
  large: "min-h-12 px-6 text-base",
} as const;

/** The CSS classes of a button, for elements other than `<button>`. */
export function joinButtonClasses(
  { look = "secondary", size = "medium" }: ButtonLook,
  more?: string,
): string {
  return joinClasses(base, looks[look], sizes[size], more);
}

type ButtonProps = ComponentProps<"button"> & ButtonLook & { readonly busy?: boolean | undefined };

/** A button. While `busy` is set, the button shows a spinner, can still have the focus, and does nothing. */
export function Button({ look, size, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={joinButtonClasses({ look, size }, className)}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** A link to a page of this site that looks like a button. */
export function ButtonLink({
  look,
  size,
  className,
  ...rest
}: Omit<LinkProps, "className"> & ButtonLook & { readonly className?: string }) {
  return <Link {...rest} className={joinButtonClasses({ look, size }, className)} />;
}

/** A spinner. The spinner is hidden from screen readers, because a text beside it says the same. */
export function Spinner() {
  return (
    <svg viewBox="0 0 16 16" className="size-4 shrink-0 animate-spin" fill="none" aria-hidden="true">
      <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}

/** Shows a spinner and names the thing that the page waits for. */
export function Waiting({ children }: { readonly children: string }) {
  return (
    <p role="status" className="flex items-center gap-3 text-quiet">
      <Spinner /> {children}
    </p>
  );
}

/** Milliseconds for which a button shows its result. */
const telling = 2_000;
const words = { idle: common.copy, copied: common.copied, refused: common.notCopied } as const;

/** A button that copies a text, if the browser allows it. `label` tells screen readers which text the button copies. */
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

/**
 * A button that reloads the page. The button shows at once that the page is reloading, because on a slow connection the old page stays
 * visible for seconds.
 */
export function ReloadButton({
  look,
  children,
}: Pick<ButtonLook, "look"> & { readonly children: ComponentProps<"button">["children"] }) {
  const [busy, setBusy] = useState(false);
  const reload = async () => {
    setBusy(true);
    if (!(await reloadIfReachable())) setBusy(false);
  };
  return (
    <Button look={look} busy={busy} onClick={() => void reload()}>
      {children}
    </Button>
  );
}

/**
 * Reloads the page. If the service cannot be reached, the function returns `false` and does not reload, because the browser would show its
 * own error page. A reload is needed because a browser may remember that a module failed to load.
 */
export async function reloadIfReachable(): Promise<boolean> {
  try {
    await fetch("/favicon.svg", { cache: "no-store" });
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/** Saves a text as a file through the browser. */
export function downloadFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
