import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { classes } from "./classes.ts";
import { Spinner } from "./spinner.tsx";

type Look = {
  /** `primary` is for the one thing that a view is there for. */
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

/** How something looks that is pressed, for elements that are not `<button>`. */
export function buttonClasses({ look = "secondary", size = "medium" }: Look, more?: string): string {
  return classes(base, looks[look], sizes[size], more);
}

type ButtonProps = ComponentProps<"button"> & Look & { readonly busy?: boolean | undefined };

/** A button. While `busy` it shows so, stays focusable and does nothing. */
export function Button({ look, size, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClasses({ look, size }, className)}
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
}: Omit<LinkProps, "className"> & Look & { readonly className?: string }) {
  return <Link {...rest} className={buttonClasses({ look, size }, className)} />;
}
