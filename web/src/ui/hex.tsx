import { shortHex } from "../format.ts";
import { addressUrl, transactionUrl } from "../site.ts";
import { common } from "../strings/common.ts";
import { Icon } from "./icon.tsx";

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
