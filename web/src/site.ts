export function makePressPath(slug: string): string {
  return `/press/${encodeURIComponent(slug)}`;
}

/** Whether a host name stands for the local machine. A block explorer does not know the chain of a local machine. */
export function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** The query of the editor's URL: the id of a saved press, or the name of a local text. */
type EditorSearch = { readonly id?: string; readonly draft?: string };

/** Parses the editor's query and drops invalid values. */
export function parseEditor({ id, draft }: Readonly<Record<string, unknown>>): EditorSearch {
  if (typeof id === "string" && /^[1-9]\d{0,14}$/.test(id)) return { id };
  return typeof draft === "string" && /^[\d-]{1,40}$/.test(draft) ? { draft } : {};
}

/**
 * The RPC address that the site gives to wallets: the address of the chain's public node, or, on the devnet, of the service's RPC relay.
 */
export function findPublicNode(): string {
  return import.meta.env.DEVNET ? `${window.location.origin}/api/rpc` : import.meta.env.PUBLIC_NODE;
}

/** The service's discovery document (specification §2.11). */
export const discoveryPath = "/.well-known/x402";
