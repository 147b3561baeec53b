import {
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  encodeEventTopics,
  encodeFunctionData,
} from "viem/utils";
import * as z from "zod";
import { tryCall } from "../error.ts";
import { identityAbi, reputationAbi } from "./abi.ts";
import { Quantity } from "./call.ts";
import { type Address, type Hex, lower } from "./hex.ts";
import { Receipt, SentTransaction } from "./receipt.ts";

/** An identity that a transaction registered, and the identity's owner, which is the caller of the registry (ERC-8004). */
type Identity = { readonly agentId: bigint; readonly owner: Address };

const [registeredTopic] = encodeEventTopics({ abi: identityAbi, eventName: "Registered" });

/** The identities that the receipt's transaction registered with the given registry, in the order of the logs. */
export function findRegistrations(receipt: Receipt, registry: Address): readonly Identity[] {
  return receipt.logs.filter(({ address }) => address === registry).flatMap(decodeIdentity);
}

function decodeIdentity(log: Receipt["logs"][number]): readonly Identity[] {
  const [topic, ...indexed] = log.topics;
  if (topic === undefined || topic !== registeredTopic || indexed.length !== 2) return [];
  const { args } = decodeEventLog({ abi: identityAbi, topics: [topic, ...indexed], data: log.data });
  return "owner" in args ? [{ agentId: args.agentId, owner: lower(args.owner) }] : [];
}

/** Calldata that asks the registry for an identity's URI. */
export function encodeTokenUri(agentId: bigint): Hex {
  return encodeFunctionData({ abi: identityAbi, functionName: "tokenURI", args: [agentId] });
}

/** Reads the identity's URI from the registry's answer. Throws viem's error for bytes that do not encode a string. */
export function decodeTokenUri(data: Hex): string {
  return decodeFunctionResult({ abi: identityAbi, functionName: "tokenURI", data });
}

const Log = z.object({
  ...Receipt.shape.logs.element.shape,
  /** The block's time in seconds. Some nodes do not give the time. */
  blockTimestamp: Quantity.nullish(),
});

/** A transaction's receipt with the transaction's block and index. */
export const FeedbackReceipt = z.object({
  ...Receipt.shape,
  to: SentTransaction.shape.to,
  transactionIndex: Quantity,
  logs: z.array(Log),
});
export type FeedbackReceipt = z.infer<typeof FeedbackReceipt>;

/** Feedback on an agent (ERC-8004 `giveFeedback`), with the fields that are used here. */
export type FeedbackFields = {
  readonly agentId: bigint;
  readonly value: bigint;
  readonly valueDecimals: number;
  readonly tag1: string;
};

/**
 * Decodes the feedback in the calldata of a call to the reputation registry. Returns `undefined` if the calldata is for another function.
 */
export function decodeFeedback(input: Hex): FeedbackFields | undefined {
  const call = tryCall(() => decodeFunctionData({ abi: reputationAbi, data: input }));
  if (call?.functionName !== "giveFeedback") return undefined;
  const [agentId, value, valueDecimals, tag1] = call.args;
  return { agentId, value, valueDecimals, tag1 };
}

/**
 * Feedback that the registry logged, with the feedback's sender. The feedback's time is in seconds, and is missing if the node does not
 * give the time.
 */
type LoggedFeedback = FeedbackFields & { readonly client: Address; readonly at: bigint | undefined };

const [feedbackTopic] = encodeEventTopics({ abi: reputationAbi, eventName: "NewFeedback" });

/** The feedback that the given registry logged in the transaction of the receipt, in the order of the logs. */
export function findFeedback(receipt: FeedbackReceipt, registry: Address): readonly LoggedFeedback[] {
  return receipt.logs.filter(({ address }) => address === registry).flatMap(decodeLog);
}

function decodeLog({ topics: [topic, ...indexed], data, blockTimestamp }: z.infer<typeof Log>) {
  if (topic === undefined || topic !== feedbackTopic || indexed.length !== 3) return [];
  const { args } = decodeEventLog({
    abi: reputationAbi,
    eventName: "NewFeedback",
    topics: [topic, ...indexed],
    data,
  });
  const { agentId, clientAddress, value, valueDecimals, tag1 } = args;
  return [
    { agentId, client: lower(clientAddress), value, valueDecimals, tag1, at: blockTimestamp ?? undefined },
  ];
}
