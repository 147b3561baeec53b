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
import { AppError } from "../error.ts";
import type { Settings } from "../port/settings.ts";
import { auditReportUrl, pageUrl, pathId } from "../press/index.ts";
import type { PressItem } from "../record/press.ts";
import type { Table } from "../table.ts";

type Ports = { readonly table: Table };
type Report = { readonly [name: string]: Json };

const StoredReport = z.record(z.string(), z.json());

/**
 * The latest report on a press, `undefined` before the first. It is given as it was stored and never read by today's
 * schema: what a verdict on the chain has hashed must keep its bytes. The publisher's answers to findings stand beside
 * it as `disputes`; they end when the press goes live, and so before anything is hashed.
 */
export async function latestReport({ table }: Ports, id: number): Promise<Report | undefined> {
  const { data } = await table.entities.audit.query
    .byPress({ id })
    .go({ order: "desc", limit: 1, consistent: true });
  const [latest] = data;
  if (latest === undefined) return undefined;
  const report = StoredReport.parse(latest.report);
  return latest.disputes === undefined || latest.disputes.length === 0
    ? report
    : { ...report, disputes: z.array(z.json()).parse(latest.disputes) };
}

/** The report that made a press live: no audit follows on it, so that this is the latest one. */
export async function reportOf(ports: Ports, id: number): Promise<Report> {
  const report = await latestReport(ports, id);
  if (report === undefined) throw new Error(`Press ${id} is live without an audit report`);
  return report;
}

/** `final` once the chain has its hash: it never changes from then on. */
export type PublishedReport = { readonly text: string; readonly final: boolean };

/**
 * The full audit report of a live press as canonical JSON (specification §4.3); `id` is the path's text. From the
 * moment that the auditor's verdict is signed it is the feedback file that the verdict names, which holds the report.
 * Throws `missing` `unknown_press`.
 */
export async function publishedReport(ports: Ports, id: string | undefined): Promise<PublishedReport> {
  const number = pathId(id);
  if (number === undefined) throw unknownPress();
  const { press: presses, verdict: verdicts } = ports.table.entities;
  // Only of a live press is there a verdict, so that one look at the table is enough in the long run.
  const { data: verdict } = await verdicts.get({ id: number }).go({ consistent: true });
  if (verdict?.file !== undefined) return { text: verdict.file, final: verdict.state === "posted" };
  const { data: press } = await presses.get({ id: number }).go({ consistent: true });
  if (press?.status !== "live") throw unknownPress();
  return { text: canonicalJson(await reportOf(ports, number)), final: false };
}

function unknownPress(): AppError {
  return new AppError("missing", "unknown_press", "No live press has this id.");
}

export type Json = z.infer<ReturnType<typeof z.json>>;

/**
 * JSON with sorted keys and no whitespace (RFC 8785): one value has one text, so that a hash of its bytes says which
 * value was meant.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    // By UTF-16 code units, as the RFC asks and as `<` compares.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

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
