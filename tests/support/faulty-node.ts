import * as z from "zod";
import { type NodeReply, startProxy } from "./post.ts";

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
export type Call = z.infer<typeof Call>;
const Reply = z.looseObject({ id: z.number() });
export type Reply = z.infer<typeof Reply>;

/** Changes the node's reply to a call; `undefined` means no reply. */
export type Change = (call: Call, reply: Reply) => Reply | undefined;

/** A fault between the service and its node. `only` limits the fault to requests with a matching RPC method. */
export type Fault = { readonly only?: RegExp } & Kind;
type Kind =
  | { readonly kind: "none" }
  /** The connection ends before an answer. `forwarded` says whether the node has received the calls. */
  | { readonly kind: "hang up"; readonly forwarded: boolean }
  /** The service gets an answer that differs from the node's answer. */
  | { readonly kind: "body"; readonly status: number; readonly body: (answer: string) => string }
  /** The node answers some calls wrongly, or not at all. */
  | { readonly kind: "calls"; readonly change: Change };

const none = { kind: "none" } as const;

/** A proxy that answers as the node at `target` does, except for the fault that is set. */
export async function startFaultyNode(target: string) {
  let fault: Fault = none;
  const { endpoint: url, stop } = await startProxy(target, (body, ask) => answerRequest(body, ask, fault));
  return {
    url,
    stop,
    /** Sets the fault for all later requests, until another fault is set. */
    setFault(nextFault: Fault) {
      fault = nextFault;
    },
  };
}

async function answerRequest(
  body: string,
  ask: () => Promise<NodeReply | undefined>,
  set: Fault,
): Promise<NodeReply | undefined> {
  const fault = set.only?.test(body) === false ? none : set;
  if (fault.kind === "hang up" && !fault.forwarded) return undefined;
  const answer = await ask();
  if (answer === undefined || fault.kind === "hang up") return undefined;
  if (fault.kind === "body") return { status: fault.status, text: fault.body(answer.text) };
  if (fault.kind === "none") return answer;
  return { ...answer, text: changeReplies(body, answer.text, fault.change) };
}

/** The node's answer to a request, with the reply to each call changed. */
export function changeReplies(body: string, answer: string, change: Change): string {
  const asked: unknown = JSON.parse(body);
  const calls = z.array(Call).parse(Array.isArray(asked) ? asked : [asked]);
  const answered: unknown = JSON.parse(answer);
  const replies = z.array(Reply).parse(Array.isArray(answered) ? answered : [answered]);
  const kept = replies.flatMap((reply) => {
    const call = calls.find(({ id }) => id === reply.id);
    const next = call === undefined ? reply : change(call, reply);
    return next === undefined ? [] : [next];
  });
  return JSON.stringify(Array.isArray(asked) ? kept : kept[0]);
}
