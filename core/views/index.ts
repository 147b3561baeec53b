import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { Clock } from "../port/clock.ts";
import type { EdgeLogs } from "../port/cloud.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import { findDay } from "../quota/index.ts";
import type { ViewFileItem, ViewsItem } from "../record/views.ts";
import type { Table } from "../table.ts";
import { commit } from "../transact.ts";
import { parseView, type View } from "./line.ts";
import { DayOfViews, mostHosts, type ViewPage, viewDays } from "./schema.ts";

type Ports = Pick<AllPorts, "table" | "clock" | "log"> & {
  readonly edgeLogs: EdgeLogs;
  readonly settings: Pick<Settings, "origin">;
};

export type ViewCounts = { readonly files: number; readonly views: number; readonly failed: number };

const dayMs = 24 * 60 * 60_000;
/**
 * The number of days whose log files are read. Log lines may arrive up to a day late, and are stored under the day of their requests
 * (CloudFront's "Timing of log file delivery").
 */
const daysLookedAt = 3;
/**
 * The maximum number of counts (of one article on one day) that one table transaction writes, because a table transaction can hold only a
 * hundred writes.
 */
const perPart = 90;

/**
 * Counts the views in the log files that no earlier run has counted. Each file is counted only once, because the table transaction that
 * writes its counts also marks it as counted. A long file is counted and marked in parts. If a file cannot be read, the next run tries it
 * again, and other files are not delayed.
 */
export async function count(ports: Ports): Promise<ViewCounts> {
  const done = { files: 0, views: 0, failed: 0 };
  for (let back = daysLookedAt - 1; back >= 0; back -= 1) {
    const { name: day } = findDay(ports.clock.now() - back * dayMs);
    const [files, known] = await Promise.all([ports.edgeLogs.listFiles(day), readProgress(ports.table, day)]);
    for (const file of files) {
      const parts = known.get(file) ?? { next: 0, isDone: false };
      if (parts.isDone) continue;
      const views = await countFile(ports, day, file, parts.next);
      if (views === undefined) done.failed += 1;
      else {
        done.files += 1;
        done.views += views;
      }
    }
  }
  return done;
}

type CountedParts = { readonly next: number; readonly isDone: boolean };

async function readProgress(table: Table, day: string): Promise<ReadonlyMap<string, CountedParts>> {
  const { data } = await table.entities.viewFile.query.byDay({ day }).go({ consistent: true, pages: "all" });
  return new Map(data.map(({ file, part, last }) => [file, { next: part + 1, isDone: last }]));
}

/** Counts the views in one log file. Returns the number of newly counted views, or `undefined` if the file cannot be read. */
async function countFile(
  ports: Ports,
  day: string,
  file: string,
  firstPart: number,
): Promise<number | undefined> {
  const lines = await ports.edgeLogs.readLines(file).catch((error: unknown) => {
    ports.log.warn("A file of the edge's log could not be read", { file, error });
    return undefined;
  });
  if (lines === undefined) return undefined;
  const { host } = new URL(ports.settings.origin);
  const views = lines.flatMap((line) => parseView(line, host) ?? []);
  const groups = [...Map.groupBy(views, ({ day: on, slug }) => `${on} ${slug}`).entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, group]) => group);
  const parts = Math.max(1, Math.ceil(groups.length / perPart));
  let counted = 0;
  for (let part = firstPart; part < parts; part += 1) {
    const some = groups.slice(part * perPart, (part + 1) * perPart);
    counted += await countPartViews(ports, some, { day, file, part, last: part === parts - 1 });
  }
  return counted;
}

/**
 * After this run has read the counts and before it writes them, another run may count the same part of the file or other views of the same
 * articles.
 */
const attempts = 5;

