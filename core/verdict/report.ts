import * as z from "zod";
import { AppError } from "../error.ts";
import { pathId } from "../press/index.ts";
import type { Table } from "../table.ts";
import { canonicalJson, type Json } from "./canonical.ts";

type Ports = { readonly table: Table };

/**
 * The latest report on a press, `undefined` before the first. It is given as it was stored and never read by today's
 * schema: what a verdict on the chain has hashed must keep its bytes.
 */
export async function latestReport({ table }: Ports, id: number): Promise<Json | undefined> {
  const { data } = await table.entities.audit.query
    .byPress({ id })
    .go({ order: "desc", limit: 1, consistent: true });
  return data[0] === undefined ? undefined : z.json().parse(data[0].report);
}

/** Canonical JSON of the report that made a press live: no audit follows on it, so that this is the latest one. */
export async function reportText(ports: Ports, id: number): Promise<string> {
  const report = await latestReport(ports, id);
  if (report === undefined) throw new Error(`Press ${id} is live without an audit report`);
  return canonicalJson(report);
}

/**
 * The full audit report of a live press as canonical JSON (specification §4.3); `id` is the path's text. Throws
 * `missing` `unknown_press`.
 */
export async function publishedReport(ports: Ports, id: string | undefined): Promise<string> {
  const number = pathId(id);
  const press =
    number === undefined
      ? null
      : (await ports.table.entities.press.get({ id: number }).go({ consistent: true })).data;
  if (press?.status !== "live") throw new AppError("missing", "unknown_press", "No live press has this id.");
  return reportText(ports, press.id);
}
