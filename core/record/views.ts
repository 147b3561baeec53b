import { type ItemOf, model, paddedId, primary } from "./keys.ts";

const count = { type: "number", required: true } as const;

/** How often the page of an article was opened on a UTC day, by where its readers came from. */
export const viewsRecord = {
  model: model("views"),
  attributes: {
    /** In a partition of its own, so that one query reads all numbers of an author and no others. */
    publisher: { type: "string", required: true, label: "viewsOf" },
    /** `YYYY-MM-DD`. */
    day: { type: "string", required: true },
    id: paddedId,
    slug: { type: "string", required: true },
    direct: count,
    site: count,
    feed: count,
    agent: count,
    /** Readers by the referrer's host, as pairs; readers from further hosts are counted together. */
    hosts: { type: "any", required: true },
    otherHosts: count,
    /** Grows with every write, so that two runs never overwrite each other. */
    revision: count,
    /** Seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byDay: primary(["publisher"], ["day", "id"]),
  },
} as const;

export type ViewsItem = ItemOf<typeof viewsRecord>;

/** A part of a log file whose lines are counted. Written together with the counts, so that no line counts twice. */
export const viewFileRecord = {
  model: model("viewfile"),
  attributes: {
    /** The day under which the edge stored it, `YYYY-MM-DD`. */
    day: { type: "string", required: true, label: "viewFilesOf" },
    file: { type: "string", required: true },
    part: { type: "number", required: true, padding: { length: 4, char: "0" } },
    /** Whether this part is the file's last. */
    last: { type: "boolean", required: true },
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byDay: primary(["day"], ["file", "part"]),
  },
} as const;
