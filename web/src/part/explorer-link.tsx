import { shortHex } from "../format.ts";
import { addressUrl, transactionUrl } from "../site.ts";

type ExplorerLinkProps = { readonly kind: "address" | "transaction"; readonly value: string };

/** An address or transaction, shortened, with a link to the chain's explorer. */
export function ExplorerLink({ kind, value }: ExplorerLinkProps) {
  const url = kind === "address" ? addressUrl(value) : transactionUrl(value);
  return (
    <a className="hex" href={url} rel="noreferrer" title={value}>
      {shortHex(value)}
      <span className="unseen"> ({kind} on the chain’s explorer)</span>
    </a>
  );
}
