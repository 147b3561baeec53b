import { Bar } from "../ui/skeleton.tsx";

/** Bars in place of rows that are on their way. */
export function ListSkeleton() {
  return (
    <div className="grid gap-4" aria-hidden="true">
      {["first", "second", "third", "fourth"].map((row) => (
        <div key={row} className="grid gap-3 rounded-2xl border border-line bg-card p-5 sm:p-6">
          <Bar className="h-4 w-40" />
          <Bar className="h-7 w-3/4" />
          <Bar className="h-4 w-full" />
          <Bar className="h-4 w-2/3" />
        </div>
      ))}
    </div>
  );
}
