import { gsi1, type ItemOf, makeEntityModel, makePrimaryKey, makeRecord, toKey } from "./keys.ts";

const attributes = {
  tokenHash: { type: "string", required: true },
  /** The name under which the session's wallet sees the session in its list. The session's name gives no access to the session. */
  id: { type: "string", required: true },
  wallet: { type: "string", required: true },
  /**
   * The way in which the session was opened: by a sign-in or by a payment. A session that was opened by a payment cannot publish; a session
   * from a sign-in can (design §4).
   */
  origin: { type: ["sign-in", "payment"] as const, required: true },
  createdAt: { type: "string", required: true },
  /** Seconds since the epoch. */
  expiresAt: { type: "number", required: true },
} as const;

/** A session, stored under the SHA-256 of its token, so that the table's content cannot be used to sign in. */
export const sessionRecord = {
  model: makeEntityModel("session"),
  attributes,
  indexes: { byToken: makePrimaryKey(["tokenHash"]) },
} as const;
export type SessionItem = ItemOf<typeof sessionRecord>;

/**
 * A copy of a session, stored under the session's wallet. The list of sessions uses these copies and not an index. An index would list a
 * new session a moment late, and a wallet cannot end a session that is not listed.
 */
export const listedSessionRecord = {
  model: makeEntityModel("listedSession"),
  attributes,
  indexes: { ofWallet: makePrimaryKey(["wallet"], ["id"]) },
} as const;

/** A sign-in message that waits for its signature. The record is deleted when the message is verified with its signature. */
export const nonceRecord = makeRecord("nonce", toKey("byNonce", ["nonce"]), {
  nonce: { type: "string", required: true },
  wallet: { type: "string", required: true },
  /** The text of the EIP-4361 message, against which the signature is verified. */
  message: { type: "string", required: true },
  /** Seconds since the epoch. */
  expiresAt: { type: "number", required: true },
});

/** The part of a daily limit that a wallet has used on a UTC day. */
export const quotaRecord = makeRecord("quota", toKey("byDay", ["wallet"], ["kind", "day"]), {
  wallet: { type: "string", required: true },
  kind: { type: ["draft", "generation", "profile"] as const, required: true },
  /** `YYYY-MM-DD`. */
  day: { type: "string", required: true },
  used: { type: "number", required: true },
  expiresAt: { type: "number", required: true },
});

/**
 * The cost of model calls on a UTC day, counted separately for three kinds of budgets: the budget of a wallet, the budget of all new
 * wallets, and the budget of the whole service. Costs are in millionths of a US dollar. Unfinished calls are counted at their highest
 * possible cost.
 */
export const spendRecord = makeRecord("spend", toKey("byDay", ["owner"], ["day"]), {
  owner: { type: "string", required: true },
  /** `YYYY-MM-DD`. */
  day: { type: "string", required: true },
  spent: { type: "number", required: true },
  /** The cost of model calls that gave no usable answer. The cost of failed calls has a separate limit and is charged to no wallet. */
  wasted: { type: "number", required: true },
  expiresAt: { type: "number", required: true },
});

/**
 * The last id that was given to a press. A failed save leaves a harmless gap in the ids. With a lock that all saves share, the ids would
 * have no gaps, but every save would be slower.
 */
export const counterRecord = makeRecord("counter", toKey("byName", ["name"]), {
  name: { type: ["press", "generation"] as const, required: true },
  last: { type: "number", required: true },
});

/**
 * The cost of the calls that one IP address has made in one window of time. The limit of an IP address applies to each window of time
 * separately.
 */
export const relayUseRecord = makeRecord("relayUse", toKey("byWindow", ["address", "window"]), {
  address: { type: "string", required: true },
  /** The start of the window in seconds since the Unix epoch. */
  window: { type: "number", required: true },
  used: { type: "number", required: true },
  expiresAt: { type: "number", required: true },
});

/**
 * The newest block that changed a wallet's funds or approval. The service learns of a change of funds or approval only if the RPC relay
 * returns the transaction's receipt to a caller.
 */
