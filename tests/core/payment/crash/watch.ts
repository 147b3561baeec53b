import { AsyncLocalStorage } from "node:async_hooks";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Chain, RpcCall, Signer } from "../../../../core/port/chain.ts";
import { stepOfBatch, stepOfRequest } from "./step.ts";

/** One step of the machine: a call on a port, which is all that a payment does to the world. */
export type Visit = <Result>(
  step: string,
  run: () => Promise<Result>,
  /** Does the step's work without waiting for its answer, where the two can be told apart. */
  unanswered?: () => Promise<unknown>,
) => Promise<Result>;

const visits = new AsyncLocalStorage<Visit>();

/** Runs it with every step that it takes seen by `visit`. */
export function watching<Result>(visit: Visit, run: () => Promise<Result>): Promise<Result> {
  return visits.run(visit, run);
}

const visit: Visit = (step, run, unanswered) => {
  const watcher = visits.getStore();
  return watcher === undefined ? run() : watcher(step, run, unanswered);
};

/** Every request to the table as a step, the client's own repeats included in one. */
export function watchTable({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        visit(stepOfRequest(commandName, args.input), () => next(args)),
    { step: "initialize", name: "watch", priority: "high" },
  );
}

/** Every round trip to the chain as a step. A transaction may reach the node without its answer coming back. */
export function watchChain(chain: Chain): Chain {
  return {
    batch(calls) {
      const sent = calls.flatMap(sendOnly);
      const unanswered = sent.length > 0 ? () => chain.batch(sent) : undefined;
      return visit(stepOfBatch(calls), () => chain.batch(calls), unanswered);
    },
  };
}

function sendOnly({ method, params }: RpcCall): readonly RpcCall[] {
  return /^eth_sendRawTransaction/.test(method) ? [{ method: "eth_sendRawTransaction", params }] : [];
}

/** Every signature as a step. The list of addresses is none: it is known when a container starts. */
export function watchSigner(signer: Signer): Signer {
  return {
    addresses: () => signer.addresses(),
    sign: (address, transaction) => visit("sign", () => signer.sign(address, transaction)),
  };
}
