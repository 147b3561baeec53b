import { type ItemOf, makeRecord, toKey } from "./keys.ts";

/**
 * The kinds of entries in a wallet's list: authors that the wallet follows, stocks that the wallet follows, and articles to read later. An
 * author is named by wallet, a stock by ticker, and an article by slug.
 */
const followKinds = ["author", "stock", "saved"] as const;

/** An author, a stock or an article in a wallet's list. If the wallet removes an entry, the entry's item is deleted. */
export const followRecord = makeRecord("follow", toKey("byWallet", ["wallet"], ["kind", "target"]), {
  // The entries of a wallet's list have a separate partition of the table, so that code with rights to the wallet's other data cannot read
  // or write the list.
  wallet: { type: "string", required: true, label: "follower" },
  kind: { type: followKinds, required: true },
  target: { type: "string", required: true },
  /** The name under which the site showed the author, stock or article to the wallet. */
  name: { type: "string", required: true },
  /** The revision of the wallet's list in which the entry was added. */
  revision: { type: "number", required: true },
});

/** The main record of a wallet's list. Each change of the list raises the revision, so that changes from two devices have an order. */
export const followListRecord = makeRecord("followlist", toKey("byWallet", ["wallet"]), {
  wallet: { type: "string", required: true, label: "follower" },
  revision: { type: "number", required: true },
  /** The number of authors and stocks in the list, and the number of articles in the list. */
  follows: { type: "number", required: true },
  saved: { type: "number", required: true },
  /** The newest removals from the list. A device that has missed one of the stored removals cannot add the removed entry again. */
  removed: {
    type: "list",
    items: {
      type: "map",
      properties: {
        key: { type: "string", required: true },
        revision: { type: "number", required: true },
      },
    },
    required: true,
  },
});

/**
 * A copy of a list entry, stored under the followed author or stock (`author:0x…` or `stock:AAPL`). The copy of a list entry is a separate
 * item and not an entry of an index, because public routes are allowed to read indexes, and lists are private.
 */
export const followerRecord = makeRecord("follower", toKey("byFollowed", ["followed"], ["wallet"]), {
  followed: { type: "string", required: true },
  wallet: { type: "string", required: true },
});

/**
 * The number of followers of an author or a stock. This number of followers and the follower's list are changed in one table transaction.
 */
export const followersRecord = makeRecord("followers", toKey("byFollowed", ["followed"]), {
  followed: { type: "string", required: true },
  count: { type: "number", required: true },
});

/**
 * A wallet's private feed address. The feed address contains a secret token. Only the token's SHA-256 is stored, once under the wallet and
 * once under this hash.
 */
export const privateFeedRecord = makeRecord("privatefeed", toKey("byWallet", ["wallet"]), {
  wallet: { type: "string", required: true, label: "follower" },
  hash: { type: "string", required: true },
});

export const feedTokenRecord = makeRecord("feedtoken", toKey("byHash", ["hash"]), {
  hash: { type: "string", required: true, label: "feedToken" },
  wallet: { type: "string", required: true },
});

/** The browsers in which a wallet gets notifications of new presses, and the newest presses about which the wallet was notified. */
export const pushRecord = makeRecord("push", toKey("byWallet", ["wallet"]), {
  wallet: { type: "string", required: true, label: "follower" },
  browsers: {
    type: "list",
    items: {
      type: "map",
      properties: {
        /** SHA-256 of the endpoint. */
        hash: { type: "string", required: true },
        endpoint: { type: "string", required: true },
        p256dh: { type: "string", required: true },
        auth: { type: "string", required: true },
        at: { type: "string", required: true },
      },
    },
    required: true,
  },
  told: { type: "list", items: { type: "number" } },
  revision: { type: "number", required: true },
});
export type PushBrowser = ItemOf<typeof pushRecord>["browsers"][number];

/** The record stores the wallet to which a browser's endpoint belongs, under the SHA-256 of the endpoint. */
export const pushOwnerRecord = makeRecord("pushowner", toKey("byHash", ["hash"]), {
  hash: { type: "string", required: true, label: "pushEndpoint" },
  wallet: { type: "string", required: true },
});
