import { gsi1, gsi2, gsi3, type ItemOf, model, paddedId, primary } from "./keys.ts";

const count = { type: "number" } as const;

/**
 * A press without its text. Everything but `votesUp`, `votesDown`, `readerUp`, `readerDown`, `tags`, the reads, the fees, `earnedUnits` and
 * `auditTx` is frozen once it is live (design §3), except what its author may still change: the price, the notes and the listing. Caches
 * show such a change only when their short times are over.
 */
export const pressRecord = {
  model: model("press"),
  attributes: {
    /** Padded in keys, so that they sort as numbers do. */
    id: paddedId,
    publisher: { type: "string", required: true },
    status: { type: ["draft", "revise", "rejected", "approved", "live"] as const, required: true },
    headline: { type: "string", required: true },
    preview: { type: "string", required: true },
    stock: { type: "string", required: true },
    publisherName: { type: "string", required: true },
    /** USDG base units, decimal. */
    priceUnits: { type: "string", required: true },
    readMinutes: { type: "number", required: true },
    /** keccak256 of the text's UTF-8 bytes. */
    contentHash: { type: "string", required: true },
    /** The fingerprint by which copies of the text are found (`makeSketch`); removed when the press goes live. */
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
    /** Grows with every save: an audit of an older text does not count for a newer text. */
    revision: { type: "number", required: true },

    auditCount: { type: "number", required: true },
    /** The run that holds the press for auditing, and when (ms) its hold lapses. */
    auditRun: { type: "string" },
    auditRunUntil: { type: "number" },
    /** The revision that this run asks the model about: present from the moment the run counts until its end. */
    auditAsked: { type: "number" },
    audit: {
      type: "map",
      properties: {
        verdict: { type: ["approve", "revise", "reject"] as const, required: true },
        score: { type: "number", required: true },
        summary: { type: "string", required: true },
        engine: { type: "string", required: true },
        auditedAt: { type: "string", required: true },
        /** Findings by severity, for the severities that a live press can have. Older audits lack this field. */
        found: { type: "map", properties: { low: count, medium: count } },
      },
    },
    publisherHolds: { type: "boolean" },

    /** Set when the press goes live; this key puts it on the public lists. */
    shelf: { type: ["live"] as const },
    stockShelf: { type: "string" },
    slug: { type: "string" },
    /** The ERC-8004 agent id; 0 is a valid id. */
    pressId: { type: "number" },
    publishedAt: { type: "string" },
    priceAtPublish: { type: "number" },
    mintTx: { type: "string" },
    /** ISO 8601: until then the author is new here. Removed when the author's third press goes live. */
    newUntil: { type: "string" },
    /** Whether another wallet's byline looks like this one, or this one names nobody (core/byline). Never removed. */
    bylineAmbiguous: { type: "boolean" },
    auditTx: { type: "string" },

    /**
     * The author's later changes: dated notes, the time of the last price change, the time of unlisting, and how many changes there were.
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
    /** Votes by tag; a tag that has lost its last vote stays at 0. */
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
    /** Reads by wallets other than the publisher's and the owner's, and their fees in USDG base units. */
    otherReads: { type: "number" },
    readFees: { type: "number" },
    /** The fees behind readers' votes (core/rank), and the fees for this press by the wallets of those votes. USDG base units. */
    upFees: { type: "number" },
    downFees: { type: "number" },
    voterFees: { type: "number" },
    /** USDG base units that readers have paid to its owners: the settled amounts, whatever split and price are now. */
    earnedUnits: { type: "number" },
  },
  indexes: {
    byId: primary(["id"]),
    live: gsi1(["shelf"], ["publishedAt", "slug"]),
    liveByStock: gsi2(["stockShelf"], ["publishedAt", "slug"]),
    // Read together with the publisher's own description.
    byPublisher: { ...gsi3(["publisher"], ["id"]), collection: "author" },
  },
} as const;
export type PressItem = ItemOf<typeof pressRecord>;

