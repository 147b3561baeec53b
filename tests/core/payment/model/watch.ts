import { keccak256 } from "viem/utils";
import { type Hex, lower } from "../../../../core/chain/hex.ts";
import { Receipt } from "../../../../core/chain/receipt.ts";
import type { Griefers } from "./griefers.ts";
import type { Ground } from "./ground.ts";
import { type Place, type Purse, placeName, readRaw, type Signed } from "./purse.ts";
import { must } from "./violation.ts";
import type { World } from "./world.ts";

/** A transaction that the service has sent. */
export type Sent = Moment & { readonly hash: Hex; readonly signed: Signed };

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
      const signed = purse.inCalldata(readRaw(raw).data);
      must(signed !== undefined, "double charge", "only a permit that its payer signed is broadcast");
      for (const other of purse.of(signed)) {
        if (other === signed || !other.broadcast || other.takenBack) continue;
        must(
          ground.head().timestamp > other.permit.deadline && !(await world.spent(other)),
          "double charge",
          `no second permit is broadcast for ${placeName(signed)} while the first lives or has been charged`,
        );
      }
      signed.broadcast = true;
      if (!sent.some((one) => one.hash === hash)) sent.push({ hash, signed, ...moment() });
    },
    /** A refusal with terms at this moment, to a request that began at `since`. Throws Violation. */
    async refused(place: Place, since: Moment): Promise<void> {
      for (const one of sent) {
        if (placeName(one.signed) !== placeName(place) || one.at > since.at) continue;
        const mined = await receipt(one.hash);
        must(
          mined?.status !== "0x1",
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
    receipt: (hash: string) => receipt(lower(`0x${hash.slice(2)}`)),
  };
}
export type Watch = ReturnType<typeof openWatch>;
