import {
  gsi1,
  gsi2,
  gsi3,
  type ItemOf,
  makeEntityModel,
  makePrimaryKey,
  makeRecord,
  paddedId,
  toKey,
} from "./keys.ts";

const count = { type: "number" } as const;

/**
 * The record of a press, without the text. The fields of a live press no longer change (design §3), except `votesUp`, `votesDown`,
 * `readerUp`, `readerDown`, `tags`, the reads, the fees, `earnedUnits`, `auditTx`, `newUntil` and `bylineAmbiguous`. The author can still
 * change the price and the notes, and can unlist the press or list it again. A cached copy has a short lifetime. A change of the press
 * becomes visible only after the cached copy has expired.
 */
export const pressRecord = {
  model: makeEntityModel("press"),
  attributes: {
    /** Ids are padded with zeros in keys, so that keys sort in the order of the ids. */
    id: paddedId,
    publisher: { type: "string", required: true },
    status: { type: ["draft", "revise", "rejected", "approved", "live"] as const, required: true },
    headline: { type: "string", required: true },
    preview: { type: "string", required: true },
    stock: { type: "string", required: true },
    publisherName: { type: "string", required: true },
    /** The price in USDG base units, as a decimal text. */
    priceUnits: { type: "string", required: true },
    readMinutes: { type: "number", required: true },
    /** The keccak256 of the text's UTF-8 bytes. */
    contentHash: { type: "string", required: true },
    /** The fingerprint by which copies of the text are found (`makeSketch`); the field is removed when the press goes live. */
    sketch: {
      type: "map",
      properties: {
        hashes: { type: "list", items: { type: "string" }, required: true },
        size: { type: "number", required: true },
      },
    },
    generationId: { type: "number" },
    aiAssisted: { type: "boolean", required: true },
    createdAt: { type: "string", required: true },
    updatedAt: { type: "string", required: true },
    /** The revision of the text. The revision grows with every save, so that an audit of an older text does not count for a newer text. */
    revision: { type: "number", required: true },

    auditCount: { type: "number", required: true },
    /** The audit run that is checking the press now, and the time in milliseconds until which the run blocks changes of the press. */
    auditRun: { type: "string" },
    auditRunUntil: { type: "number" },
    /**
     * The revision that the current audit run shows to the model. The field is set when the run begins to count towards the limits, and is
     * removed when the run ends.
     */
    auditAsked: { type: "number" },
    audit: {
      type: "map",
      properties: {
        verdict: { type: ["approve", "revise", "reject"] as const, required: true },
        score: { type: "number", required: true },
        summary: { type: "string", required: true },
        engine: { type: "string", required: true },
        auditedAt: { type: "string", required: true },
        /**
         * The numbers of audit findings by severity, for the severities that a live press can have. Older audits do not have the numbers of
         * findings by severity.
         */
        found: { type: "map", properties: { low: count, medium: count } },
      },
    },
    publisherHolds: { type: "boolean" },

    /** The index key that puts the press on the public lists. The key is set when the press goes live. */
    shelf: { type: ["live"] as const },
    stockShelf: { type: "string" },
    slug: { type: "string" },
    /** The ERC-8004 agent id; 0 is a valid id. */
    pressId: { type: "number" },
    publishedAt: { type: "string" },
    priceAtPublish: { type: "number" },
    mintTx: { type: "string" },
    /**
     * The time until which the author counts as new on this site, in ISO 8601. The field is removed when the author's third press goes
     * live.
     */
    newUntil: { type: "string" },
    /**
     * The field is set if another wallet's byline looks like this byline, or if this byline contains no name (core/byline). The field is
     * never removed.
     */
    bylineAmbiguous: { type: "boolean" },
    auditTx: { type: "string" },

    /**
     * The changes that the author has made after the press went live: dated notes, the time of the last price change, the time of
     * unlisting, and the number of changes.
     */
    corrections: {
      type: "list",
      items: {
        type: "map",
        properties: { at: { type: "string", required: true }, text: { type: "string", required: true } },
      },
    },
    priceChangedAt: { type: "string" },
    unlistedAt: { type: "string" },
    changes: { type: "number" },

    votesUp: { type: "number", required: true },
    votesDown: { type: "number", required: true },
    /** The votes of wallets that have unlocked the press. */
    readerUp: { type: "number" },
    readerDown: { type: "number" },
    /** The number of votes for each tag. If a tag loses its last vote, the tag stays in `tags` with the number 0. */
    tags: {
      type: "map",
      required: true,
      properties: {
        accurate: count,
        "well-sourced": count,
        insightful: count,
        misleading: count,
        outdated: count,
        biased: count,
      },
    },
    reads: { type: "number", required: true },
    /**
     * The number of reads by wallets other than the publisher's and the owner's wallet, and the fees for these reads in USDG base units.
     */
    otherReads: { type: "number" },
    readFees: { type: "number" },
    /**
     * The fees by which readers' votes are weighted (core/rank), and the part of these fees that was paid for this press, in USDG base
     * units.
     */
    upFees: { type: "number" },
    downFees: { type: "number" },
    voterFees: { type: "number" },
    /**
     * The sum of the settled amounts that readers have paid to the owners of the press, in USDG base units. A later change of the price or
     * of the fee percentage does not change this sum.
     */
    earnedUnits: { type: "number" },
  },
  indexes: {
    byId: makePrimaryKey(["id"]),
    live: gsi1(["shelf"], ["publishedAt", "slug"]),
    liveByStock: gsi2(["stockShelf"], ["publishedAt", "slug"]),
    // In this index, the author's description is in the same partition as the author's presses, so that one query reads both.
    byPublisher: { ...gsi3(["publisher"], ["id"]), collection: "author" },
  },
} as const;
export type PressItem = ItemOf<typeof pressRecord>;

