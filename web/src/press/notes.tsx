import type { Press } from "../../../core/press/schema.ts";
import { formatDay } from "../format.ts";
import { press as words } from "../strings/reader.ts";

/** The author's notices on a live press: that it is off sale, and corrections, the newest first. */
export function Notes({
  press: { corrections, unlistedAt },
}: {
  readonly press: Pick<Press, "corrections" | "unlistedAt">;
}) {
  if (corrections.length === 0 && unlistedAt === null) return null;
  return (
    <section aria-label={words.corrections} className="grid gap-3 border-l-3 border-warn pl-4">
      {unlistedAt !== null && <p>{words.unlisted(formatDay(unlistedAt))}</p>}
      {corrections.toReversed().map(({ at, text }) => (
        <p key={at + text} className="whitespace-pre-line">
          <strong className="font-semibold">
            <time dateTime={at}>{words.correction(formatDay(at))}</time>
          </strong>{" "}
          <span dir="auto">{text}</span>
        </p>
      ))}
    </section>
  );
}
