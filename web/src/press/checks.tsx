import { Link } from "@tanstack/react-router";
import type { FullReport } from "../../../core/audit/schema.ts";
import { press as words } from "../strings/reader.ts";

/** What an audit looked at, how much each check found, and what it cannot judge. Older reports do not tell. */
export function Checks({ checks, reading }: Pick<FullReport, "checks" | "reading">) {
  if (checks === undefined) return null;
  return (
    <details className="border-t border-line pt-3">
      <summary className="cursor-pointer font-medium">{words.checks(checks.length)}</summary>
      <div className="grid gap-3 pt-3">
        {reading !== undefined && (
          <p className="text-quiet">{words.reading(reading.claims, reading.unsupported, reading.dropped)}</p>
        )}
        <dl className="grid gap-2">
          {checks.map(({ check, by, found, cannotJudge }) => (
            <div key={check} className="grid gap-0.5">
              <dt className="flex flex-wrap items-baseline justify-between gap-x-3">
                <code className="text-xs">{check}</code>
                <span className="text-xs text-quiet">
                  {words.ranBy[by]}, {words.found(found)}
                </span>
              </dt>
              <dd className="text-xs text-quiet">{words.cannotJudge(cannotJudge)}</dd>
            </div>
          ))}
        </dl>
        <p>
          <Link to="/audit" className="link">
            {words.how}
          </Link>
        </p>
      </div>
    </details>
  );
}
