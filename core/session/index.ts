import { createSiweMessage } from "viem/siwe";
import { getAddress } from "viem/utils";
import { type Address, HexInput, lower } from "../chain/hex.ts";
import { isMessageSigned } from "../chain/signature.ts";
import { AppError, makeBusyError } from "../error.ts";
import { type Clock, hashSecret, type Ids } from "../port/clock.ts";
import type { AllPorts } from "../ports.ts";
import type { SessionItem } from "../record/wallet.ts";
import { type Action, commit, transact, type WriteEntities } from "../transact.ts";
import {
  type Challenge,
  type Ended,
  type EndInput,
  type NonceInput,
  nonceMinutes,
  type OwnSession,
  sessionDays,
  type VerifyInput,
} from "./schema.ts";

export { consumeSignedRead, readChallenge, type SignedRead, verifyRead } from "./signed-read.ts";

/** Seconds for which a nonce is valid. */
const nonceLifetime = nonceMinutes * 60;
export const sessionLifetime = sessionDays * 24 * 60 * 60;

export type Session = {
  readonly wallet: Address;
  /** A session that a payment opened can read but not publish (design §4). */
  readonly origin: "sign-in" | "payment";
};

/**
 * Makes the EIP-4361 message that a wallet signs to sign in. The message for signing in is valid for some minutes and can be used only once
 * (specification §4.2).
 */
export async function makeChallenge(
  ports: Pick<AllPorts, "table" | "clock" | "ids" | "settings">,
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
    .put({ nonce, wallet: lower(input.address), message, expiresAt: toSeconds(now) + nonceLifetime })
    .go();
  return { nonce, message };
}

/** A nonce is looked up in the table only if its form is valid, because the size of a table key is limited. */
const nonceForm = /^[a-zA-Z0-9]{8,128}$/;

/** The signatures of contract wallets may be longer than 65 bytes. The limit of 16 kB is enough for every known format of signatures. */
const Signature = HexInput.refine(({ length }) => length <= 32_770);

/**
 * Exchanges a signed message for a session's token. If the wallet is a contract, the contract is asked on the chain whether the signature
 * is valid (EIP-1271). The browser's earlier session (with the token `held`) ends, because the browser's cookie is replaced. Throws
 * `invalid_nonce` or `invalid_signature` (`auth`), or `chain_unavailable` (`upstream`). After `chain_unavailable`, the nonce is still
 * valid.
 */
export async function open(
  ports: Pick<AllPorts, "table" | "clock" | "ids" | "chain">,
  input: VerifyInput,
  held?: string,
): Promise<{ readonly address: Address; readonly token: string }> {
  const wallet = lower(input.address);
  if (!nonceForm.test(input.nonce)) throw makeNonceError();
  const { nonce: nonces, session: sessions } = ports.table.entities;
  const [kept, before] = await ports.table.together([
    nonces.get({ nonce: input.nonce }).params(),
    ...(held === undefined ? [] : [sessions.get(makeSessionKey(held)).params()]),
  ]);
  const stored = kept === undefined ? null : nonces.parse(kept).data;
  const replaced = before === undefined ? null : sessions.parse(before).data;
  if (stored === null || stored.wallet !== wallet) throw makeNonceError();
  if (stored.expiresAt <= toSeconds(ports.clock.now())) {
    throw new AppError("auth", "invalid_nonce", "This sign-in request has expired. Start again.");
  }
  const signature = Signature.safeParse(input.signature);
  if (!signature.success || !(await isMessageSigned(ports.chain, wallet, stored.message, signature.data))) {
    throw new AppError("auth", "invalid_signature", "The signature does not match the message and address.");
  }
  const token = ports.ids.secret();
  // One transaction of the table deletes the nonce and opens the session, so only one of two concurrent requests opens a session.
  const opened = await commit(ports, (entities) => {
    const [session, listed] = makeOpeningWrites(entities, makeSession(ports.clock, token, wallet, "sign-in"));
    const [earlier, earlierListed] = replaced === null ? [] : makeSessionEndWrites(entities, replaced);
    const nonce = entities.nonce
      .delete({ nonce: input.nonce })
      .where((attribute, { exists }) => exists(attribute.message))
      .commit();
    return { nonce, session, listed, earlier, earlierListed };
  });
  if (opened.done) return { address: wallet, token };
  throw opened.refused.has("nonce") ? makeNonceError() : makeBusyError(opened);
}

function makeNonceError(): AppError {
  return new AppError(
    "auth",
    "invalid_nonce",
    "This sign-in request is unknown or was already used. Start again.",
  );
}

type SessionEntities = Pick<WriteEntities, "session" | "listedSession">;
type SessionKeys = Pick<SessionItem, "tokenHash" | "wallet" | "id">;

/** The writes that open a session. */
export function makeOpeningWrites(
  { session, listedSession }: SessionEntities,
  item: SessionItem,
): readonly [Action, Action] {
  return [session.put(item).commit(), listedSession.put(item).commit()];
}

/** The writes that end a session, even if the session has already expired. */
export function makeSessionEndWrites(
  { session, listedSession }: SessionEntities,
  item: SessionKeys,
): readonly [Action, Action] {
  const { tokenHash, wallet, id } = item;
  return [session.delete({ tokenHash }).commit(), listedSession.delete({ wallet, id }).commit()];
}

/**
 * The record of a new session. A payment that opens a session writes this record in the same table transaction that records the payment as
 * settled.
 */
