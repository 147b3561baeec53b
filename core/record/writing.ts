import { gsi3, model, paddedId, primary } from "./keys.ts";

/** The entry of a manuscript in lists. The entry of a manuscript that has become a press stays for a while and names that press. */
export const manuscriptRecord = {
  model: model("manuscript"),
  attributes: {
    publisher: { type: "string", required: true },
    /** The writer's own name for it. */
    name: { type: "string", required: true },
    /** The beginning of the headline; the whole headline is stored with the text. */
    headline: { type: "string", required: true },
    stock: { type: "string", required: true },
    /** ISO 8601. No two versions have the same. */
    updatedAt: { type: "string", required: true },
    /** The press that it has become. Its text is gone then. */
    press: { type: "number" },
    /** Seconds since the epoch; only on a manuscript that has become a press. */
    expiresAt: { type: "number" },
  },
  indexes: {
    byName: primary(["publisher"], ["name"]),
    /** In the partition of the publisher's presses, so that one query reads both. */
    byPublisher: gsi3(["publisher"], ["name"]),
  },
} as const;

/** The text of a manuscript, apart from it so that lists never carry texts. */
export const manuscriptTextRecord = {
  model: model("manuscripttext"),
  attributes: {
    publisher: { type: "string", required: true },
    name: { type: "string", required: true },
    /** The time of the version, as in the list item. */
    updatedAt: { type: "string", required: true },
    /** JSON of the stored fields (schema.ts), which the table does not interpret. */
    contents: { type: "string", required: true },
  },
  indexes: {
    byName: primary(["publisher"], ["name"]),
  },
} as const;

/** The names of a wallet's manuscripts. A set: adding and removing a name twice counts once, so no count can drift. */
export const manuscriptNamesRecord = {
  model: model("manuscriptnames"),
  attributes: {
    publisher: { type: "string", required: true },
    names: { type: "set", items: "string" },
  },
  indexes: {
    byPublisher: primary(["publisher"]),
  },
} as const;

/** The angles that a wallet was shown for a stock, so that an angle's id means the same to us and to the caller. */
export const offerRecord = {
  model: model("offer"),
  attributes: {
    wallet: { type: "string", required: true },
    stock: { type: "string", required: true },
    /** Grows with every showing. */
    version: { type: "number", required: true },
    /** Parsed where it is read. */
    shown: { type: "any", required: true },
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byStock: primary(["wallet"], ["stock"]),
  },
} as const;

/** An AI draft. It is `writing` while the model works, and then counts for the day until `dueAt`; once `written` it is kept for ever. */
export const generationRecord = {
  model: model("generation"),
  attributes: {
    wallet: { type: "string", required: true },
    /** Padded in keys, so that they sort as numbers do. */
    id: paddedId,
    state: { type: ["writing", "written"] as const, required: true },
    stock: { type: "string", required: true },
    /** The angle and the sources as the model saw them, and its draft: parsed where they are read. */
    angle: { type: "any", required: true },
    sources: { type: "any", required: true },
    draft: { type: "any" },
    /** Model and prompt version. */
    engine: { type: "string", required: true },
    createdAt: { type: "string", required: true },
    /** The UTC day on which it counts, `YYYY-MM-DD`. */
    day: { type: "string", required: true },
    /** Milliseconds: a process that is still writing then has died. */
    dueAt: { type: "number", required: true },
    /** Absent once the draft is written. */
    expiresAt: { type: "number" },
  },
  indexes: {
    byWallet: primary(["wallet"], ["id"]),
  },
} as const;

/** The answer to a request that its client may repeat under its own key. */
export const answerRecord = {
  model: model("answer"),
  attributes: {
    wallet: { type: "string", required: true },
    operation: { type: ["save", "generate", "angles"] as const, required: true },
    /** The client's `Idempotency-Key`. */
    key: { type: "string", required: true },
    /** The hash of the request. */
    request: { type: "string", required: true },
    /** JSON. */
    answer: { type: "string", required: true },
    /** Seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byKey: primary(["wallet"], ["operation", "key"]),
  },
} as const;
