import * as z from "zod";
import { type Hex, HexInput } from "../chain/hex.ts";
import type { RpcOutcome } from "../port/chain.ts";

/**
 * What a node said to some calls. `unusable`: nothing to any of them. `limited`: its rate limit kept it from some or
 * all, with what it said to each where it did.
 */
export type Said =
  | { readonly kind: "answers"; readonly outcomes: readonly RpcOutcome[] }
  | { readonly kind: "limited"; readonly outcomes: readonly RpcOutcome[] | undefined }
  | { readonly kind: "unusable" };

const RpcError = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const Answer = z.union([
  z.object({ id: z.number(), error: RpcError }),
  z.object({ id: z.number(), result: z.unknown() }),
]);
type Answer = z.infer<typeof Answer>;

/** EIP-1474's "limit exceeded", and the HTTP status that some put in its place. */
const limitCodes: ReadonlySet<number> = new Set([-32005, 429]);
const LimitOfAll = z.object({
  id: z.null().optional(),
  error: z.object({ code: z.literal([...limitCodes]) }),
});

/**
 * Reads the answer to `count` calls whose ids are their places. Answers are matched by id, so that a node that drops
 * or reorders some is believed for the others only.
 */
export function readAnswer(text: string, count: number): Said {
  const whole = parse(text);
  if (LimitOfAll.safeParse(whole).success) return { kind: "limited", outcomes: undefined };
  const items: readonly unknown[] = Array.isArray(whole) ? whole : [whole];
  const answers = items.flatMap((item) => Answer.safeParse(item).data ?? []);
  const matched = Array.from({ length: count }, (_, id) => answers.find((answer) => answer.id === id));
  if (matched.every((answer) => answer === undefined)) return { kind: "unusable" };
  const outcomes = matched.map(outcome);
  const limited = outcomes.some((given) => given.status === "failed" && limitCodes.has(given.code));
  return { kind: limited ? "limited" : "answers", outcomes };
}

/** How nodes say that a contract came to no end of its own: geth and Nitro in the EVM's words, anvil with a prefix. */
const halted =
  /execution reverted|EVM error|out of gas|gas required exceeds allowance|invalid opcode|invalid jump destination|stack underflow|stack limit reached|write protection|return data out of bounds/i;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the node, or what stands before it, gave no answer of its own.
    return undefined;
  }
}

function outcome(answer: Answer | undefined): RpcOutcome {
  if (answer === undefined) return { status: "failed", code: -32603, message: "The node gave no answer." };
  if (!("error" in answer)) return { status: "ok", result: answer.result };
  const { code, message, data } = answer.error;
  const revert = revertData(data);
  // Nodes agree on code 3 for a revert with data; without data some say -32000 and only the text tells.
  return code === 3 || revert !== undefined || halted.test(message)
    ? { status: "reverted", code, message, data: revert }
    : { status: "failed", code, message, ...(data !== undefined && { data }) };
}

function revertData(data: unknown): Hex | undefined {
  const parsed = HexInput.safeParse(data);
  return parsed.success && parsed.data !== "0x" ? parsed.data : undefined;
}
