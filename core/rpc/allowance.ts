import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/log.ts";
import type { Table } from "../table.ts";
import { allowance } from "./schema.ts";

type Ports = { readonly table: Table; readonly clock: Pick<Clock, "now">; readonly log: Log };

/** Seconds for which what an address has used is kept. */
const lifetime = 10 * 60;

/** Addresses of one window that this process knows to have used up theirs. */
type Known = { window: number; readonly usedUp: Set<string> };

/**
 * What each address may ask of the chain through us, counted for all processes in the table: a limit by cost beside the
 * firewall's by number. An address that is refused once is refused by this process without another write until the
 * window ends. A table that does not answer limits nobody: the relay's nodes are not those of payments.
 */
export function openAllowance({ table, clock, log }: Ports) {
  const known: Known = { window: 0, usedUp: new Set() };

  /** Takes the cost from the allowance of an IP address. Answers the seconds to wait where there is not so much left. */
  return async function spend(address: string, cost: number): Promise<number | undefined> {
    const now = clock.now() / 1000;
    const window = Math.floor(now / allowance.windowSeconds) * allowance.windowSeconds;
    const wait = Math.max(1, Math.ceil(window + allowance.windowSeconds - now));
    const caller = networkOf(address);
    if (known.window !== window) {
      known.window = window;
      known.usedUp.clear();
    }
    if (known.usedUp.has(caller)) return wait;
    const used = await count(caller, window, cost);
    if (used <= allowance.cost) return undefined;
    known.usedUp.add(caller);
    return wait;
  };

  async function count(address: string, window: number, cost: number): Promise<number> {
    try {
      const { data } = await table.entities.relayUse
        .upsert({ address, window, expiresAt: window + lifetime })
        .add({ used: cost })
        .go({ response: "all_new" });
      return data.used;
    } catch (error) {
      log.warn("relay_use_uncounted", { error });
      return 0;
    }
  }
}

/** Whose an address is: of IPv6 each network of 64 bits counts as one, for it is what one connection is given. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = (part: string) => part.split(":").filter((group) => group !== "");
  const after = tail === undefined ? 0 : groups(tail).length;
  const zeros = Array.from({ length: Math.max(0, 8 - groups(head).length - after) }, () => "0");
  return `${[...groups(head), ...zeros, ...groups(tail ?? "")].slice(0, 4).join(":")}::/64`;
}
