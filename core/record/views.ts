import { type ItemOf, makeRecord, paddedId, toKey } from "./keys.ts";

const count = { type: "number", required: true } as const;

/** The number of times that an article's page was opened on a UTC day, and the sites from which the readers came. */
export const viewsRecord = makeRecord("views", toKey("byDay", ["publisher"], ["day", "id"]), {
  /** The page views of each author's articles have a separate partition of the table, so that one query reads only one author's numbers. */
  publisher: { type: "string", required: true, label: "viewsOf" },
  /** `YYYY-MM-DD`. */
  day: { type: "string", required: true },
  id: paddedId,
  slug: { type: "string", required: true },
  direct: count,
  site: count,
  feed: count,
  agent: count,
  /**
   * The number of readers for each referring host, as pairs of host and number. Readers from hosts that are not listed are counted
   * together.
   */
  hosts: { type: "any", required: true },
  otherHosts: count,
  /** The revision, which grows with every write, so that two runs of the job never overwrite each other's counts. */
  revision: count,
  /** Seconds since the epoch. */
  expiresAt: { type: "number", required: true },
});

export type ViewsItem = ItemOf<typeof viewsRecord>;

/**
 * A part of a log file. The lines of this part have been counted. The record is written in the same transaction as the counts, so that no
 * line is counted twice.
 */
export const viewFileRecord = makeRecord("viewfile", toKey("byDay", ["day"], ["file", "part"]), {
  /** The day under which the content delivery network has stored the log file, `YYYY-MM-DD`. */
  day: { type: "string", required: true, label: "viewFilesOf" },
  file: { type: "string", required: true },
  part: { type: "number", required: true, padding: { length: 4, char: "0" } },
  /** Whether this part is the last part of the log file. */
  last: { type: "boolean", required: true },
  expiresAt: { type: "number", required: true },
});

export type ViewFileItem = ItemOf<typeof viewFileRecord>;