async function countPartViews(
  ports: Ports,
  groups: readonly (readonly View[])[],
  partRecord: Omit<ViewFileItem, "expiresAt">,
): Promise<number> {
  for (let left = attempts; left > 0; left -= 1) {
    const items = await addViews(ports, groups);
    const outcome = await commit(ports, (entities) => ({
      note: entities.viewFile
        .create({ ...partRecord, expiresAt: computeExpiry(ports.clock, 2 * daysLookedAt) })
        .commit(),
      ...Object.fromEntries(
        items.map((item) => [
          `${item.day} ${item.id}`,
          entities.views
            .put(item)
            .where(({ revision }, { eq, notExists }) =>
              item.revision === 1 ? notExists(revision) : eq(revision, item.revision - 1),
            )
            .commit(),
        ]),
      ),
    }));
    if (outcome.done) return groups.flat().length;
    if (outcome.refused.has("note")) return 0;
  }
  throw new Error("Other runs kept counting the same articles");
}

const computeExpiry = ({ now }: Clock, days: number) => Math.ceil((now() + days * dayMs) / 1000);

/** Adds views to the stored counts. Views of pages without an article are dropped. */
async function addViews(
  { table, clock }: Ports,
  groups: readonly (readonly View[])[],
): Promise<readonly ViewsItem[]> {
  const { press, views } = table.entities;
  const firsts = groups.flatMap(([first]) => (first === undefined ? [] : [first]));
  const presses = await table.together(firsts.map(({ id }) => press.get({ id }).params()));
  const owned = groups.flatMap((group, index) => {
    const found = presses[index] === undefined ? null : press.parse(presses[index]).data;
    const [first] = group;
    if (found?.slug === undefined || first === undefined || found.slug !== first.slug) return [];
    return [{ group, key: { publisher: found.publisher, day: first.day, id: found.id }, slug: found.slug }];
  });
  const before = await table.together(owned.map(({ key }) => views.get(key).params()));
  return owned.map(({ group, key, slug }, index) => {
    const known = before[index] === undefined ? null : views.parse(before[index]).data;
    const countFrom = (source: string) => group.filter((view) => view.source === source).length;
    const named = group.flatMap(({ source }) => (typeof source === "object" ? [source.host] : []));
    const all = new Map(known === null ? [] : DayOfViews.shape.hosts.parse(known.hosts));
    for (const host of named) if (host !== "") all.set(host, (all.get(host) ?? 0) + 1);
    const sorted = [...all].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
    const cut = sorted.slice(mostHosts).reduce((sum, [, number]) => sum + number, 0);
    return {
      ...key,
      slug,
      direct: (known?.direct ?? 0) + countFrom("direct"),
      site: (known?.site ?? 0) + countFrom("site"),
      feed: (known?.feed ?? 0) + countFrom("feed"),
      agent: (known?.agent ?? 0) + countFrom("agent"),
      hosts: sorted.slice(0, mostHosts),
      otherHosts: (known?.otherHosts ?? 0) + named.filter((host) => host === "").length + cut,
      revision: (known?.revision ?? 0) + 1,
      expiresAt: computeExpiry(clock, viewDays),
    };
  });
}

/**
 * The maximum number of entries on a page of the views of an author's presses. An entry holds the views of one article on one day. All
 * entries of one page together are smaller than a megabyte.
 */
const pageSize = 500;
const Place = z.tuple([z.iso.date(), z.int()]);

/**
 * Reads how often an author's articles were viewed on each of the last days, in one query. Each entry is for one article and one day, and
 * the newest day comes first. Throws `invalid_cursor` (`input`).
 */
export async function list(
  { table }: Pick<AllPorts, "table">,
  publisher: Address,
  cursor?: string,
): Promise<ViewPage> {
  const [day, id] = decodeCursor(Place, cursor) ?? [];
  const query = table.entities.views.query.byDay({ publisher });
  const from = day === undefined || id === undefined ? query : query.lt({ day, id });
  const page = await from.go({ order: "desc", limit: pageSize });
  const last = page.cursor === null ? undefined : page.data.at(-1);
  return {
    views: page.data.map((item) => DayOfViews.parse(item)),
    ...(last !== undefined && { cursor: encodeCursor([last.day, last.id]) }),
  };
}
