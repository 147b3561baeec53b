import { type ItemOf, model, primary } from "./keys.ts";

/** What a wallet may keep in its list: authors by wallet and stocks by ticker to follow, and articles by slug to read later. */
const followKinds = ["author", "stock", "saved"] as const;

/** An author, a stock or an article that a wallet keeps. Deleted with the wallet's interest, so that no trace of it stays. */
export const followRecord = {
  model: model("follow"),
  attributes: {
    // In a partition of its own, so that code with rights to a wallet's other data cannot reach its follows.
    wallet: { type: "string", required: true, label: "follower" },
    kind: { type: followKinds, required: true },
    target: { type: "string", required: true },
    /** The name under which the wallet saw it. */
    name: { type: "string", required: true },
    /** The revision of the wallet's list that added the entry. */
    revision: { type: "number", required: true },
  },
  indexes: { byWallet: primary(["wallet"], ["kind", "target"]) },
} as const;

/** The head of a wallet's list: each change raises its revision, so that changes of two devices have an order. */
export const followListRecord = {
  model: model("followlist"),
  attributes: {
    wallet: { type: "string", required: true, label: "follower" },
    revision: { type: "number", required: true },
    /** How many authors and stocks, and how many articles. */
    follows: { type: "number", required: true },
    saved: { type: "number", required: true },
    /** The newest removals, so that a device that has missed one does not add the entry again. */
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
  },
  indexes: { byWallet: primary(["wallet"]) },
} as const;

/**
 * The same follow, under the author or stock that is followed: `author:0x…` or `stock:AAPL`. Not in an index, because open routes may read
 * those.
 */
export const followerRecord = {
  model: model("follower"),
  attributes: {
    followed: { type: "string", required: true },
    wallet: { type: "string", required: true },
  },
  indexes: { byFollowed: primary(["followed"], ["wallet"]) },
} as const;

/** How many followers an author or a stock has: changed in the transaction of each follow. */
export const followersRecord = {
  model: model("followers"),
  attributes: {
    followed: { type: "string", required: true },
    count: { type: "number", required: true },
  },
  indexes: { byFollowed: primary(["followed"]) },
} as const;

/** A wallet's private feed address, as the SHA-256 of its token, by its wallet and by its token. */
export const privateFeedRecord = {
  model: model("privatefeed"),
  attributes: {
    wallet: { type: "string", required: true, label: "follower" },
    hash: { type: "string", required: true },
  },
  indexes: { byWallet: primary(["wallet"]) },
} as const;

export const feedTokenRecord = {
  model: model("feedtoken"),
  attributes: {
    hash: { type: "string", required: true, label: "feedToken" },
    wallet: { type: "string", required: true },
  },
  indexes: { byHash: primary(["hash"]) },
} as const;

/** The browsers in which a wallet wants to be told of new presses, and the presses that it was told of last. */
export const pushRecord = {
  model: model("push"),
  attributes: {
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
  },
  indexes: { byWallet: primary(["wallet"]) },
} as const;
export type PushBrowser = ItemOf<typeof pushRecord>["browsers"][number];

/** The wallet to which a browser's endpoint belongs, by the SHA-256 of the endpoint. */
export const pushOwnerRecord = {
  model: model("pushowner"),
  attributes: {
    hash: { type: "string", required: true, label: "pushEndpoint" },
    wallet: { type: "string", required: true },
  },
  indexes: { byHash: primary(["hash"]) },
} as const;