export function makeSession(clock: Clock, token: string, wallet: Address, origin: Session["origin"]) {
  const now = clock.now();
  return {
    tokenHash: hashSecret(token),
    id: makeSessionId(token),
    wallet,
    origin,
    createdAt: new Date(now).toISOString(),
    expiresAt: toSeconds(now) + sessionLifetime,
  };
}

/**
 * A session that a payment opens: the token of the new session, and the payer's earlier payment session, which the new session replaces.
 */
export type NewSession = {
  readonly token: string;
  readonly instead: SessionKeys | undefined;
};

/**
 * Decides which session a payment of `wallet` opens for the browser with the token `held`. No session is opened if `held` is the token of a
 * valid sign-in session, because a payment never replaces a sign-in session (design §2).
 */
export function chooseSession(
  { clock, ids }: Pick<AllPorts, "clock"> & { readonly ids: Pick<Ids, "secret"> },
  wallet: Address,
  held: SessionItem | undefined,
): NewSession | undefined {
  const session = toSession(clock, held ?? null);
  if (session?.origin === "sign-in") return undefined;
  const own = session?.wallet === wallet ? held : undefined;
  return { token: ids.secret(), instead: own };
}

/** The session that belongs to the token in a cookie, or `undefined` if the token is unknown or expired. */
export async function find(
  ports: Pick<AllPorts, "table" | "clock">,
  token: string,
): Promise<Session | undefined> {
  const { data } = await ports.table.entities.session.get(makeSessionKey(token)).go({ consistent: true });
  return toSession(ports.clock, data);
}

/** The table key of a token's session, with which the session can be read in one request together with other items. */
export function makeSessionKey(token: string): { readonly tokenHash: string } {
  return { tokenHash: hashSecret(token) };
}

/** A session's public name is a hash of the session's token, so that nobody can compute the token from the name. */
function makeSessionId(token: string): string {
  return hashSecret(`session id of ${token}`).slice(0, 32);
}

/** The session in an item of the table, or `undefined` if the item is missing or expired. */
export function toSession(clock: Clock, item: SessionItem | null): Session | undefined {
  if (item === null || item.expiresAt <= toSeconds(clock.now())) return undefined;
  return { wallet: `0x${item.wallet.slice(2)}`, origin: item.origin };
}

type Ports = Pick<AllPorts, "table" | "clock">;

/** Ends the session of the given token permanently. Throws `table_busy` (`upstream`). */
export async function close(ports: Ports, { token, wallet }: TokenSession): Promise<void> {
  await endSessions(ports, [{ ...makeSessionKey(token), wallet, id: makeSessionId(token) }]);
}

/** The current session, together with its token. */
type TokenSession = Session & { readonly token: string };

/**
 * The maximum number of sessions in a list, newest first. All sessions are valid for the same length of time, so a list of the newest
 * sessions leaves out only the sessions that end soonest.
 */
const most = 100;

/**
 * The wallet's valid sessions, newest first, at most a hundred. If the caller's session was opened by a payment, the list contains only
 * sessions that payments opened, because a payment does not prove that the session's holder owns the wallet. The function makes one
 * consistent query, and one more query for every additional megabyte of sessions.
 */
export async function list(ports: Ports, holder: TokenSession): Promise<readonly OwnSession[]> {
  const own = makeSessionId(holder.token);
  const sessions = await readLiveSessions(ports, holder);
  return sessions
    .slice(0, most)
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
 * Ends one of the wallet's sessions, or all except the current session. A session that a payment opened cannot end any other session,
 * because somebody who has stolen a cookie must not be able to sign out the wallet's owner. Throws `sign_in_required` (`auth`),
 * `unknown_session` (`missing`) for a session that has ended or belongs to another wallet, and `table_busy` (`upstream`).
 */
export async function end(ports: Ports, holder: TokenSession, input: EndInput): Promise<Ended> {
  const own = makeSessionId(holder.token);
  if ("id" in input && input.id === own) {
    await close(ports, holder);
    return { ended: 1, signedOut: true };
  }
  if (holder.origin === "payment") {
    throw new AppError(
      "auth",
      "sign_in_required",
      "Sign in with your wallet to end other sessions: a payment only lets you read.",
    );
  }
  const others = (await readLiveSessions(ports, holder)).filter(({ id }) => id !== own);
  const asked = "id" in input ? others.filter(({ id }) => id === input.id) : others;
  if ("id" in input && asked.length === 0) {
    throw new AppError("missing", "unknown_session", "You have no such session: it may have ended already.");
  }
  await endSessions(ports, asked);
  return { ended: asked.length, signedOut: false };
}

/** The maximum number of sessions that one table transaction ends, because a table transaction can hold only a hundred writes. */
const mostEnded = 50;

async function endSessions(ports: Ports, sessions: readonly SessionKeys[]): Promise<void> {
  for (let start = 0; start < sessions.length; start += mostEnded) {
    const some = sessions.slice(start, start + mostEnded);
    const done = await transact(ports.clock, () =>
      ports.table.transaction
        .write((entities) => some.flatMap((item) => [...makeSessionEndWrites(entities, item)]))
        .go(),
    );
    if (done.canceled) throw makeBusyError(done);
  }
}

/** The wallet's valid sessions, newest first. */
async function readLiveSessions(
  { table, clock }: Ports,
  { wallet }: Session,
): Promise<readonly SessionItem[]> {
  const { data } = await table.entities.listedSession.query
    .ofWallet({ wallet })
    .go({ consistent: true, pages: "all" });
  return data
    .filter((item) => toSession(clock, item) !== undefined)
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt) || one.id.localeCompare(other.id));
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
