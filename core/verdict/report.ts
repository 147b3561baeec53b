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
import type { Address, Hex } from "../chain/hex.ts";
import type { ChainLog } from "../chain/receipt.ts";
import { AppError, tryCall } from "../error.ts";
import type { Settings } from "../port/settings.ts";
import { makePageUrl, makeReportUrl, parseId } from "../press/index.ts";
import type { PressItem } from "../record/press.ts";
import type { Table } from "../table.ts";

type Ports = { readonly table: Table };
type JsonObject = { readonly [name: string]: Json };

const StoredReport = z.record(z.string(), z.json());

/**
 * The latest report on a press; `undefined` if the press has no report yet. The report is returned exactly as it was stored, without
 * parsing by today's schema, because the report's hash is on the chain. The publisher's answers are the report's `disputes`. After the
 * press has gone live, the publisher can add no answers, so the report's hash covers all answers.
 */
export async function readLatestReport({ table }: Ports, id: number): Promise<JsonObject | undefined> {
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

/**
 * The report with which a press went live. The report with which a press went live is its latest report, because a live press is not
 * audited again.
 */
export async function loadReport(ports: Ports, id: number): Promise<JsonObject> {
  const report = await readLatestReport(ports, id);
  if (report === undefined) throw new Error(`Press ${id} is live without an audit report`);
  return report;
}

/** `final` is true if the hash of the file is on the chain. A file whose hash is on the chain never changes. */
export type PublishedReport = { readonly text: string; readonly final: boolean };

/**
 * The full audit report of a live press as canonical JSON (specification §4.3). `id` is the press's id, as a text from the request's path.
 * After the auditor's verdict is signed, the function returns the verdict's feedback file, which contains the report. Throws
 * `unknown_press` (`missing`).
 */
export async function readPublishedReport(ports: Ports, id: string | undefined): Promise<PublishedReport> {
  const number = parseId(id);
  if (number === undefined) throw makeMissingError();
  const { press: presses, verdict: verdicts } = ports.table.entities;
  // A press with a posted verdict is live. If the verdict is posted, the function therefore does not read the press's record.
  const { data: verdict } = await verdicts.get({ id: number }).go({ consistent: true });
  if (verdict?.file !== undefined) return { text: verdict.file, final: verdict.state === "posted" };
  const { data: press } = await presses.get({ id: number }).go({ consistent: true });
  if (press?.status !== "live") throw makeMissingError();
  return { text: toCanonicalJson(await loadReport(ports, number)), final: false };
}

function makeMissingError(): AppError {
  return new AppError("missing", "unknown_press", "No live press has this id.");
}

export type Json = z.infer<ReturnType<typeof z.json>>;

/**
 * JSON with sorted keys and without whitespace (RFC 8785). Each value has only one text in this form, so the hash of the text identifies
 * the value.
 */
export function toCanonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    // Keys are sorted by UTF-16 code units, as the RFC requires. The operator `<` compares texts in this order.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${toCanonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/**
 * Makes the auditor's feedback on a live press from the report with which the press went live (design §2). `file`: the file at the
 * feedback's URI, as canonical JSON. The file contains the report and the fields of an ERC-8004 feedback file. For the same press and the
 * same auditor, the function always makes the same file. `data`: the calldata of the registry's function `giveFeedback`, with the file's
 * hash.
 */
export function makeFeedback(
  { origin, chainId, contracts }: Pick<Settings, "origin" | "chainId" | "contracts">,
  press: PressItem,
  report: { readonly [name: string]: Json },
  auditor: Address,
) {
  const { id, pressId, slug, audit, publishedAt } = press;
  if (pressId === undefined || slug === undefined || audit === undefined || publishedAt === undefined) {
    throw new Error(`Press ${id} is live without an identity, a slug, an audit or a time`);
  }
  const endpoint = makePageUrl(origin, slug);
  const file = toCanonicalJson({
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
  const agentId = BigInt(pressId);
  const uri = makeReportUrl(origin, id);
  const hash = hashFile(file);
  const args = [agentId, BigInt(audit.score), 0, "audit", audit.verdict, endpoint, uri, hash] as const;
  const data = encodeFunctionData({ abi: reputationAbi, functionName: "giveFeedback", args });
  return { agentId, file, data };
}

/** The onchain hash of a feedback file. */
export function hashFile(file: string): Hex {
  return keccak256(stringToBytes(file));
}

/** The calldata that asks how many times a client has given feedback on an agent. */
export function encodeLastIndex(agentId: bigint, client: Address): Hex {
  return encodeFunctionData({ abi: reputationAbi, functionName: "getLastIndex", args: [agentId, client] });
}

/** The log topics of a client's feedback on an agent. */
export function encodeTopics(agentId: bigint, clientAddress: Address) {
  return encodeEventTopics({
    abi: reputationAbi,
    eventName: "NewFeedback",
    args: { agentId, clientAddress },
  });
}

/** Reads the report's hash from the log of a feedback. */
export function decodeFeedbackHash({ topics, data }: ChainLog): Hex {
  return decodeEventLog({ abi: reputationAbi, eventName: "NewFeedback", topics, data }).args.feedbackHash;
}

/** The message of a revert, if the revert has a message. */
export function readRevertMessage(data: Hex | undefined): string | undefined {
  if (data === undefined) return undefined;
  // The library viem throws if the revert's error is not in the ABI.
  const error = tryCall(() => decodeErrorResult({ abi: reputationAbi, data }));
  return error?.errorName === "Error" ? String(error.args?.[0]) : undefined;
}
