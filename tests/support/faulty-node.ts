import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { listen } from "../../local/stand-in.ts";
import { post } from "./post.ts";

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
export type Call = z.infer<typeof Call>;
const Reply = z.looseObject({ id: z.number() });
export type Reply = z.infer<typeof Reply>;

/** Changes the node's reply to a call; `undefined` means no reply. */
export type Change = (call: Call, reply: Reply) => Reply | undefined;

/** A fault between the service and its node; `only` limits the fault to requests with a matching RPC method. */
export type Fault = { readonly only?: RegExp } & Kind;
type Kind =
  | { readonly kind: "none" }
  /** The connection ends before an answer; `forwarded` says whether the node has received the calls. */
  | { readonly kind: "hang up"; readonly forwarded: boolean }
  /** The service gets another answer than the node gave. */
  | { readonly kind: "body"; readonly status: number; readonly body: (answer: string) => string }
  /** The node answers some calls wrongly, or not at all. */
  | { readonly kind: "calls"; readonly change: Change };

const none = { kind: "none" } as const;

/** A proxy that answers as the node at `target` does, except for the fault that is set. */
export async function startFaultyNode(target: string) {
  let fault: Fault = none;
  const server = createServer((request, response) => {
    void answerRequest(target, fault, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  const { endpoint: url, stop } = await listen(server, 0);
  return {
    url,
    stop,
    /** Sets the fault for all later requests, until another fault is set. */
    set(next: Fault) {
      fault = next;
    },
  };
}
export type FaultyNode = Awaited<ReturnType<typeof startFaultyNode>>;

async function answerRequest(target: string, set: Fault, request: IncomingMessage, response: ServerResponse) {
  const body = await text(request);
  const fault = set.only?.test(body) === false ? none : set;
  if (fault.kind === "hang up" && !fault.forwarded) {
    request.socket.destroy();
    return;
  }
  const { text: given } = await post(target, body);
  if (fault.kind === "hang up") {
    request.socket.destroy();
    return;
  }
  const [status, sent] =
    fault.kind === "body"
      ? [fault.status, fault.body(given)]
      : [200, fault.kind === "calls" ? changeReplies(body, given, fault.change) : given];
  response.writeHead(status, { "content-type": "application/json" }).end(sent);
}

function changeReplies(body: string, given: string, change: Change): string {
  const asked: unknown = JSON.parse(body);
  const calls = z.array(Call).parse(Array.isArray(asked) ? asked : [asked]);
  const answered: unknown = JSON.parse(given);
  const replies = z.array(Reply).parse(Array.isArray(answered) ? answered : [answered]);
  const kept = replies.flatMap((reply) => {
    const call = calls.find(({ id }) => id === reply.id);
    const next = call === undefined ? reply : change(call, reply);
    return next === undefined ? [] : [next];
  });
  return JSON.stringify(Array.isArray(asked) ? kept : kept[0]);
}
