import * as z from "zod";
import { AppError } from "../error.ts";
import { pathId } from "../press/index.ts";
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
