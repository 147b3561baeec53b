import { AppError, tableBusy } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { Table } from "../table.ts";
import { transact } from "../transact.ts";
import type { SessionItem } from "./entity.ts";
import { close, living, type Session, sessionId } from "./index.ts";
import type { Ended, EndInput, OwnSession } from "./schema.ts";

type Ports = { readonly table: Table; readonly clock: Clock };

/** The session that asks, with its token. */
type Holder = Session & { readonly token: string };

/** Sessions that one look finds: the newest. All live equally long, so those that it leaves out end before them. */
const most = 100;

/**
 * The living sessions of a wallet, newest first, a hundred at most. A session born from a payment sees those of its kind
 * only: it has not proved to be the owner's. One query of an index that may lag a moment.
 */
export async function list(ports: Ports, holder: Holder): Promise<readonly OwnSession[]> {
  const own = sessionId(holder.token);
  const sessions = await newest(ports, holder);
  return sessions
    .filter(({ origin }) => holder.origin === "sign-in" || origin === "payment")
    .map(({ id, origin, createdAt, expiresAt }) => ({
      id,
      origin,
      createdAt,
      expiresAt: new Date(expiresAt * 1000).toISOString(),
      current: id === own,
    }));
}

/**
 * Ends one of the wallet's sessions, or the newest hundred but the one that asks. A session born from a payment ends
 * itself only: who has no more than such a cookie must not sign the owner out.
 *
 * Throws `auth` `sign_in_required`, and `missing` `unknown_session` for what is no living session of this wallet,
 * `upstream` `table_busy`.
 */
export async function end(ports: Ports, holder: Holder, input: EndInput): Promise<Ended> {
  const own = sessionId(holder.token);
  if ("id" in input && input.id === own) {
    await close(ports, holder.token);
    return { ended: 1, signedOut: true };
  }
  if (holder.origin === "payment") {
    throw new AppError(
      "auth",
      "sign_in_required",
      "Sign in with your wallet to end other sessions: a payment only lets you read.",
    );
  }
  const others = (await newest(ports, holder)).filter(({ id }) => id !== own);
  const asked = "id" in input ? others.filter(({ id }) => id === input.id) : others;
  if ("id" in input && asked.length === 0) {
    throw new AppError("missing", "unknown_session", "You have no such session: it may have ended already.");
  }
  if (asked.length > 0) {
    const done = await transact(ports.clock, () =>
      ports.table.transaction
        .write(({ session }) => asked.map(({ tokenHash }) => session.delete({ tokenHash }).commit()))
        .go(),
    );
    if (done.canceled) throw tableBusy(done);
  }
  return { ended: asked.length, signedOut: false };
}

async function newest({ table, clock }: Ports, { wallet }: Session): Promise<readonly SessionItem[]> {
  const { data } = await table.entities.session.query.ofWallet({ wallet }).go({ order: "desc", limit: most });
  return data.filter((item) => living(clock, item) !== undefined);
}
