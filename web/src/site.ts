export function makePressPath(slug: string): string {
  return `/press/${encodeURIComponent(slug)}`;
}

/** Whether a host name stands for the local machine. The explorer does not know the chain of a local machine. */
export function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** The editor's query: a saved press by id, or a local text by name. */
type EditorSearch = { readonly id?: string; readonly draft?: string };

/** Parses the editor's query and drops invalid values. */
export function parseEditor({ id, draft }: Readonly<Record<string, unknown>>): EditorSearch {
  if (typeof id === "string" && /^[1-9]\d{0,14}$/.test(id)) return { id };
  return typeof draft === "string" && /^[\d-]{1,40}$/.test(draft) ? { draft } : {};
}

/** The node whose address the site gives to wallets: the chain's public node, or on the devnet the service's RPC relay. */
export function findPublicNode(): string {
  return import.meta.env.DEVNET ? `${window.location.origin}/api/rpc` : import.meta.env.PUBLIC_NODE;
}

/** The service's discovery document (specification §2.11). */
export const discoveryPath = "/.well-known/x402";
