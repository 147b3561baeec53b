import { lookup } from "node:dns/promises";
import { setTimeout } from "node:timers/promises";

/** The maximum time to wait for a DNS resolver, in milliseconds. If the resolver takes longer, the host counts as not found. */
const patienceMs = 20_000;

/**
 * Prints the reason if AWS's host name cannot be resolved. SST itself only repeats "Waiting for internet connection" endlessly, or prints
 * nothing. Returns whether a reason was printed.
 */
export async function reportOffline(host: string): Promise<boolean> {
  const late = setTimeout(patienceMs, "no answer", { ref: false });
  const reason = await Promise.race([lookup(host).then(() => undefined, String), late]);
  if (reason === undefined) return false;
  console.error(
    `AWS cannot be reached from here: ${host} has no address (${reason}). Nothing was changed. The command waits until there is a network; Ctrl-C ends it.`,
  );
  return true;
}