export const fundsChangeRecord = makeRecord("fundsChange", toKey("byHolder", ["holder"]), {
  /** The address of the wallet in lower case. */
  holder: { type: "string", required: true },
  block: { type: "number", required: true },
  /** The number of payments that have waited for a node to show this block. */
  waits: { type: "number", required: true },
  /** Seconds since the epoch. */
  expiresAt: { type: "number", required: true },
});

/**
 * An errand is a transaction that the service sends for a wallet: a move of the wallet's USDG, or the ETH for a vote. An errand's gas is
 * paid from the part of the wallet's fees that is not used up yet. The record holds the wallet's last errand and the cost of all errands of
 * the wallet so far. The record is never deleted.
 */
export const errandRecord = {
  model: makeEntityModel("errand"),
  attributes: {
    // The errand of a wallet has a separate partition of the table, so that code that sends transactions for a wallet cannot write any
    // other data of the wallet.
    wallet: { type: "string", required: true, label: "sender" },
    kind: { type: ["move", "vote"] as const, required: true },
    /** The field with which the reconciler finds errands that have not ended. The field is removed when the errand ends. */
    pending: { type: ["errand"] as const },
    /** The name of the only attempt that may change the record until the errand has ended. */
    claim: { type: "string", required: true },
    /** The time in milliseconds at which a claim expires if no transaction was stored. */
    claimUntil: { type: "number", required: true },
    /** `sent`: the errand is in a stored transaction; `failed`: the errand has ended without any effect. */
    state: { type: ["claimed", "sent", "done", "failed"] as const, required: true },
    relayer: { type: "string", required: true },
    /** The mark that distinguishes the errand from other errands of the wallet: the digest of a move, or the press of a vote. */
    what: { type: "string", required: true },
    to: { type: "string", required: true },
    /** The amount of the errand, in USDG base units or wei. Numbers from the chain are stored as decimal texts. */
    amount: { type: "string", required: true },
    /** The time after which the errand is not sent any more, in seconds since the Unix epoch. */
    until: { type: "string", required: true },
    /** The message that the wallet has signed for a move also contains these two fields. */
    validAfter: { type: "string" },
    nonce: { type: "string" },
    /** The transaction by which the errand was carried out or will be carried out. */
    txHash: { type: "string" },
    /** The price of one ETH and the maximum cost of this errand, both in USDG base units, at the time when the errand was checked. */
    ethPrice: { type: "number", required: true },
    reserved: { type: "number", required: true },
    /** The cost of all errands of the wallet, including the reserve of the last errand, in USDG base units. */
    spent: { type: "number", required: true },
    /** The presses for which the service has sent ETH for a vote to the wallet. Each press occurs only once in the list. */
    given: { type: "list", items: { type: "number" } },
    /** The transfers of ETH for those votes that the service has not yet seen. A transfer that has failed is not in the list. */
    gifts: {
      type: "list",
      items: {
        type: "map",
        properties: {
          pressId: { type: "number", required: true },
          wei: { type: "string", required: true },
          txHash: { type: "string", required: true },
        },
      },
    },
    /**
     * The unspent ETH, in wei, for votes that the service has already seen: the service sent this ETH, and the wallet has not spent it on
     * these votes. The number is negative if these votes have also spent ETH that was sent for other votes.
     */
    owed: { type: "string" },
  },
  indexes: { byWallet: makePrimaryKey(["wallet"]), underWay: gsi1(["pending"], ["claimUntil"]) },
} as const;
export type ErrandItem = ItemOf<typeof errandRecord>;

/** The outbox's name for an errand. `until`: seconds since the Unix epoch. */
export function makeErrandName({ wallet, until }: Pick<ErrandItem, "wallet" | "until">): string {
  return `errand ${until} ${wallet}`;
}

/** Whether the errand with the given name may still be carried out; `undefined` if the name is not the name of an errand. */
export function isErrandDue(name: string, now: number): boolean | undefined {
  const [kind, until] = name.split(" ");
  return kind === "errand" ? Number(until) * 1000 > now : undefined;
}
