import { setTimeout as sleep } from "node:timers/promises";
import type { LocalServer } from "../../local/stand-in.ts";
import { startProxy } from "./post.ts";

export type SlowNode = LocalServer & {
  /** Milliseconds by which every answer is delayed. */
  delay: number;
  /** Loses the answers to requests whose body matches this expression, after the node has executed the requests. */
  lost: RegExp | undefined;
  /** Runs `act` before a request whose body matches `method` reaches the node. */
  before: { readonly method: RegExp; readonly act: () => Promise<unknown> } | undefined;
  /** Holds back the node's answer to the next request whose body matches `method`. */
  readonly holdAnswer: (method: RegExp) => HeldAnswer;
};

/** A node's answer that the proxy holds back. */
export type HeldAnswer = {
  /** Resolves when the node has answered the proxy. */
  readonly answered: Promise<void>;
  readonly release: () => void;
};

/** A proxy in front of the node at `endpoint`. The proxy delays, loses or holds back the node's answers. */
export async function startSlowNode(endpoint: string): Promise<SlowNode> {
  let holding: {
    readonly method: RegExp;
    readonly answered: () => void;
    readonly released: Promise<void>;
  }[] = [];
  const server = await startProxy(endpoint, async (body, ask) => {
    if (proxy.before?.method.test(body)) await proxy.before.act();
    const answer = await ask();
    const held = holding.find(({ method }) => method.test(body));
    holding = holding.filter((one) => one !== held);
    held?.answered();
    await held?.released;
    await sleep(proxy.delay);
    return proxy.lost?.test(body) ? undefined : answer;
  });
  const proxy: SlowNode = {
    ...server,
    delay: 0,
    lost: undefined,
    before: undefined,
    holdAnswer(method) {
      const [answered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      holding.push({ method, answered: answered.resolve, released: released.promise });
      return { answered: answered.promise, release: released.resolve };
    },
  };
  return proxy;
}
