import {
  decodeErrorResult,
  decodeEventLog,
  encodeEventTopics,
  encodeFunctionData,
  keccak256,
  stringToBytes,
} from "viem/utils";
import * as z from "zod";
import { reputationAbi } from "../chain/abi.ts";
import { type Address, HashInput, type Hex, HexInput, lower } from "../chain/hex.ts";
import type { Settings } from "../port/settings.ts";
import type { PressItem } from "../press/entity.ts";
import { auditReportUrl, pageUrl } from "../press/index.ts";
import { canonicalJson, type Json } from "./report.ts";

/** The verdict on a live press as the registry takes it (ERC-8004 `giveFeedback`). */
export type Feedback = {
  readonly agentId: bigint;
  /** The audit's score, 0 to 100. */
  readonly score: bigint;
  readonly verdict: string;
  /** The press's page. */
  readonly endpoint: string;
  readonly feedbackUri: string;
  /** The file behind that URI: canonical JSON, whose hash goes with the feedback. */
  readonly file: string;
};

/**
 * What the auditor says of a live press, given the report that made it live (design §2). The file is the report with
 * the members that ERC-8004 asks of a feedback file, and the same whenever it is made for the same auditor.
 */
export function feedbackOn(
  { origin, chainId, contracts }: Pick<Settings, "origin" | "chainId" | "contracts">,
  press: PressItem,
  report: { readonly [name: string]: Json },
  auditor: Address,
): Feedback {
  const { id, pressId, slug, audit, publishedAt } = press;
  if (pressId === undefined || slug === undefined || audit === undefined || publishedAt === undefined) {
    throw new Error(`Press ${id} is live without an identity, a slug, an audit or a time`);
  }
  const endpoint = pageUrl(origin, slug);
  const file = canonicalJson({
    ...report,
    agentRegistry: `eip155:${chainId}:${contracts.identityRegistry}`,
    agentId: pressId,
    clientAddress: `eip155:${chainId}:${auditor}`,
    createdAt: publishedAt,
    value: audit.score,
    valueDecimals: 0,
    tag1: "audit",
    tag2: audit.verdict,
    endpoint,
  });
  return {
    agentId: BigInt(pressId),
    score: BigInt(audit.score),
    verdict: audit.verdict,
    endpoint,
    feedbackUri: auditReportUrl(origin, id),
    file,
  };
}

/** The hash by which the chain knows a feedback file. */
export function hashOf(file: string): Hex {
  return keccak256(stringToBytes(file));
}

export function feedbackCalldata(feedback: Feedback): Hex {
  const { agentId, score, verdict, endpoint, feedbackUri, file } = feedback;
  return encodeFunctionData({
    abi: reputationAbi,
    functionName: "giveFeedback",
    args: [agentId, score, 0, "audit", verdict, endpoint, feedbackUri, hashOf(file)],
  });
}

/** Calldata that asks how often a client has spoken of an agent. */
export function lastIndexCalldata(agentId: bigint, client: Address): Hex {
  return encodeFunctionData({ abi: reputationAbi, functionName: "getLastIndex", args: [agentId, client] });
}

/** The topics of what a client has said of an agent. */
export function feedbackTopics(agentId: bigint, clientAddress: Address) {
  return encodeEventTopics({
    abi: reputationAbi,
    eventName: "NewFeedback",
    args: { agentId, clientAddress },
  });
}

/** A log of `NewFeedback`, with the transaction that it came from. */
export const FeedbackLog = z.object({
  transactionHash: HashInput.transform(lower),
  topics: z.tuple([HexInput], HexInput),
  data: HexInput,
});

/** The hash of the report that a logged feedback points to. */
export function feedbackHashIn({ topics, data }: z.infer<typeof FeedbackLog>): Hex {
  return decodeEventLog({ abi: reputationAbi, eventName: "NewFeedback", topics, data }).args.feedbackHash;
}

/** What a contract said when it reverted, where it said it in words. */
export function revertText(data: Hex | undefined): string | undefined {
  if (data === undefined) return undefined;
  try {
    const { errorName, args } = decodeErrorResult({ abi: reputationAbi, data });
    return errorName === "Error" ? String(args?.[0]) : undefined;
  } catch {
    // An error of a form that nobody told us of, which is all that viem throws for.
    return undefined;
  }
}
