import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import { leaseTime } from "../relayer/index.ts";
import { refused, transact } from "../transact.ts";
import type { VerdictPorts } from "./ports.ts";

/** The auditor's key, held by us: the next nonce, and the press whose verdict it may have in flight. */
export type Key = {
  readonly address: Address;
  readonly lease: string;
  readonly nextNonce: number;
  readonly inFlight: number | undefined;
};

/** Milliseconds between tries for the key, and how many tries one message makes. */
const pause = 100;
const tries = 60;

type Ports = Pick<VerdictPorts, "table" | "clock" | "ids" | "auditor">;

/**
 * Takes the auditor's key, or waits a while for it. One that was left behind comes with what it has in flight. Throws
 * `upstream` `auditor_busy` when it does not come free.
 */
export async function takeKey(ports: Ports): Promise<Key> {
  const [address] = await ports.auditor.addresses();
  if (address === undefined) throw new Error("The auditor has no key");
  for (let left = tries; left > 0; left -= 1) {
    const lease = ports.ids.uuid();
    if (await leased(ports, address, lease)) return readKey(ports, { address, lease });
    await ports.clock.sleep(pause);
  }
  throw busy(new Error("The auditor's key is held"));
}

async function leased({ table, clock }: Ports, address: Address, lease: string): Promise<boolean> {
  const now = clock.now();
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ auditor }) => [
        auditor
          .update({ address })
          .set({ lease, leaseUntil: now + leaseTime })
          .where((item, { notExists, lt }) => `${notExists(item.lease)} OR ${lt(item.leaseUntil, now)}`)
          .commit(),
      ])
      .go(),
  );
  return !outcome.canceled;
}

/** A key that we hold, as it is now. */
export async function readKey(
  { table }: Pick<Ports, "table">,
  { address, lease }: Pick<Key, "address" | "lease">,
): Promise<Key> {
  const { data } = await table.entities.auditor.get({ address }).go({ consistent: true });
  return { address, lease, nextNonce: data?.nextNonce ?? 0, inFlight: data?.inFlight };
}

/** Gives the key back. One that has passed to somebody else stays theirs. */
export async function releaseKey({ table, clock }: Ports, { address, lease }: Key): Promise<void> {
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ auditor }) => [
        auditor
          .patch({ address })
          .remove(["lease", "leaseUntil"])
          .where((item, { eq }) => eq(item.lease, lease))
          .commit(),
      ])
      .go(),
  );
  if (outcome.canceled && !refused(outcome, 0)) throw busy(outcome);
}

export function busy(cause: unknown): AppError {
  return new AppError("upstream", "auditor_busy", "The auditor's key is busy right now.", { cause });
}
