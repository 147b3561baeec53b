import { gsi1, type ItemOf, model, primary } from "./keys.ts";

const attributes = {
  tokenHash: { type: "string", required: true },
  /** The public name of the session for its wallet; it gives no access. */
  id: { type: "string", required: true },
  wallet: { type: "string", required: true },
  /** How the session was opened: a payment proves a permit, not a sign-in, so its session does not publish (design §4). */
  origin: { type: ["sign-in", "payment"] as const, required: true },
  createdAt: { type: "string", required: true },
  /** Seconds since the epoch. */
  expiresAt: { type: "number", required: true },
} as const;

/** A session under the SHA-256 of its token, so that the table cannot be used to sign in. */
export const sessionRecord = {
  model: model("session"),
  attributes,
  indexes: { byToken: primary(["tokenHash"]) },
} as const;
export type SessionItem = ItemOf<typeof sessionRecord>;

/** The same session under its wallet. An index would show a new session a moment late, and a session that is not seen cannot be ended. */
export const listedSessionRecord = {
  model: model("listedSession"),
  attributes,
  indexes: { ofWallet: primary(["wallet"], ["id"]) },
} as const;

/** A sign-in message that waits for its signature. Deleted by the verification that uses it. */
export const nonceRecord = {
  model: model("nonce"),
  attributes: {
    nonce: { type: "string", required: true },
    wallet: { type: "string", required: true },
    /** The EIP-4361 text; the stored text is the one that is verified. */
    message: { type: "string", required: true },
    /** Seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byNonce: primary(["nonce"]),
  },
} as const;

/** A wallet's use of a daily limit. UTC days. */
export const quotaRecord = {
  model: model("quota"),
  attributes: {
    wallet: { type: "string", required: true },
    kind: { type: ["draft", "generation", "profile"] as const, required: true },
    /** `YYYY-MM-DD`. */
    day: { type: "string", required: true },
    used: { type: "number", required: true },
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byDay: primary(["wallet"], ["kind", "day"]),
  },
} as const;

/**
 * The cost of the model's calls on a UTC day, for each budget: a wallet's, the common one of new wallets, and the whole service's. In
 * millionths of a US dollar; calls under way are included at their highest possible cost.
 */
export const spendRecord = {
  model: model("spend"),
  attributes: {
    owner: { type: "string", required: true },
    /** `YYYY-MM-DD`. */
    day: { type: "string", required: true },
    spent: { type: "number", required: true },
    /** The cost of calls that failed through the model's fault: it has its own limit and counts for no wallet. */
    wasted: { type: "number", required: true },
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byDay: primary(["owner"], ["day"]),
  },
} as const;

/** The last id given out. A failed save leaves a gap, which is harmless; a shared lock would not be. */
export const counterRecord = {
  model: model("counter"),
  attributes: {
    name: { type: ["press", "generation"] as const, required: true },
    last: { type: "number", required: true },
  },
  indexes: {
    byName: primary(["name"]),
  },
} as const;

/** The cost of one address's calls in one window of its allowance. */
export const relayUseRecord = {
  model: model("relayUse"),
  attributes: {
    address: { type: "string", required: true },
    /** Seconds since the epoch at which the window began. */
    window: { type: "number", required: true },
    used: { type: "number", required: true },
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byWindow: primary(["address", "window"]),
  },
} as const;

/** The newest block that has changed a wallet's funds or approval, of those blocks whose receipts we have relayed. */
export const fundsChangeRecord = {
  model: model("fundsChange"),
  attributes: {
    /** The wallet, lower-case. */
    holder: { type: "string", required: true },
    block: { type: "number", required: true },
    /** Payments that have waited for a node to show this block. */
    waits: { type: "number", required: true },
    /** Seconds since the epoch. */
    expiresAt: { type: "number", required: true },
  },
  indexes: {
    byHolder: primary(["holder"]),
  },
} as const;

/**
 * An errand: something that we send for a wallet at our gas, paid from the rest of its fees: a move of its USDG, or the ETH for a vote. The
 * record has the last errand, and the cost of all so far. Never deleted.
 */
export const errandRecord = {
  model: model("errand"),
  attributes: {
    // In a partition of its own, so that code that sends for a wallet can write nothing else of that wallet.
    wallet: { type: "string", required: true, label: "sender" },
    kind: { type: ["move", "vote"] as const, required: true },
    /** For the reconciler: present until the errand has ended. */
    pending: { type: ["errand"] as const },
    /** The attempt that owns the record until the errand has ended. */
    claim: { type: "string", required: true },
    /** Milliseconds: a claim that has stored no transaction by then is void. */
    claimUntil: { type: "number", required: true },
    /** `sent`: in a stored transaction; `failed`: without any effect. */
    state: { type: ["claimed", "sent", "done", "failed"] as const, required: true },
    relayer: { type: "string", required: true },
    /** What distinguishes the errand from the wallet's others: the digest of a move, the press of a vote. */
    what: { type: "string", required: true },
    to: { type: "string", required: true },
    /** USDG base units, or wei. Numbers of the chain are decimal texts. */
    amount: { type: "string", required: true },
    /** Seconds since the epoch: from then on the errand is not sent any more. */
    until: { type: "string", required: true },
    /** The other fields that a move's wallet has signed. */
    validAfter: { type: "string" },
    nonce: { type: "string" },
    /** The transaction that has carried out the errand, or is going to. */
    txHash: { type: "string" },
    /** The price of an ETH, and the most that this errand may cost, as of its judgement. USDG base units. */
    ethPrice: { type: "number", required: true },
    reserved: { type: "number", required: true },
    /** The cost of all errands of the wallet, including the reserve of this one. USDG base units. */
    spent: { type: "number", required: true },
    /** The presses for whose votes ETH was sent, each only once. */
    given: { type: "list", items: { type: "number" } },
    /** The last press for whose vote ETH was sent. */
    gift: {
      type: "map",
      properties: {
        pressId: { type: "number", required: true },
        wei: { type: "string", required: true },
        txHash: { type: "string", required: true },
      },
    },
    /** The ETH that the votes before that one have not spent, in wei. */
    owed: { type: "string" },
  },
  indexes: { byWallet: primary(["wallet"]), underWay: gsi1(["pending"], ["claimUntil"]) },
} as const;
export type ErrandItem = ItemOf<typeof errandRecord>;

/** The outbox's name for an errand. `until`: seconds since the epoch. */
export function errandName({ wallet, until }: Pick<ErrandItem, "wallet" | "until">): string {
  return `errand ${until} ${wallet}`;
}

/** Whether an errand may still be carried out; `undefined` for the name of something else. */
export function isErrandDue(name: string, now: number): boolean | undefined {
  const [kind, until] = name.split(" ");
  return kind === "errand" ? Number(until) * 1000 > now : undefined;
}
