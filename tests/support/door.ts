import { hexToNumber, isHex, numberToHex } from "viem/utils";
import * as z from "zod";
import { post, startProxy } from "./post.ts";

const Call = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.infer<typeof Call>;
const Filter = z.looseObject({ fromBlock: z.unknown(), toBlock: z.unknown() });
const Answer = z.looseObject({});
const Answers = z.union([z.array(Answer), Answer]);

/** The maximum number of blocks that providers allow in one `eth_getLogs`. */
const widest = 10_000;

/**
 * A node with a provider's rules: a request for logs must name both ends of a range of at most 10,000 blocks. A test can move the node
 * forward (`addEmptyBlocks`), remove the node's older state (`pruneState`) or its logs (`withholdLogs`), or run code right before a call of
 * a method (`before`).
 */
export async function startNodeProxy(node: string) {
  const acts = new Map<string, () => Promise<unknown>>();
  let leapt: { readonly after: number; readonly blocks: number } | undefined;
  let stateOf = Number.POSITIVE_INFINITY;
  let logsWithheld = false;
  let heard: (readonly string[])[] = [];
  let refuses: ((body: string) => boolean) | undefined;

  const computeShownBlock = (real: number) =>
    leapt !== undefined && real > leapt.after ? real + leapt.blocks : real;
  const computeRealBlock = (number: number) => {
    if (leapt === undefined || number <= leapt.after) return number;
    return Math.max(number - leapt.blocks, leapt.after);
  };

  async function askNode(calls: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
    if (calls.length === 0) return [];
    const answer = await post(node, JSON.stringify(calls));
    const parsed = Answers.parse(JSON.parse(answer.text));
    return Array.isArray(parsed) ? parsed : [parsed];
  }

  async function readHead(): Promise<number> {
    const [answer] = await askNode([{ jsonrpc: "2.0", id: 0, method: "eth_blockNumber", params: [] }]);
    return Number(answer?.result);
  }

  async function answerCall(call: Call): Promise<unknown> {
    const { id, method, params } = call;
    const act = acts.get(method);
    acts.delete(method);
    await act?.();
    const refusal = await findRefusal(method, params);
    if (refusal !== undefined) return { jsonrpc: "2.0", id, error: refusal };
    const realParams = makeRealParams(method, params);
    if (realParams === undefined || (method === "eth_getLogs" && logsWithheld))
      return { jsonrpc: "2.0", id, result: [] };
    const [reply] = await askNode([{ ...call, params: realParams }]);
    if (reply?.error !== undefined) return reply;
    return { ...reply, result: makeShownResult(method, params, reply?.result) };
  }

  /** The call's parameters for the real node; `undefined` if the call asks only for logs of blocks that the real node does not have. */
  function makeRealParams(method: string, params: readonly unknown[]): readonly unknown[] | undefined {
    const encodeRealBlock = (value: unknown) =>
      isHex(value) ? numberToHex(computeRealBlock(hexToNumber(value))) : value;
    if (method === "eth_call") return [params[0], encodeRealBlock(params[1])];
    if (method === "eth_getBlockByNumber") return [encodeRealBlock(params[0]), ...params.slice(1)];
    const filter = method === "eth_getLogs" ? Filter.parse(params[0]) : undefined;
    if (filter === undefined) return params;
    const first = parseBlockNumber(filter.fromBlock);
    const last = computeRealBlock(parseBlockNumber(filter.toBlock));
    const from =
      leapt !== undefined && first > leapt.after ? Math.max(first - leapt.blocks, leapt.after + 1) : first;
    return from > last
      ? undefined
      : [{ ...filter, fromBlock: numberToHex(from), toBlock: numberToHex(last) }];
  }

  function makeShownResult(method: string, params: readonly unknown[], result: unknown): unknown {
    if (method === "eth_blockNumber") return numberToHex(computeShownBlock(Number(result)));
    if (method === "eth_getBlockByNumber" && isHex(params[0]))
      return { ...Answer.parse(result), number: params[0] };
    return mapBlockNumbers(result, computeShownBlock);
  }

  async function findRefusal(method: string, params: readonly unknown[]) {
    if (method === "eth_getLogs") {
      const { fromBlock, toBlock } = Filter.parse(params[0]);
      const bounded = isHex(fromBlock) && isHex(toBlock);
      if (!bounded || hexToNumber(toBlock) - hexToNumber(fromBlock) >= widest) {
        return { code: -32602, message: "query exceeds max block range 10000" };
      }
    }
    const at = params[1];
    if (
      method === "eth_call" &&
      isHex(at) &&
      hexToNumber(at) < computeShownBlock(await readHead()) - stateOf
    ) {
      return { code: -32000, message: "missing trie node" };
    }
    return undefined;
  }

  const { endpoint, stop } = await startProxy(node, async (body) => {
    if (refuses?.(body)) return { status: 503, text: "" };
    const asked: unknown = JSON.parse(body);
    const one = Call.safeParse(asked);
    heard.push((one.success ? [one.data] : z.array(Call).parse(asked)).map(({ method }) => method));
    const reply = one.success
      ? await answerCall(one.data)
      : await Promise.all(z.array(Call).parse(asked).map(answerCall));
    return { status: 200, text: JSON.stringify(reply) };
  });

  return {
    endpoint,
    stop,
    /** Runs `act` once, right before the next call of the given method. */
    before: (method: string, act: () => Promise<unknown>) => void acts.set(method, act),
    /** Makes the node refuse a request (a call or a batch) if `fits` returns `true` for the request's body. */
    refuse(fits: (body: string) => boolean): void {
      refuses = fits;
    },
    /** Adds empty blocks after the newest block. */
    async addEmptyBlocks(blocks: number): Promise<void> {
      if (leapt !== undefined) throw new Error("The door leaps once.");
      leapt = { after: await readHead(), blocks };
      await askNode([{ jsonrpc: "2.0", id: 0, method: "evm_mine", params: [] }]);
    },
    /** Makes the node keep only the state of the last blocks. */
    pruneState(blocks: number): void {
      stateOf = blocks;
    },
    /** The methods of all calls that the node got since the last call of `takeMethods`, grouped by request. */
    takeMethods(): readonly (readonly string[])[] {
      const all = heard;
      heard = [];
      return all;
    },
    withholdLogs(withheld: boolean): void {
      logsWithheld = withheld;
    },
  };
}
export type NodeProxy = Awaited<ReturnType<typeof startNodeProxy>>;

function parseBlockNumber(value: unknown): number {
  return Number(z.string().parse(value));
}

/** Applies `change` to every block number in the value. */
function mapBlockNumbers(value: unknown, change: (block: number) => number): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapBlockNumbers(entry, change));
  const fields = z.record(z.string(), z.unknown()).safeParse(value);
  if (!fields.success) return value;
  const entries = Object.entries(fields.data).map(([name, entry]) => {
    const isNumber = /^(blockNumber|number)$/.test(name) && isHex(entry);
    return [name, isNumber ? numberToHex(change(hexToNumber(entry))) : mapBlockNumbers(entry, change)];
  });
  return Object.fromEntries(entries);
}
