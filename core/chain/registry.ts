import {
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  encodeEventTopics,
  encodeFunctionData,
} from "viem/utils";
import * as z from "zod";
import { identityAbi, reputationAbi } from "./abi.ts";
import { Quantity } from "./call.ts";
import { type Address, AddressInput, HashInput, type Hex, HexInput, lower } from "./hex.ts";
import { Receipt } from "./receipt.ts";

/** An identity that a transaction registered, and for whom: the registry mints to its caller (ERC-8004). */
type Identity = { readonly agentId: bigint; readonly owner: Address };

const [registeredTopic] = encodeEventTopics({ abi: identityAbi, eventName: "Registered" });

/** The identities that the receipt's transaction registered with this registry, in order. */
export function registered(receipt: Receipt, registry: Address): readonly Identity[] {
  return receipt.logs.filter(({ address }) => address === registry).flatMap(identityIn);
}

function identityIn(log: Receipt["logs"][number]): readonly Identity[] {
  const [topic, ...indexed] = log.topics;
  if (topic === undefined || topic !== registeredTopic || indexed.length !== 2) return [];
  const { args } = decodeEventLog({ abi: identityAbi, topics: [topic, ...indexed], data: log.data });
  return "owner" in args ? [{ agentId: args.agentId, owner: lower(args.owner) }] : [];
}

/** Calldata that asks the registry for an identity's URI. */
export function tokenUriCalldata(agentId: bigint): Hex {
  return encodeFunctionData({ abi: identityAbi, functionName: "tokenURI", args: [agentId] });
}

/** The answer to it. Throws viem's error for bytes that hold no string. */
export function decodeTokenUri(data: Hex): string {
  return decodeFunctionResult({ abi: identityAbi, functionName: "tokenURI", data });
}

const to = z.nullable(AddressInput.transform(lower));

/**
 * A transaction as a node gives it, in lower case. Whether it is mined is its receipt's to say: nodes give a transaction
 * as a pending one for a moment after its receipt, and its hash binds all that is read here.
 */
export const SentTransaction = z.object({
  to,
  hash: HashInput.transform(lower),
  from: AddressInput.transform(lower),
  input: HexInput,
});
export type SentTransaction = z.infer<typeof SentTransaction>;

const Log = z.object({
  ...Receipt.shape.logs.element.shape,
  /** Seconds; not every node says it. */
  blockTimestamp: Quantity.nullish(),
});

/** A receipt with its place in the chain. */
export const FeedbackReceipt = z.object({
  ...Receipt.shape,
  to,
  transactionIndex: Quantity,
  logs: z.array(Log),
});
export type FeedbackReceipt = z.infer<typeof FeedbackReceipt>;

/** What somebody tells of an agent (ERC-8004 `giveFeedback`), as far as it matters here. */
export type Statement = {
  readonly agentId: bigint;
  readonly value: bigint;
  readonly valueDecimals: number;
  readonly tag1: string;
};

/** What calldata tells the reputation registry, `undefined` where it is no call of `giveFeedback`. */
export function statementIn(input: Hex): Statement | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: reputationAbi, data: input });
    if (functionName !== "giveFeedback") return undefined;
    const [agentId, value, valueDecimals, tag1] = args;
    return { agentId, value, valueDecimals, tag1 };
  } catch {
    // Another function, or bytes that are no such call: all that viem throws for.
    return undefined;
  }
}

/** A statement that the registry took, from whom, and when (seconds), where the node says so. */
type Feedback = Statement & { readonly client: Address; readonly at: bigint | undefined };

const [feedbackTopic] = encodeEventTopics({ abi: reputationAbi, eventName: "NewFeedback" });

/** What this registry took in the receipt's transaction, in order. */
export function feedbackIn(receipt: FeedbackReceipt, registry: Address): readonly Feedback[] {
  return receipt.logs.filter(({ address }) => address === registry).flatMap(fromLog);
}

function fromLog({ topics: [topic, ...indexed], data, blockTimestamp }: z.infer<typeof Log>) {
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
