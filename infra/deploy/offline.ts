import { lookup } from "node:dns/promises";
import { setTimeout } from "node:timers/promises";

/** Seconds after which a resolver that is silent counts as one that finds nothing. */
const patienceMs = 20_000;

/**
 * Says what SST's commands wait for where AWS has no address: SST itself repeats "Waiting for internet connection" without an end and
 * without a name, or nothing. Answers whether it said something.
 */
export async function sayIfOffline(host: string): Promise<boolean> {
  const ended = new AbortController();
  const late = setTimeout(patienceMs, "no answer", { signal: ended.signal, ref: false });
  const reason = await Promise.race([
    lookup(host).then(
      () => undefined,
      (error: unknown) => String(error),
    ),
    late.catch(() => undefined),
  ]);
  ended.abort();
  if (reason === undefined) return false;
  console.error(
    `AWS cannot be reached from here: ${host} has no address (${reason}). Nothing was changed. The command waits until there is a network; Ctrl-C ends it.`,
  );
  return true;
}