/** The description of the author on the author's page. */
export const profileRecord = {
  model: makeEntityModel("profile"),
  attributes: {
    publisher: { type: "string", required: true },
    /** The text is plain text, and may be empty. */
    text: { type: "string", required: true },
    link: { type: "string" },
  },
  indexes: {
    byWallet: makePrimaryKey(["publisher"]),
    byPublisher: { ...gsi3(["publisher"], []), collection: "author" },
  },
} as const;

/** The text of a press, stored separately from the press, so that lists never contain texts. */
export const bodyRecord = makeRecord("body", toKey("byPress", ["id"]), {
  // The text of a press is stored in a separate partition of the table, so that code with the right to read presses cannot read the paid
  // texts.
  id: { ...paddedId, label: "textOf" },
  revision: { type: "number", required: true },
  /** The text in Markdown, with exactly the bytes that the author has saved. */
  body: { type: "string", required: true },
});

/**
 * A live press, stored under its ERC-8004 agent id. The record is written in the transaction that makes the press live. The record contains
 * the facts that a payment needs, so that the service gets all of them by one read with the agent id. If the press's price changes, or the
 * press is unlisted or listed again, the same transaction changes this record.
 */
export const agentRecord = makeRecord("agent", toKey("byPressId", ["pressId"]), {
  pressId: { type: "number", required: true },
  id: { type: "number", required: true },
  priceUnits: { type: "string", required: true },
  slug: { type: "string", required: true },
  headline: { type: "string", required: true },
  stock: { type: "string", required: true },
  publisher: { type: "string", required: true },
  /**
   * Earlier prices in USDG base units, the oldest first. The earlier prices are needed to recognise payments that were made at these
   * prices.
   */
  formerPrices: { type: "list", items: { type: "string" } },
  /** The time from which no new fee is accepted for the press, in ISO 8601. */
  unlistedAt: { type: "string" },
});
export type AgentItem = ItemOf<typeof agentRecord>;

/**
 * A sequence of five consecutive words, stored under its hash, with the first live press that contained the sequence. The stored sequences
 * are used to find copies of a press. The record is written in the transaction that makes the press live, and is never changed afterwards.
 */
export const runRecord = makeRecord("run", toKey("byHash", ["hash"]), {
  hash: { type: "string", required: true },
  id: { type: "number" },
  publisher: { type: "string" },
  headline: { type: "string" },
  /** The number of different sequences of five consecutive words in the press. */
  size: { type: "number" },
});

/**
 * The key of a byline, and the first wallet whose press went live under the byline. Bylines that look alike to a reader have the same key
 * (`computeBylineKeys` in core/byline).
 */
export const bylineRecord = makeRecord("byline", toKey("byLooks", ["looks"]), {
  looks: { type: "string", required: true },
  wallet: { type: "string", required: true },
  /** The wallet's presses that went live under this byline before another wallet used the byline. */
  presses: { type: "number", required: true },
  /**
   * Whether another wallet has published under this record's byline, and whether the presses of the record's wallet are already marked as
   * presses with a shared byline.
   */
  shared: { type: "boolean" },
  marked: { type: "boolean" },
});
export type BylineItem = ItemOf<typeof bylineRecord>;

/** A wallet that has made a press live. A wallet with a live press has a larger model budget than other wallets. */
export const publisherRecord = makeRecord("publisher", toKey("byWallet", ["wallet"]), {
  wallet: { type: "string", required: true },
  /** The time when the wallet's latest press was found live, in ISO 8601. */
  publishedAt: { type: "string", required: true },
});

