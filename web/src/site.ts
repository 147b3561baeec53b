/** An address at the chain's public explorer. */
export function addressUrl(address: string): string {
  return `${import.meta.env.EXPLORER}/address/${address}`;
}

/** A transaction at the chain's public explorer. */
export function transactionUrl(hash: string): string {
  return `${import.meta.env.EXPLORER}/tx/${hash}`;
}

/** The path of a press's page. */
export function pressPath(slug: string): string {
  return `/press/${encodeURIComponent(slug)}`;
}

/** Whether a site under this host name runs on its own machine, where the chain is one that the explorer does not know. */
export function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** What the editor's address carries: a saved press by its id, or a text of this browser's own by its name. */
type EditorSearch = { readonly id?: string; readonly draft?: string };

/** Reads the query of the editor's address; what is no id or name is left out. */
export function parseEditor({ id, draft }: Readonly<Record<string, unknown>>): EditorSearch {
  if (typeof id === "string" && /^[1-9]\d{0,14}$/.test(id)) return { id };
  return typeof draft === "string" && /^[\d-]{1,40}$/.test(draft) ? { draft } : {};
}

/** The node that a wallet is told of: the chain's public one, or on the devnet the service's relay. */
export function publicNode(): string {
  return import.meta.env.DEVNET ? `${window.location.origin}/api/rpc` : import.meta.env.PUBLIC_NODE;
}
