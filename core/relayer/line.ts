import type { Receipt } from "../chain/receipt.ts";
import type { Signer } from "../port/chain.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { TransactionItem } from "../record/relayer.ts";

type LinePorts = { readonly clock: Clock; readonly ids: Ids; readonly relayers: Signer };

/** A transaction that the chain has, with its receipt: those whom it carries need not ask for either. */
export type Landing = { readonly transaction: TransactionItem; readonly receipt: Receipt };

/**
 * By which one who waits is woken. Who is awake when it rings hears it as soon as it would sleep again: on a busy machine one
 * is awake most of the time, and a second and a half would pass.
 */
type Bell = {
  ring(news?: Landing): void;
  /** Settles when it rings, at once where it has rung since it was silenced. */
  rung(): Promise<Landing | undefined>;
  silence(): void;
};

function newBell(): Bell {
  let ringing = Promise.withResolvers<Landing | undefined>();
  return {
    ring: (news) => ringing.resolve(news),
    rung: () => ringing.promise,
    silence: () => {
      ringing = Promise.withResolvers();
    },
  };
}

/** Those of one process who wait, by their claims, in the order in which they came. */
type Waiting = Map<string, Bell>;

type Line = {
  /** For a key, or for somebody who takes them along. */
  readonly waiting: Waiting;
  /** For the end of a transaction that somebody else has sent. */
  readonly following: Waiting;
  /** The one that looks for a free key, for all of them. Who leaves makes the next one the scout, so that there always is one. */
  scout: string | undefined;
  /** Those that a leader is about to take along: another one leaves them to it. */
  readonly loading: Set<string>;
};

/** A line is as long as its process lives: other processes have their own. */
const lines = new WeakMap<Signer, Line>();

function lineOf(relayers: Signer): Line {
  const line = lines.get(relayers) ?? {
    waiting: new Map(),
    following: new Map(),
    scout: undefined,
    loading: new Set<string>(),
  };
  lines.set(relayers, line);
  return line;
}

/** Milliseconds that one waits in the line, and between looks: of who looks for a key, and of the others unless woken. */
const longestWait = 10_000;
const scoutPause = 100;
const longestScoutPause = 600;
const sleeperPause = 1_500;

/** What one look shows to one who waits. */
export type Turn<Ended> =
  /** Somebody has taken it along, or ended it. `follow` waits for what becomes of it. */
  | { readonly kind: "taken"; follow(): Promise<Ended> }
  /** It waits. `takeKey` leases a free key, if there is one, and gives what sends by it. */
  | { readonly kind: "waits"; takeKey(): Promise<(() => Promise<Ended>) | undefined> };

/**
 * Waits until somebody takes a claim along, or until a key is free: then its own request sends it, and whatever else
 * waits (group commit). `undefined` when neither happens in ten seconds.
 *
 * A crowd that all looks at the table again and again leaves it no time for those who are served: one looks for a key, and
 * who leads a transaction tells those whom it has taken along how it `landed`.
 */
export async function waitInLine<Ended>(
  ports: LinePorts,
  claim: string,
  look: () => Promise<Turn<Ended>>,
  landed: (news: Landing) => Promise<Ended>,
): Promise<Ended | undefined> {
  const line = lineOf(ports.relayers);
  const bell = newBell();
  line.waiting.set(claim, bell);
  const leave = () => {
    line.waiting.delete(claim);
    passScout(ports, claim);
  };
  let pause = scoutPause;
  try {
    for (let waited = 0; waited < longestWait; ) {
      line.scout ??= claim;
      const scouts = line.scout === claim;
      const time = scouts ? Math.ceil(pause / 2) + ports.ids.pick(pause) : sleeperPause;
      const { woken, news } = await untilWoken(ports, bell, time);
      if (news !== undefined) {
        leave();
        return await landed(news);
      }
      if (!woken) waited += time;
      if (scouts) pause = Math.min(longestScoutPause, 2 * pause);
      const turn = await look();
      if (turn.kind === "taken") {
        // What is said of its end from now on is heard by who follows.
        line.following.set(claim, bell);
        leave();
        return await turn.follow();
      }
      if (line.scout !== undefined && line.scout !== claim) continue;
      const send = await turn.takeKey();
      if (send === undefined) continue;
      line.waiting.delete(claim);
      return await send();
    }
    return undefined;
  } finally {
    leave();
  }
}

