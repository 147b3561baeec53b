import { classes } from "./classes.ts";

/** A bar in place of what is on its way. Its size comes with it. */
export function Bar({ className }: { readonly className: string }) {
  return <span className={classes("block animate-pulse rounded-md bg-sunk", className)} />;
}

/** Stands in for a text that is on its way, and says so to screen readers: `children` are the words. */
export function LoadingText({ lines = 5, children }: { readonly lines?: number; readonly children: string }) {
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        {children}
      </p>
      <TextSkeleton lines={lines} />
    </div>
  );
}

/** Bars in place of a text. Whoever shows it says so to screen readers. */
export function TextSkeleton({ lines = 5 }: { readonly lines?: number }) {
  return (
    <div className="grid max-w-2xl gap-3" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <Bar key={String(line)} className={line === lines - 1 ? "h-4 w-2/3" : "h-4 w-full"} />
      ))}
    </div>
  );
}
