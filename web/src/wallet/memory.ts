/** Where wagmi keeps what it knows; it writes the id of the wallet that was connected last. */
export const memoryKey = "wallet";

/** Whether a wallet was connected when the site was last open. Browsers that keep nothing for us say no. */
export function remembered(): boolean {
  try {
    return localStorage.getItem(`${memoryKey}.recentConnectorId`) !== null;
  } catch {
    return false;
  }
}