/** Whether some of this process wait: whoever looks for a key for them takes one who comes now along. */
export function isLineWaiting({ relayers }: Pick<LinePorts, "relayers">): boolean {
  return lineOf(relayers).waiting.size > 0;
}

/**
 * The next who waits looks for a key, if this claim did until now. `taken`: those who need none any more. One of them may still
 * become the scout, where it is not named: it passes the task on as it leaves.
 */
export function passScout(
  { relayers }: Pick<LinePorts, "relayers">,
  claim: string,
  taken: ReadonlySet<string> = new Set(),
): void {
  const line = lineOf(relayers);
  if (line.scout !== claim) return;
  const [next, bell] = [...line.waiting].find(([waiting]) => !taken.has(waiting)) ?? [];
  line.scout = next;
  bell?.ring();
}

/**
 * Says that a transaction has ended, and `news` how: wakes those of these who wait here, and who looks for a key, for one
 * is free.
 */
export function announceEnd(
  { relayers }: Pick<LinePorts, "relayers">,
  claims: Iterable<string>,
  news?: Landing,
): void {
  const { waiting, following, scout } = lineOf(relayers);
  for (const claim of claims) {
    waiting.get(claim)?.ring(news);
    following.get(claim)?.ring(news);
  }
  if (scout !== undefined) waiting.get(scout)?.ring();
}

/**
 * Runs what loads a transaction with some of these. Two leaders that take the same ones along cost each other the transaction, so
 * those of one process never do. `take` says which of the rest are taken.
 */
export async function whileLoading<Item extends { readonly claim: string }, Result>(
  { relayers }: Pick<LinePorts, "relayers">,
  items: readonly Item[],
  take: (free: readonly Item[]) => readonly Item[],
  load: (taken: readonly Item[]) => Promise<Result>,
): Promise<Result> {
  const { loading } = lineOf(relayers);
  const taken = take(items.filter(({ claim }) => !loading.has(claim)));
  for (const { claim } of taken) loading.add(claim);
  try {
    return await load(taken);
  } finally {
    for (const { claim } of taken) loading.delete(claim);
  }
}

/**
 * Waits until the transaction that carries this claim has ended, as far as this process knows, so many milliseconds at most.
 * Answers how it has, where that is known.
 */
export async function untilEnded(
  ports: LinePorts,
  claim: string,
  milliseconds: number,
): Promise<Landing | undefined> {
  const { following } = lineOf(ports.relayers);
  const bell = following.get(claim) ?? newBell();
  following.set(claim, bell);
  const { news } = await untilWoken(ports, bell, milliseconds).finally(() => following.delete(claim));
  return news;
}

/** Waits until it rings, so many milliseconds at most. Answers whether it has, and with which news. */
async function untilWoken(
  { clock }: Pick<LinePorts, "clock">,
  bell: Bell,
  milliseconds: number,
): Promise<{ readonly woken: boolean; readonly news?: Landing | undefined }> {
  const heard = await Promise.race([
    bell.rung().then((news) => ({ woken: true, news })),
    clock.sleep(milliseconds).then(() => ({ woken: false, news: undefined })),
  ]);
  if (heard.woken) bell.silence();
  return heard;
}

/** Half to one and a half of it: others wait, too, and should not look all at once. */
export function pauseAbout(
  { clock, ids }: Pick<LinePorts, "clock" | "ids">,
  milliseconds: number,
): Promise<void> {
  return clock.sleep(Math.ceil(milliseconds / 2) + ids.pick(milliseconds));
}
