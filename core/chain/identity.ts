import { decodeEventLog, decodeFunctionResult, encodeEventTopics, encodeFunctionData } from "viem/utils";
import { identityAbi } from "./abi.ts";
import { type Address, type Hex, lower } from "./hex.ts";
import type { Receipt } from "./receipt.ts";

/** An identity that a transaction registered, and for whom: the registry mints to its caller (ERC-8004). */
export type Identity = { readonly agentId: bigint; readonly owner: Address };

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
