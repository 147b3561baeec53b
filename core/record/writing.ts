import { gsi3, makeEntityModel, makePrimaryKey, makeRecord, paddedId, toKey } from "./keys.ts";

/**
 * The entry of a manuscript in the list of manuscripts. The entry of a manuscript that has become a press is stored for a limited time and
 * names the press.
 */
export const manuscriptRecord = {
  model: makeEntityModel("manuscript"),
  attributes: {
    publisher: { type: "string", required: true },
    /** The name that the writer has given to the manuscript. */
    name: { type: "string", required: true },
    /** The beginning of the headline; the whole headline is stored with the text. */
    headline: { type: "string", required: true },
    stock: { type: "string", required: true },
    /** The time of the version in ISO 8601. No two versions of a manuscript have the same time. */
    updatedAt: { type: "string", required: true },
    /** The press that the manuscript has become. The text of a manuscript that has become a press is deleted. */
    press: { type: "number" },
    /**
     * The time at which the entry expires, in seconds since the Unix epoch. The field is set only on a manuscript that has become a press.
     */
    expiresAt: { type: "number" },
  },
  indexes: {
    byName: makePrimaryKey(["publisher"], ["name"]),
    /** Manuscripts are stored in the partition of the publisher's presses, so that one query reads both manuscripts and presses. */
    byPublisher: gsi3(["publisher"], ["name"]),
  },
} as const;

/** The text of a manuscript, stored separately from its entry, so that lists never contain texts. */
export const manuscriptTextRecord = makeRecord("manuscripttext", toKey("byName", ["publisher"], ["name"]), {
  publisher: { type: "string", required: true },
  name: { type: "string", required: true },
  /** The time of the version, equal to the time in the manuscript's entry in the list. */
  updatedAt: { type: "string", required: true },
  /** The stored fields (schema.ts) as JSON, which the table does not interpret. */
  contents: { type: "string", required: true },
});

/**
 * The names of a wallet's manuscripts, stored as a set. A name that is added or removed twice counts only once, so that the number of
 * manuscripts is always right.
 */
export const manuscriptNamesRecord = makeRecord("manuscriptnames", toKey("byPublisher", ["publisher"]), {
  publisher: { type: "string", required: true },
  names: { type: "set", items: "string" },
});

/**
 * The angles that the service has shown to a wallet for an article on a stock. The angles are stored, so that an angle's id means the same
 * angle to the service and to the caller.
 */
export const offerRecord = makeRecord("offer", toKey("byStock", ["wallet"], ["stock"]), {
  wallet: { type: "string", required: true },
  stock: { type: "string", required: true },
  /** The revision, which grows each time that angles are shown. */
  version: { type: "number", required: true },
  /** The angles. The code that reads the angles parses them. */
  shown: { type: "any", required: true },
  expiresAt: { type: "number", required: true },
});

/**
 * An AI draft. A draft has the state `writing` while the model works on it. An unfinished draft counts towards the daily limit until
 * `dueAt`. A draft in the state `written` is never deleted.
 */
export const generationRecord = makeRecord("generation", toKey("byWallet", ["wallet"], ["id"]), {
  wallet: { type: "string", required: true },
  /** Ids are padded with zeros in keys, so that keys sort in the order of the ids. */
  id: paddedId,
  state: { type: ["writing", "written"] as const, required: true },
  stock: { type: "string", required: true },
  /**
   * The angle and the sources in the form in which the model saw them, and the model's draft. The code that reads these fields parses them.
   */
  angle: { type: "any", required: true },
  sources: { type: "any", required: true },
  draft: { type: "any" },
  /** The model and the prompt version of the draft. */
  engine: { type: "string", required: true },
  createdAt: { type: "string", required: true },
  /** The draft counts towards the limit of this UTC day, `YYYY-MM-DD`. */
  day: { type: "string", required: true },
  /** The time in milliseconds after which the process that writes the draft counts as dead. */
  dueAt: { type: "number", required: true },
  /** The time at which the item expires. The field is missing once the draft is written. */
  expiresAt: { type: "number" },
});

/** The stored answer to a request that its client may repeat under the same idempotency key. */
export const answerRecord = makeRecord("answer", toKey("byKey", ["wallet"], ["operation", "key"]), {
  wallet: { type: "string", required: true },
  operation: { type: ["save", "generate", "angles"] as const, required: true },
  /** The client's `Idempotency-Key`. */
  key: { type: "string", required: true },
  /** The hash of the request. */
  request: { type: "string", required: true },
  /** The answer as JSON. */
  answer: { type: "string", required: true },
  /** Seconds since the epoch. */
  expiresAt: { type: "number", required: true },
});
