import { systemClock } from "../../../core/adapter/system.ts";
import type { Address } from "../../../core/chain/hex.ts";
import { makeSession } from "../../../core/session/index.ts";
import type { Table } from "../../../core/table.ts";
import { makeManualClock, makeMarket, publisher, stranger } from "../../core/press/newsroom.ts";

/** Helper functions that make presses for the tests. */
export function makePorts(table: Table) {
  return { table, clock: makeManualClock(), market: makeMarket({ now: 327.2 }) };
}

/** Returns the cookie of a new session, which a wallet has opened by a signature or a payment. */
export async function openSession(
  table: Table,
  wallet: Address,
  origin: "sign-in" | "payment" = "sign-in",
): Promise<string> {
  const token = `${origin}-${wallet}`;
  await table.entities.session.put(makeSession(systemClock, token, wallet, origin)).go();
  return `session=${token}`;
}

/** The keys of a subscription to push messages; no browser has these keys. */
export const pushKeys = {
  p256dh: Buffer.alloc(65, 4).toString("base64url"),
  auth: Buffer.alloc(16).toString("base64url"),
};

/** The session cookies of the publisher and of another wallet. `startStage` opens both sessions. */
export const [cookie, other] = [`session=sign-in-${publisher}`, `session=sign-in-${stranger}`];
