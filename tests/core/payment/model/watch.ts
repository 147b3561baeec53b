import { keccak256 } from "viem/utils";
import { type Hex, lower } from "../../../../core/chain/hex.ts";
import { paymentLogs, Receipt } from "../../../../core/chain/receipt.ts";
import type { Griefers } from "./griefers.ts";
import type { Ground } from "./ground.ts";
import { looksAlike, type Place, type Purse, placeName, readRaw, type Signed } from "./purse.ts";
import { must } from "./violation.ts";
import type { World } from "./world.ts";

/** A permit in a transaction that the service has sent. `alike`: how many of the same payer, payee and amount that transaction carries. */
export type Sent = Moment & { readonly hash: Hex; readonly signed: Signed; readonly alike: number };

/** When something began, among requests and broadcasts, and the newest block then. */
export type Moment = { readonly at: number; readonly block: bigint };

/** Blocks that a late node may be behind. */
const latest = 5n;

/** Holds every broadcast of the service against invariants 1 and 2 at the moment in which it is made. */
export function openWatch(ground: Ground, world: World, purse: Purse, griefers: Pick<Griefers, "sent">) {
  const stored = new Set<Hex>();
  const sent: Sent[] = [];
  let moments = 0;

  function moment(): Moment {
    moments += 1;
    return { at: moments, block: ground.head().number };
  }

  /** Whether somebody could still settle the permit. */
  async function alive(signed: Signed): Promise<boolean> {
    return ground.head().timestamp <= signed.permit.deadline && !(await world.spent(signed));
  }

  async function receipt(hash: Hex): Promise<Receipt | undefined> {
    const parsed = Receipt.safeParse(await ground.rpc("eth_getTransactionReceipt", [hash]));
    return parsed.success ? parsed.data : undefined;
  }

  /** Throws Violation for a permit that must not be sent now. */
  async function mayGo(signed: Signed): Promise<void> {
    for (const other of purse.of(signed)) {
      if (other === signed || !other.broadcast || other.takenBack) continue;
      must(
        ground.head().timestamp > other.permit.deadline && !(await world.spent(other)),
        "double charge",
        `no second permit is broadcast for ${placeName(signed)} while the first lives or has been charged`,
      );
    }
  }

  return {
    stored: (hash: Hex) => void stored.add(hash),
    /** Marks a moment, so that what was sent before it can be told. */
    moment,
    /** The first block that an answer for a place may speak of, to a request that began at `since`. */
    firstBlock(place: Place, since: Moment): bigint {
      const first = sent.find(({ signed }) => placeName(signed) === placeName(place));
      const begun = since.block - latest;
      return first !== undefined && first.block - latest < begun ? first.block - latest : begun;
    },
    /** Hears of every broadcast before the node does. Throws Violation. */
    async sent(raw: Hex): Promise<void> {
      const hash = keccak256(raw);
      must(stored.has(hash), "broken promise", "a transaction is stored before it is broadcast");
      if (await griefers.sent(raw)) return;
      const calls = purse.inCalldata(readRaw(raw).data);
      const carried = calls.filter((signed) => signed !== undefined);
      must(
        carried.length === calls.length,
        "double charge",
        "only permits that their payers signed are broadcast",
      );
      must(
        new Set(carried.map(placeName)).size === carried.length,
        "double charge",
        "no transaction carries two permits for one leg",
      );
      for (const signed of carried) await mayGo(signed);
      const begun = moment();
      for (const signed of carried) {
        signed.broadcast = true;
        const alike = carried.filter((other) => looksAlike(signed, other)).length;
        if (!sent.some((one) => one.hash === hash && one.signed === signed))
          sent.push({ hash, signed, alike, ...begun });
      }
    },
    /** A refusal with terms at this moment, to a request that began at `since`. Throws Violation. */
    async refused(place: Place, since: Moment): Promise<void> {
      for (const one of sent) {
        if (placeName(one.signed) !== placeName(place) || one.at > since.at) continue;
        const mined = await receipt(one.hash);
        const paid = mined === undefined ? 0 : paymentLogs(mined, one.signed.permit).length;
        must(
          paid < one.alike,
          "broken promise",
          `no 402 for ${placeName(place)}, which a broadcast has paid`,
        );
        must(
          mined !== undefined || !ground.pool.has(one.hash) || !(await alive(one.signed)),
          "broken promise",
          `no 402 for ${placeName(place)} while a broadcast may still pay it`,
        );
      }
    },
    total: () => sent.length,
    /** How many permits have gone in a transaction with others. */
    shared: () =>
      sent.filter((one) => sent.some(({ hash, signed }) => hash === one.hash && signed !== one.signed))
        .length,
    receipt: (hash: string) => receipt(lower(`0x${hash.slice(2)}`)),
  };
}
export type Watch = ReturnType<typeof openWatch>;
