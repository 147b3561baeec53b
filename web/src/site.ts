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