/** The description of the author on the author's page. */
export const profileRecord = {
  model: model("profile"),
  attributes: {
    publisher: { type: "string", required: true },
    /** Plain text, possibly empty. */
    text: { type: "string", required: true },
    link: { type: "string" },
  },
  indexes: {
    byWallet: primary(["publisher"]),
    byPublisher: { ...gsi3(["publisher"], []), collection: "author" },
  },
} as const;

/** The text of a press, apart from it so that lists never carry texts. */
export const bodyRecord = {
  model: model("body"),
  attributes: {
    // In a partition of its own, so that code with the right to read presses cannot read the texts that they sell.
    id: { ...paddedId, label: "textOf" },
    revision: { type: "number", required: true },
    /** Markdown, byte for byte as it was saved. */
    body: { type: "string", required: true },
  },
  indexes: {
    byPress: primary(["id"]),
  },
} as const;

/**
 * The press of an onchain identity, written in the transaction that makes the press live. It carries the facts that a payment needs, so
 * that one read by agent id finds them. Price and listing change with the press's, in one transaction.
 */
export const agentRecord = {
  model: model("agent"),
  attributes: {
    pressId: { type: "number", required: true },
    id: { type: "number", required: true },
    priceUnits: { type: "string", required: true },
    slug: { type: "string", required: true },
    headline: { type: "string", required: true },
    stock: { type: "string", required: true },
    publisher: { type: "string", required: true },
    /** Earlier prices in USDG base units, the oldest first, by which payments of their time are recognised. */
    formerPrices: { type: "list", items: { type: "string" } },
    /** ISO 8601: the time since which no new fee is taken. */
    unlistedAt: { type: "string" },
  },
  indexes: {
    byPressId: primary(["pressId"]),
  },
} as const;
export type AgentItem = ItemOf<typeof agentRecord>;

/**
 * A run of five words, by its hash, with the first live press that had it. Copies of that press are found by such runs. Written in the
 * transaction that makes the press live, and never changed.
 */
export const runRecord = {
  model: model("run"),
  attributes: {
    hash: { type: "string", required: true },
    id: { type: "number" },
    publisher: { type: "string" },
    headline: { type: "string" },
    /** How many different runs the press has. */
    size: { type: "number" },
  },
  indexes: {
    byHash: primary(["hash"]),
  },
} as const;

/** A byline as readers see it (`looksOf` in core/byline), with the first wallet whose press went live under it. */
export const bylineRecord = {
  model: model("byline"),
  attributes: {
    looks: { type: "string", required: true },
    wallet: { type: "string", required: true },
    /** The wallet's presses that went live under it before another wallet's did. */
    presses: { type: "number", required: true },
    /** Whether another wallet has published under the byline, and whether the first wallet's presses say so. */
    shared: { type: "boolean" },
    marked: { type: "boolean" },
  },
  indexes: {
    byLooks: primary(["looks"]),
  },
} as const;
export type BylineItem = ItemOf<typeof bylineRecord>;

/** A wallet that has made a press live: it has a larger model budget than a wallet that never did. */
export const publisherRecord = {
  model: model("publisher"),
  attributes: {
    wallet: { type: "string", required: true },
    /** When its latest press was found live: ISO 8601. */
    publishedAt: { type: "string", required: true },
  },
  indexes: {
    byWallet: primary(["wallet"]),
  },
} as const;

/** A publisher's claim that a transaction minted a press, and its outcome. Kept for a day. */
export const mintRecord = {
  model: model("mint"),
  attributes: {
    id: paddedId,
    txHash: { type: "string", required: true },
    wallet: { type: "string", required: true },
    /** `pending` from the moment the claim is accepted; `done` once the press is live, whichever transaction made it so. */
    state: { type: ["pending", "refused", "done"] as const, required: true },
    /** The code of a refusal. */
    code: { type: "string" },
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byClaim: primary(["id"], ["txHash"]),
  },
} as const;

