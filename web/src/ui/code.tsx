import { Copy } from "./copy.tsx";

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
