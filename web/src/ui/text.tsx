import { formatAgo, formatChange, formatMoment, shortHex } from "../format.ts";
import { addressUrl, transactionUrl } from "../site.ts";
import { common } from "../strings/common.ts";
import { Copy } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** A listing with a name, and a button that copies it. */
export function Code({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-card">
      <figcaption className="flex min-h-12 items-center justify-between gap-3 border-b border-line px-4 py-2 text-sm text-quiet">
        <span>{label}</span>
        <Copy label={label} text={text} />
      </figcaption>
      <pre className="overflow-x-auto whitespace-pre-wrap [overflow-wrap:anywhere] p-4 font-mono text-[0.8125rem] leading-relaxed">
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** How long ago a time (ISO 8601) was; the time itself stands behind it. */
export function Ago({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={formatMoment(time)}>
      {formatAgo(time, Date.now())}
    </time>
  );
}

type ChangeProps = { readonly before: number; readonly after: number };

/** How a price has moved, green or red; a change that rounds to nothing is neither. */
export function Change({ before, after }: ChangeProps) {
  const change = formatChange(before, after);
  if (change === undefined) return null;
  const tone = change.startsWith("+") ? "text-accent" : change.startsWith("−") ? "text-bad" : "text-quiet";
  return <span className={tone}>{change}</span>;
}

type HexProps = { readonly kind: "address" | "transaction"; readonly value: string };

/** An address or transaction, shortened, with a link to the chain's explorer in a tab of its own. */
export function Hex({ kind, value }: HexProps) {
  const url = kind === "address" ? addressUrl(value) : transactionUrl(value);
  return (
    <a
      className="link inline-flex items-center gap-1 font-mono text-[0.92em]"
      href={url}
      target="_blank"
      rel="noreferrer"
      title={value}
    >
      {shortHex(value)}
      <Icon name="external" className="size-3" />
      <span className="sr-only">{common.onExplorer(common[kind])}</span>
    </a>
  );
}
