import * as z from "zod";
import type { LocalServer } from "../../local/stand-in.ts";
import { post, startProxy } from "../support/post.ts";

type Limits = {
  /** The maximum number of calls in a batch. In a longer batch, only this many calls are answered. */
  readonly batch?: number;
  readonly kept?: number;
  /** The maximum number of blocks in one request for logs. */
  readonly range?: number;
  /**
   * Methods that the node does not offer, and the form in which the node refuses them: a JSON-RPC error (the default), or a gateway's
   * answer with status 403.
   */
  readonly unknown?: RegExp;
  readonly refusal?: 403 | { readonly code: number; readonly message: string };
};

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.json()).default([]) });
const Range = z.tuple([
  z.object({
    fromBlock: z.templateLiteral(["0x", z.string()]),
    toBlock: z.templateLiteral(["0x", z.string()]),
  }),
]);

/** A proxy in front of a node of the chain. The proxy has a provider's limits, and answers that the newest block is number 100,000. */
export function startLimitedNode(node: string, limits: Limits): Promise<LocalServer> {
  const makeErrorReply = (id: number, code: number, message: string) => ({
    jsonrpc: "2.0",
    id,
    error: { code, message },
  });
  const replyTo = ({ id, method, params }: z.infer<typeof Call>) => {
    if (limits.unknown?.test(method)) {
      if (limits.refusal === 403) return 403;
      const { code = -32601, message = `the method ${method} does not exist` } = limits.refusal ?? {};
      return makeErrorReply(id, code, message);
    }
    if (method === "eth_blockNumber") return { jsonrpc: "2.0", id, result: "0x186a0" };
    if (method !== "eth_getLogs") return undefined;
    const [{ fromBlock, toBlock }] = Range.parse(params);
    const blocks = Number(toBlock) - Number(fromBlock) + 1;
    return blocks > (limits.range ?? 5_000)
      ? makeErrorReply(id, -32005, `at most ${limits.range} blocks`)
      : { jsonrpc: "2.0", id, result: [] };
  };
  return startProxy(node, async (text) => {
    const body: unknown = JSON.parse(text);
    const reply = Array.isArray(body) ? refuseLargeBatch(body.length, limits) : replyTo(Call.parse(body));
    if (reply === 403) return { status: 403, text: "Forbidden" };
    if (reply !== undefined) return { status: 200, text: JSON.stringify(reply) };
    return post(node, JSON.stringify(Array.isArray(body) ? body.slice(0, limits.kept) : body));
  });
}

function refuseLargeBatch(calls: number, { batch = 20 }: Limits): object | undefined {
  if (calls <= batch) return undefined;
  return { jsonrpc: "2.0", id: null, error: { code: -32600, message: `at most ${batch} calls` } };
}
