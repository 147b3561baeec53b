import { createHash } from "node:crypto";
import { createSiweMessage } from "viem/siwe";
import { getAddress } from "viem/utils";
import { type Address, HexInput, lower } from "../chain/hex.ts";
import { signedMessage } from "../chain/signature.ts";
import { AppError, tableBusy } from "../error.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import type { SessionItem } from "./entity.ts";
import type { Challenge, Ended, EndInput, NonceInput, OwnSession, VerifyInput } from "./schema.ts";

export { type SignedRead, signedRead, spendRead } from "./signed-read.ts";

/** Seconds (specification §8). */
const nonceLifetime = 10 * 60;
export const sessionLifetime = 30 * 24 * 60 * 60;

export type Session = {
  readonly wallet: Address;
  /** A session born from a payment reads, but does not publish (design §4). */
  readonly origin: "sign-in" | "payment";
};

/** The message that a wallet signs to sign in: EIP-4361, valid ten minutes and for one use (specification §4.2). */
export async function challenge(
  ports: { readonly table: Table; readonly clock: Clock; readonly ids: Ids; readonly settings: Settings },
  input: NonceInput,
): Promise<Challenge> {
  const { origin, chainId } = ports.settings;
  const now = ports.clock.now();
  const nonce = ports.ids.nonce();
  const message = createSiweMessage({
    address: getAddress(input.address),
    chainId,
    domain: new URL(origin).host,
    scheme: new URL(origin).protocol.slice(0, -1),
    uri: origin,
    version: "1",
    statement:
      "Sign in to read what you have unlocked and to publish. This costs nothing and moves no money.",
    nonce,
    issuedAt: new Date(now),
    expirationTime: new Date(now + nonceLifetime * 1000),
  });
  await ports.table.entities.nonce
    .put({ nonce, wallet: lower(input.address), message, expiresAt: seconds(now) + nonceLifetime })
    .go();
  return { nonce, message };
}

/** Nonces of another form are nobody's, and are not looked for: a key of the table has a size that ends. */
const nonceForm = /^[a-zA-Z0-9]{8,128}$/;

/** Contract wallets sign with more than 65 bytes; 16 kB hold any known format. */
const Signature = HexInput.refine(({ length }) => length <= 32_770);

/**
 * Exchanges the signature of a challenge for a session's token. Wallets with code are asked on the chain (EIP-1271).
 * The session of `held`, whose cookie the new one replaces, ends.
 * Throws `auth` `invalid_nonce` or `invalid_signature`, and `upstream` `chain_unavailable` with the nonce still good.
 */
export async function open(
  ports: {
    readonly table: Table;
    readonly clock: Clock;
    readonly ids: Ids;
    readonly chain: Chain;
  },
  input: VerifyInput,
  held?: string,
): Promise<{ readonly address: Address; readonly token: string }> {
  const wallet = lower(input.address);
  if (!nonceForm.test(input.nonce)) throw used();
  const { data: stored } = await ports.table.entities.nonce
    .get({ nonce: input.nonce })
    .go({ consistent: true });
  if (stored === null || stored.wallet !== wallet) throw used();
  if (stored.expiresAt <= seconds(ports.clock.now())) {
    throw new AppError("auth", "invalid_nonce", "This sign-in request has expired. Start again.");
  }
  const signature = Signature.safeParse(input.signature);
  if (!signature.success || !(await signedMessage(ports.chain, wallet, stored.message, signature.data))) {
    throw new AppError("auth", "invalid_signature", "The signature does not match the message and address.");
  }
  const token = ports.ids.secret();
  // One transaction spends the nonce and opens the session: of two that race with one nonce, one wins.
  const opened = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ nonce, session }) => [
        nonce
          .delete({ nonce: input.nonce })
          .where((attribute, { exists }) => exists(attribute.message))
          .commit(),
        session.put(newSession(ports.clock, token, wallet, "sign-in")).commit(),
        ...(held === undefined ? [] : [session.delete(sessionKey(held)).commit()]),
      ])
      .go(),
  );
  if (refused(opened, 0)) throw used();
  if (opened.canceled) throw tableBusy(opened);
  return { address: wallet, token };
}

function used(): AppError {
  return new AppError(
    "auth",
    "invalid_nonce",
    "This sign-in request is unknown or was already used. Start again.",
  );
}

/** The record of a new session; payments write it in the transaction that settles them. */
export function newSession(clock: Clock, token: string, wallet: Address, origin: Session["origin"]) {
  const now = clock.now();
  return {
    tokenHash: hashed(token),
    id: sessionId(token),
    wallet,
    origin,
    createdAt: new Date(now).toISOString(),
    expiresAt: seconds(now) + sessionLifetime,
  };
}

/** A session that a payment's answer opens: its token, and the payer's earlier payment session that it takes the place of. */
export type Opening = {
  readonly token: string;
  readonly instead: { readonly tokenHash: string } | undefined;
};

/**
 * What session a payment of `wallet` opens for whoever holds `held`. None beside a living sign-in, which a payment's
 * cookie never replaces (design §2).
 */
export function openingBy(
  { clock, ids }: { readonly clock: Clock; readonly ids: Pick<Ids, "secret"> },
  wallet: Address,
  held: SessionItem | undefined,
): Opening | undefined {
  const session = living(clock, held ?? null);
  if (session?.origin === "sign-in") return undefined;
  const own = session?.wallet === wallet ? held : undefined;
  return { token: ids.secret(), instead: own && { tokenHash: own.tokenHash } };
}

/** The session behind a cookie's token, or `undefined` when there is none or it has expired. */
export async function find(
  ports: { readonly table: Table; readonly clock: Clock },
  token: string,
): Promise<Session | undefined> {
  const { data } = await ports.table.entities.session.get(sessionKey(token)).go({ consistent: true });
  return living(ports.clock, data);
}

/** Where the session behind a token lies, for who reads it together with other things. */
export function sessionKey(token: string): { readonly tokenHash: string } {
  return { tokenHash: hashed(token) };
}

/** What a wallet calls a session by: from its token as the hash is, and of as little use to whoever wants either. */
function sessionId(token: string): string {
  return hashed(`session id of ${token}`).slice(0, 32);
}

/** The session that was read, unless there is none or it has expired. */
export function living(clock: Clock, item: SessionItem | null): Session | undefined {
  if (item === null || item.expiresAt <= seconds(clock.now())) return undefined;
  return { wallet: toWallet(item.wallet), origin: item.origin };
}

/** Ends a session for good: its token is worth nothing afterwards. */
export async function close(ports: { readonly table: Table }, token: string): Promise<void> {
  await ports.table.entities.session.delete(sessionKey(token)).go();
}

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

function hashed(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

function toWallet(stored: string): Address {
  return `0x${stored.slice(2)}`;
}
