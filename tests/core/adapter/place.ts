import { type ChainOptions, openChain } from "../../../core/adapter/chain/index.ts";
import { AppError } from "../../../core/error.ts";
import type { RpcCall } from "../../../core/port/chain.ts";
import type { NodeScript, Upstream } from "./upstream.ts";

export const call = { method: "eth_call", params: [{ to: "0x01" }, "latest"] } as const;
export const sending = { method: "eth_sendRawTransaction", params: ["0x02"] } as const;

/** Answers `eth_blockNumber` with `height` as the number of the newest block, and every other call with the text `name`. */
export function makeNameAnswer(name: string, height = 100) {
  return ({ method }: RpcCall) => ({
    result: method === "eth_blockNumber" ? `0x${height.toString(16)}` : name,
  });
}

/** Opens chain clients that all use one test clock, and records what these clients write to the log. */
export function makeChainSetup(options: ChainOptions = {}) {
  let now = 1_700_000_000_000;
  const lines: { event: string; fields: object }[] = [];
  const clock = { now: () => now };
  const log = { warn: (event: string, fields: object) => void lines.push({ event, fields }) };
  return {
    lines,
    advanceClock(milliseconds: number) {
      now += milliseconds;
    },
    open: (...nodes: readonly (Upstream | string)[]) =>
      openChain(
        nodes.map((node) => (typeof node === "string" ? node : node.endpoint)),
        { clock, log, ...options },
      ),
  };
}

export const makeResult = (result: unknown) => [{ status: "ok", result }];

export async function expectFailure(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`Not refused as it should be: ${String(error)}`);
  return error;
}

/** An HTTP response. */
export const makeResponse = (status: number, body: string, headers = {}) => ({ status, body, headers });
const limitOfAll = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32005, message: "limit" } });

/** Ways in which a node may fail to answer. */
export const troubles: readonly {
  readonly trouble: string;
  readonly say: NodeScript;
  readonly times?: ChainOptions["times"];
}[] = [
  { trouble: "hangs up", say: () => "hang up" },
  { trouble: "answers with 500", say: () => makeResponse(500, "Internal Server Error") },
  { trouble: "answers with 503 and a page", say: () => makeResponse(503, "<html>") },
  { trouble: "answers text", say: () => makeResponse(200, "local_rate_limited") },
  { trouble: "answers nothing", say: () => makeResponse(200, "") },
  {
    trouble: "sends its callers elsewhere",
    say: () => makeResponse(307, "", { location: "http://127.0.0.1:9/" }),
  },
  { trouble: "says 429", say: () => makeResponse(429, "too many") },
  { trouble: "says in one error for all that it is limited", say: () => makeResponse(200, limitOfAll) },
  {
    trouble: "says of a call that it is limited",
    say: () => ({ error: { code: -32005, message: "limit exceeded" } }),
  },
  { trouble: "does not answer in time", say: () => "silence", times: { oneOfSeveral: 100, trip: 100 } },
];
