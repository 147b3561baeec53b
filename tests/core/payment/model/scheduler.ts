import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";

/** A process that dies at one of its calls to the outside, having done what it asked or not. */
export type Crash = { readonly call: number; readonly when: "before" | "after" };

/** Something that others do just before a process makes one of its calls. */
export type Ambush = { readonly call: number; act(): Promise<unknown> };

/** The one clock of a run: milliseconds since the epoch. */
export type Time = { now(): number; advance(milliseconds: number): void };

type Process = {
  readonly crash: Crash | undefined;
  readonly ambush: Ambush | undefined;
  calls: number;
  /** Settles when the process waits for its turn, has ended or has died. */
  idle: PromiseWithResolvers<void>;
};

type Waiting = { readonly process: Process; readonly from: number; go(): void };

/** Milliseconds that each call to the outside takes. */
const callTime = 40;

/**
 * Lets processes run together, one call to the outside at a time. Which of them goes on is `choose`'s to say, so that
 * the same choices give the same interleaving. A crashed process does nothing ever after: not even its `finally` runs.
 */
export function openScheduler(time: Time, choose: (below: number) => number) {
  const store = new AsyncLocalStorage<Process>();
  let waiting: Waiting[] = [];
  let crashes = 0;

  /** A call of the running process to the outside, done when its turn comes. Outside any process it is simply done. */
  async function call<Value>(act: () => Promise<Value>, from = time.now()): Promise<Value> {
    const process = store.getStore();
    if (process === undefined) return act();
    process.calls += 1;
    const { calls, ambush, crash } = process;
    const dies = crash?.call === calls ? crash.when : undefined;
    await turn(process, from);
    if (ambush?.call === calls) await ambush.act();
    if (dies === "before") return die(process);
    const [outcome] = await Promise.allSettled([act()]);
    if (dies === "after") return die(process);
    void others(process);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  function turn(process: Process, from: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ process, from, go: resolve });
    process.idle.resolve();
    return promise;
  }

  /** A process that asked for several things at once is idle as soon as the rest of them wait. */
  async function others(process: Process): Promise<void> {
    await setImmediate();
    if (waiting.some((entry) => entry.process === process)) process.idle.resolve();
  }

  function die(process: Process): Promise<never> {
    crashes += 1;
    end(process);
    return new Promise(() => undefined);
  }

  /** Whatever it has asked for besides is nobody's business any more. */
  function end(process: Process): void {
    waiting = waiting.filter((entry) => entry.process !== process);
    process.idle.resolve();
  }

  async function step(): Promise<void> {
    const awake = waiting.filter(({ from }) => from <= time.now());
    if (awake.length === 0) {
      time.advance(Math.min(...waiting.map(({ from }) => from)) - time.now());
      return;
    }
    const next = awake[choose(awake.length)];
    if (next === undefined) throw new RangeError("The choice is out of range.");
    waiting = waiting.filter((entry) => entry !== next);
    next.process.idle = Promise.withResolvers();
    next.go();
    await next.process.idle.promise;
    await setImmediate();
    time.advance(callTime);
  }

  return {
    call,
    sleep: (milliseconds: number) => call(async () => undefined, time.now() + milliseconds),
    crashes: () => crashes,
    /** Whether a process is running, as against whoever looks on. */
    inside: () => store.getStore() !== undefined,
    /** Starts a process; it runs as far as its first call. */
    async start(
      work: () => Promise<void>,
      { crash, ambush }: { readonly crash?: Crash | undefined; readonly ambush?: Ambush | undefined },
    ): Promise<void> {
      const process: Process = { crash, ambush, calls: 0, idle: Promise.withResolvers() };
      const ended = store.run(process, work).finally(() => end(process));
      await Promise.race([process.idle.promise, ended]);
    },
    /** Makes so many steps, or as many as there are; answers whether there was anything to do. */
    async step(): Promise<boolean> {
      if (waiting.length === 0) return false;
      await step();
      return true;
    },
  };
}
export type Scheduler = ReturnType<typeof openScheduler>;