/** One of the slots that a press has for claims under way, and the claim in it. */
export const mintSlotRecord = {
  model: model("mintSlot"),
  attributes: {
    id: paddedId,
    slot: { type: "number", required: true },
    txHash: { type: "string", required: true },
    /** Milliseconds: when the claim was accepted. Its message names the same moment. */
    since: { type: "number", required: true },
    /** Milliseconds: a claim that is still here then has lost its message, and its slot is free. */
    dueAt: { type: "number", required: true },
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byPress: primary(["id"], ["slot"]),
  },
} as const;

/** A mint transaction that has made a press live: it serves for one press only. */
export const mintedRecord = {
  model: model("minted"),
  attributes: {
    txHash: { type: "string", required: true },
    id: { type: "number", required: true },
  },
  indexes: {
    byTransaction: primary(["txHash"]),
  },
} as const;

/** One audit of a press, whole. Numbered by the count of its run; runs without a result leave gaps. */
export const auditRecord = {
  model: model("audit"),
  attributes: {
    id: paddedId,
    number: { type: "number", required: true, padding: { length: 3, char: "0" } },
    revision: { type: "number", required: true },
    /** The run that made the audit, so that a repeated step finds its own work. */
    run: { type: "string", required: true },
    /** The stored report, parsed with `AuditReport` when it is read. */
    report: { type: "any", required: true },
    /** The publisher's answers to the findings, kept apart so that the bytes of the report never change. */
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
    /** How often the answers were changed. */
    disputeChanges: { type: "number" },
  },
  indexes: {
    byPress: primary(["id"], ["number"]),
  },
} as const;

/** The one vote of a wallet on a press: its newest on the chain (specification §4.6, rule 3). */
export const voteRecord = {
  model: model("vote"),
  attributes: {
    pressId: { type: "number", required: true },
    wallet: { type: "string", required: true },
    value: { type: "number", required: true },
    /** Empty for none. */
    tag: { type: "string", required: true },
    txHash: { type: "string", required: true },
    /** Block and index of the transaction, padded so that later ones sort after earlier ones. */
    position: { type: "string", required: true },
    /** When the vote was cast: ISO 8601. */
    at: { type: "string", required: true },
    /** Whether the wallet had unlocked the press when the vote was last recorded. */
    reader: { type: "boolean" },
    /** If it had unlocked the press, the fees that its vote counts with, and the fee for this press. USDG base units. */
    fees: { type: "number" },
    ownFee: { type: "number" },
    /** Frozen facts of the press, for the history. */
    slug: { type: "string", required: true },
    headline: { type: "string", required: true },
    stock: { type: "string", required: true },
  },
  indexes: {
    byPress: primary(["pressId"], ["wallet"]),
    byVoter: gsi2(["wallet"], ["at", "position"]),
  },
} as const;
export type VoteItem = ItemOf<typeof voteRecord>;

/** The auditor's verdict on a live press, on its way to the chain or posted. */
export const verdictRecord = {
  model: model("verdict"),
  attributes: {
    /** The press. */
    id: paddedId,
    /** `sent` is in a stored transaction; `refused` was never sent, or was reverted (record.ts). */
    state: { type: ["sent", "posted", "refused"] as const, required: true },
    /** The wallet that gives the verdict. */
    auditor: { type: "string", required: true },
    /** The feedback file, of whose bytes the chain has the hash; absent if the verdict was refused. */
    file: { type: "string" },
    /** The stored transaction of the verdict, while its state is `sent` (core/relayer). */
    transaction: { type: "string" },
    /** The transaction of a posted verdict. */
    txHash: { type: "string" },
    /** Why the verdict was refused, in the words of the registry. */
    reason: { type: "string" },
    /** ISO 8601. */
    changedAt: { type: "string", required: true },
  },
  indexes: {
    byPress: primary(["id"]),
  },
} as const;
export type VerdictItem = ItemOf<typeof verdictRecord>;
