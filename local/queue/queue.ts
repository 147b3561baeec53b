import { randomUUID } from "node:crypto";
import { AwsFailure } from "../stand-in.ts";
import type { Draft, Message } from "./message.ts";
import type { Change, Store } from "./store.ts";

type Receive = {
  readonly max: number;
  readonly waitSeconds: number;
  readonly visibilitySeconds: number;
  /** Fires when the caller is gone, so that no message is lost with it. */
  readonly gone: AbortSignal;
};

type Redrive = {
  readonly maxReceiveCount: number;
  readonly deadLetterQueue: string;
  readonly arrived: () => void;
};

type Counts = { readonly visible: number; readonly inFlight: number; readonly delayed: number };

export type Queue = {
  readonly send: (drafts: readonly Draft[]) => readonly Message[];
  readonly receive: (request: Receive) => Promise<readonly Message[]>;
  /** Deletes by receipt handle; a handle that a later receive replaced deletes nothing, as in SQS. */
  readonly remove: (receipt: string) => void;
  readonly changeVisibility: (receipt: string, seconds: number) => void;
  readonly purge: () => void;
  readonly counts: () => Counts;
  /** Hands waiting receivers what is visible by now. */
  readonly wake: () => void;
  /** Answers waiting receivers with nothing. */
  readonly stop: () => void;
};

type Waiter = { readonly request: Receive; readonly settle: (messages: readonly Message[]) => void };

/** A standard queue: at least once, visibility timeouts, dead letters after `maxReceiveCount` receives. */
export function createQueue(name: string, arn: string, store: Store, redrive: Redrive | undefined): Queue {
  const waiters = new Set<Waiter>();
  let alarm: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;

  const messages = () => store.messages(name);
  const put = (message: Message): Change => ({ op: "put", queue: name, message });
  const drop = (id: string): Change => ({ op: "drop", queue: name, id });

  function deadLetter({ id, body, attributes, traceHeader, sentAt }: Message, to: string): readonly Change[] {
    const moved = {
      id,
      body,
      attributes,
      traceHeader,
      sentAt,
      visibleAt: 0,
      receiveCount: 0,
      deadLetterSource: arn,
    };
    return [drop(id), { op: "put", queue: to, message: moved }];
  }

  function take(max: number, visibilitySeconds: number): readonly Message[] {
    const at = Date.now();
    const taken: Message[] = [];
    const deadLetters: Change[] = [];
    for (const message of messages().values()) {
      if (taken.length === max) break;
      if (message.visibleAt > at) continue;
      if (redrive !== undefined && message.receiveCount >= redrive.maxReceiveCount) {
        deadLetters.push(...deadLetter(message, redrive.deadLetterQueue));
        continue;
      }
      taken.push({
        ...message,
        visibleAt: at + visibilitySeconds * 1000,
        receiveCount: message.receiveCount + 1,
        firstReceivedAt: message.firstReceivedAt ?? at,
        receipt: `${message.id}.${randomUUID()}`,
      });
    }
    store.commit([...taken.map(put), ...deadLetters]);
    if (deadLetters.length > 0) redrive?.arrived();
    return taken;
  }

  /** Serves the waiting after the events at hand, so that a receiver that just hung up is gone by then. */
  function wake(): void {
    if (waiters.size === 0) return;
    clearImmediate(soon);
    soon = setImmediate(serve);
  }

  function serve(): void {
    for (const waiter of [...waiters]) {
      const taken = take(waiter.request.max, waiter.request.visibilitySeconds);
      if (taken.length === 0) break;
      waiter.settle(taken);
    }
    arm();
  }

  function arm(): void {
    clearTimeout(alarm);
    if (waiters.size === 0 || messages().size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const message of messages().values()) next = Math.min(next, message.visibleAt);
    alarm = setTimeout(serve, Math.max(1, next - Date.now()));
  }

  function wait(request: Receive): Promise<readonly Message[]> {
    const { promise, resolve } = Promise.withResolvers<readonly Message[]>();
    const nothing = () => waiter.settle([]);
    const timer = setTimeout(nothing, request.waitSeconds * 1000);
    const waiter: Waiter = {
      request,
      settle: (taken) => {
        clearTimeout(timer);
        request.gone.removeEventListener("abort", nothing);
        waiters.delete(waiter);
        if (waiters.size === 0) clearTimeout(alarm);
        resolve(taken);
      },
    };
    request.gone.addEventListener("abort", nothing);
    waiters.add(waiter);
    arm();
    return promise;
  }

  function held(receipt: string): Message | undefined {
    const id = /^([0-9a-f-]{36})\.[0-9a-f-]{36}$/.exec(receipt)?.[1];
    if (id === undefined) {
      throw new AwsFailure("ReceiptHandleIsInvalid", `The receipt handle "${receipt}" is not valid.`);
    }
    const message = messages().get(id);
    return message?.receipt === receipt ? message : undefined;
  }

  return {
    send: (drafts) => {
      const at = Date.now();
      const sent = drafts.map(({ body, attributes, traceHeader, delaySeconds }): Message => {
        const visibleAt = at + delaySeconds * 1000;
        return { id: randomUUID(), body, attributes, traceHeader, sentAt: at, visibleAt, receiveCount: 0 };
      });
      store.commit(sent.map(put));
      wake();
      return sent;
    },
    receive: async (request) => {
      if (request.gone.aborted) return [];
      const taken = take(request.max, request.visibilitySeconds);
      return taken.length > 0 || request.waitSeconds === 0 ? taken : wait(request);
    },
    remove: (receipt) => {
      const message = held(receipt);
      if (message !== undefined) store.commit([drop(message.id)]);
    },
    changeVisibility: (receipt, seconds) => {
      const message = held(receipt);
      const at = Date.now();
      if (message === undefined || message.visibleAt <= at) {
        throw new AwsFailure("MessageNotInflight", "The message is not in flight.", {
          queryCode: "AWS.SimpleQueueService.MessageNotInflight",
        });
      }
      store.commit([put({ ...message, visibleAt: at + seconds * 1000 })]);
      wake();
    },
    purge: () => store.commit([...messages().keys()].map(drop)),
    counts: () => {
      const at = Date.now();
      const hidden = [...messages().values()].filter((message) => message.visibleAt > at);
      const delayed = hidden.filter((message) => message.receiveCount === 0).length;
      return { visible: messages().size - hidden.length, inFlight: hidden.length - delayed, delayed };
    },
    wake,
    stop: () => {
      for (const waiter of [...waiters]) waiter.settle([]);
    },
  };
}