/** A publisher's claim that a transaction has minted a press, and the outcome of the claim. The record is stored for a day. */
export const mintRecord = makeRecord("mint", toKey("byClaim", ["id"], ["txHash"]), {
  id: paddedId,
  txHash: { type: "string", required: true },
  wallet: { type: "string", required: true },
  /**
   * The state of the mint claim: `pending` after the claim is accepted, and `done` once the press is live. A mint claim is also `done` if
   * another transaction has made the press live.
   */
  state: { type: ["pending", "refused", "done"] as const, required: true },
  /** The code with which the mint claim was refused. */
  code: { type: "string" },
  expiresAt: { type: "number", required: true },
});

/** One of a press's slots for unfinished mint claims, and the claim that uses this slot. */
export const mintSlotRecord = makeRecord("mintSlot", toKey("byPress", ["id"], ["slot"]), {
  id: paddedId,
  slot: { type: "number", required: true },
  txHash: { type: "string", required: true },
  /** The time in milliseconds when the mint claim was accepted. The queue's message about the mint claim contains the same time. */
  since: { type: "number", required: true },
  /** The time in milliseconds after which the queue's message about the mint claim counts as lost, and the slot is free. */
  dueAt: { type: "number", required: true },
  expiresAt: { type: "number", required: true },
});

/** A mint transaction that has made a press live. A mint transaction can make only one press live. */
export const mintedRecord = makeRecord("minted", toKey("byTransaction", ["txHash"]), {
  txHash: { type: "string", required: true },
  id: { type: "number", required: true },
});

/** One complete audit of a press. The number of the audit is the number of its run, so runs without a result leave gaps in the numbers. */
export const auditRecord = makeRecord("audit", toKey("byPress", ["id"], ["number"]), {
  id: paddedId,
  number: { type: "number", required: true, padding: { length: 3, char: "0" } },
  revision: { type: "number", required: true },
  /** The run that has made the audit. With this field, a repeated step of the run recognises the audit that the run has already stored. */
  run: { type: "string", required: true },
  /** The stored report, parsed with `AuditReport` when it is read. */
  report: { type: "any", required: true },
  /** The publisher's answers to the findings, stored apart from the report, so that the bytes of the report never change. */
  disputes: {
    type: "list",
    items: {
      type: "map",
      properties: {
        issue: { type: "number", required: true },
        text: { type: "string", required: true },
        at: { type: "string", required: true },
      },
    },
  },
  /** How often the publisher's answers were changed. */
  disputeChanges: { type: "number" },
});

/** The vote of a wallet on a press. Only the wallet's newest vote on the chain is stored (specification §4.6, rule 3). */
export const voteRecord = {
  model: makeEntityModel("vote"),
  attributes: {
    pressId: { type: "number", required: true },
    wallet: { type: "string", required: true },
    value: { type: "number", required: true },
    /** An empty text for a vote without a tag. */
    tag: { type: "string", required: true },
    txHash: { type: "string", required: true },
    /**
     * The block and the index of the transaction. The block and the index are padded with zeros, so that later transactions sort after
     * earlier transactions.
     */
    position: { type: "string", required: true },
    /** The time when the vote was cast, in ISO 8601. */
    at: { type: "string", required: true },
    /** Whether the wallet had unlocked the press when the vote was last recorded. */
    reader: { type: "boolean" },
    /**
     * The fees by which the vote is weighted, and the wallet's fee for this press, both in USDG base units. Both amounts are set only if
     * the wallet had unlocked the press.
     */
    fees: { type: "number" },
    ownFee: { type: "number" },
    /** Facts about the press that never change, stored for the wallet's history. */
    slug: { type: "string", required: true },
    headline: { type: "string", required: true },
    stock: { type: "string", required: true },
  },
  indexes: {
    byPress: makePrimaryKey(["pressId"], ["wallet"]),
    byVoter: gsi2(["wallet"], ["at", "position"]),
  },
} as const;
export type VoteItem = ItemOf<typeof voteRecord>;

/** The auditor's verdict on a live press. The verdict is sent to the chain, posted on the chain, or refused. */
export const verdictRecord = makeRecord("verdict", toKey("byPress", ["id"]), {
  /** The id of the press. */
  id: paddedId,
  /** A `sent` verdict is in a stored transaction; a `refused` verdict was never sent, or was reverted (record.ts). */
  state: { type: ["sent", "posted", "refused"] as const, required: true },
  /** The auditor's wallet, which gives the verdict. */
  auditor: { type: "string", required: true },
  /** The feedback file, whose hash is on the chain. The field is missing if the chain refused the transaction with the verdict. */
  file: { type: "string" },
  /** The stored transaction of the verdict, while the verdict's state is `sent` (core/relayer). */
  transaction: { type: "string" },
  /** The transaction of a posted verdict. */
  txHash: { type: "string" },
  /** The reason why the verdict was refused, as the registry gives it. */
  reason: { type: "string" },
  /** The time of the last change, in ISO 8601. */
  changedAt: { type: "string", required: true },
});
export type VerdictItem = ItemOf<typeof verdictRecord>;
