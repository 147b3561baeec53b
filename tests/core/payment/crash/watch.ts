import { AsyncLocalStorage } from "node:async_hooks";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Chain, RpcCall, Signer } from "../../../../core/port/chain.ts";
import { findBatchStep, findRequestStep } from "./step.ts";

/** One step of a payment: a call on a port. A payment has no effects besides calls on ports. */
export type Visit = <Result>(
  step: string,
  run: () => Promise<Result>,
  /** Does the step's work without waiting for the answer, if that is possible. */
  unanswered?: () => Promise<unknown>,
) => Promise<Result>;

const visits = new AsyncLocalStorage<Visit>();

/** Runs the work, and calls `visit` for each of its steps. */
export function runWatched<Result>(visit: Visit, run: () => Promise<Result>): Promise<Result> {
  return visits.run(visit, run);
}

const visit: Visit = (step, run, unanswered) => {
  const watcher = visits.getStore();
  return watcher === undefined ? run() : watcher(step, run, unanswered);
};

/** Makes every table request one step, including the client's own repeats. */
export function watchTable({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        visit(findRequestStep(commandName, args.input), () => next(args)),
    { step: "initialize", name: "watch", priority: "high" },
  );
}

/** Makes every round trip to the chain a step. A transaction may reach the node although the node's answer is lost. */
export function watchChain(chain: Chain): Chain {
  return {
    batch(calls) {
      const sent = calls.flatMap(sendOnly);
      const unanswered = sent.length > 0 ? () => chain.batch(sent) : undefined;
      return visit(findBatchStep(calls), () => chain.batch(calls), unanswered);
    },
  };
}

function sendOnly({ method, params }: RpcCall): readonly RpcCall[] {
  return /^eth_sendRawTransaction/.test(method) ? [{ method: "eth_sendRawTransaction", params }] : [];
}

/** Makes every signature a step. Listing the signers' addresses is not a step, because the addresses are known when a container starts. */
export function watchSigner(signer: Signer): Signer {
  return {
    addresses: () => signer.addresses(),
    sign: (address, transaction) => visit("sign", () => signer.sign(address, transaction)),
  };
}
