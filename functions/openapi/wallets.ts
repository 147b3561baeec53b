import type { Settings } from "../../core/port/settings.ts";
import { allowance, allowedMethods, batchLimit, costs, gasLimit } from "../../core/rpc/schema.ts";
import { voteTags } from "../../core/vote/schema.ts";
import {
  article,
  feeTx,
  press,
  pressId,
  publisher,
  publisherTx,
  reader,
  refusal,
  refused,
  slug,
  time,
  voteTx,
} from "./sample.ts";
import type { Operations, Parameter } from "./schemas.ts";

const nonce = "c0ffee1de5ca1ab1e0ddba11f00dcafe";
const signature = `0x${"1b".repeat(65)}`;
const session = {
  id: "5e551e5e551e5e551e5e551e5e551e00",
  origin: "payment",
  createdAt: time,
  expiresAt: "2026-12-20T12:00:00.000Z",
  current: true,
} as const;
const cookie = { "set-cookie": { description: "The session.", always: true } } as const;

/** A wallet's session (specification §4.2). */
export function signingIn({
  origin,
}: Settings): Pick<
  Operations,
  "auth-nonce" | "auth-verify" | "me" | "auth-logout" | "sessions" | "sessions-end"
> {
  const ownOrigin: Readonly<Record<string, Parameter>> = {
    origin: {
      description: "Must be the site's own.",
      schema: { type: "string", const: origin },
    },
  };
  return {
    "auth-nonce": {
      tag: "Signing in",
      summary: "Get the message to sign",
      description: "Valid once, for ten minutes.",
      headers: ownOrigin,
      body: "NonceInput",
      answers: { 200: { description: "What to sign.", schema: "Challenge" } },
      examples: {
        challenge: {
          summary: "A wallet asks",
          headers: { origin },
          body: { address: reader },
          status: 200,
          answer: {
            nonce,
            message: `${new URL(origin).host} wants you to sign in with your Ethereum account:\n…`,
          },
        },
      },
    },
    "auth-verify": {
      tag: "Signing in",
      summary: "Exchange the signature for a session",
      description: "personal_sign over the exact message; contract wallets are verified onchain.",
      headers: ownOrigin,
      body: "VerifyInput",
      answers: { 200: { description: "Signed in.", schema: "SignedIn", headers: cookie } },
      refusals: {
        401: {
          invalid_nonce: "The nonce is unknown, expired or used.",
          invalid_signature: "The signature does not match.",
        },
        503: { chain_unavailable: "A contract wallet could not be verified; the nonce stays valid." },
      },
      examples: {
        signedIn: {
          summary: "The wallet's own signature",
          headers: { origin },
          body: { address: reader, nonce, signature },
          status: 200,
          answer: { address: reader },
        },
        unknownNonce: refusal(
          401,
          "invalid_nonce",
          "This sign-in request is unknown or was already used. Start again.",
          "An unknown nonce",
          { headers: { origin }, body: { address: reader, nonce: "0".repeat(32), signature } },
        ),
      },
    },
    me: {
      tag: "Signing in",
      summary: "Whose session this is",
      description: "Site origin only.",
      answers: { 200: { description: "The wallet, or null without a session.", schema: "Caller" } },
      examples: { nobody: { summary: "Without a session", status: 200, answer: { address: null } } },
    },
    "auth-logout": {
      tag: "Signing in",
      summary: "Sign out",
      description: "Deletes the session and its cookie.",
      answers: { 200: { description: "Signed out.", schema: "SignedOut", headers: cookie } },
      examples: { signedOut: { summary: "With a session", status: 200, answer: { address: null } } },
    },
    sessions: {
      tag: "Signing in",
      summary: "Own sessions",
      description: "Newest first, at most 100. A session from a payment sees only such sessions.",
      answers: { 200: { description: "The sessions.", schema: "SessionList" } },
      examples: {
        reader: { summary: "A reader's", status: 200, answer: { sessions: [session] } },
      },
    },
    "sessions-end": {
      tag: "Signing in",
      summary: "End own sessions",
      description: "One session, or up to 100 others. A session from a payment ends only itself.",
      body: "EndInput",
      answers: {
        200: {
          description: "Ended.",
          schema: "Ended",
          headers: { "set-cookie": { description: "Clears the cookie of a session that ended itself." } },
        },
      },
      refusals: {
        401: { sign_in_required: "A session from a payment ends only itself." },
        404: { unknown_session: "The wallet has no such session." },
      },
      examples: {
        byPayment: refusal(
          401,
          "sign_in_required",
          "Sign in with your wallet to end other sessions: a payment only lets you read.",
          "From a payment's session",
          { body: { others: true } },
        ),
        others: {
          summary: "All but this one",
          body: { others: true },
          status: 200,
          answer: { ended: 2, signedOut: false },
        },
        unknown: refusal(
          404,
          "unknown_session",
          "You have no such session: it may have ended already.",
          "No such session",
          { body: { id: session.id } },
        ),
      },
    },
  };
}

function priceList(): string {
  return Object.entries(costs)
    .map(([method, cost]) => `${method} ${cost}`)
    .join(", ");
}

/** The relay, votes, and what a wallet has done (specification §4.5 to §4.7). */
export function chain({
  chainId,
  treasury,
}: Settings): Pick<Operations, "rpc" | "votes-record" | "history" | "purchases"> {
  const ofPress = { slug, headline: article.headline, stock: article.stock };
  return {
    rpc: {
      tag: "Chain",
      summary: "JSON-RPC relay to the chain",
      description: `JSON-RPC 2.0, one call or a batch of up to ${batchLimit}. Methods: ${allowedMethods.join(", ")}. Error codes: -32601 other method, -32602 parameters refused, -32603 chain unreachable, -32005 answer above 4 MB, and the node's own. Calls run with at most ${gasLimit} gas. Limit: ${allowance.cost} points per address in ${allowance.windowSeconds} seconds (${priceList()}, others 1).`,
      body: ["RpcRequest", "RpcRequests"],
      answers: {
        200: { description: "An answer, or those of a batch.", schema: ["RpcAnswer", "RpcAnswers"] },
        204: { description: "There were notifications only." },
        400: {
          description: `Not JSON (-32700), or no valid request or batch (-32600).`,
          schema: "RpcAnswer",
        },
      },
      refusals: { 429: { relay_limit: "The address has used up its points." } },
      examples: {
        chainId: {
          summary: "Which chain it is",
          body: { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] },
          status: 200,
          answer: { jsonrpc: "2.0", id: 1, result: `0x${chainId.toString(16)}` },
        },
        batch: {
          summary: "Two calls at once",
          body: [
            { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] },
            { jsonrpc: "2.0", id: 2, method: "eth_gasPrice", params: [] },
          ],
          status: 200,
          answer: [
            { jsonrpc: "2.0", id: 1, result: "0x10" },
            { jsonrpc: "2.0", id: 2, result: "0x3b9aca00" },
          ],
        },
        notAvailable: {
          summary: "A method that is not relayed",
          body: { jsonrpc: "2.0", id: 3, method: "eth_getLogs", params: [{}] },
          status: 200,
          answer: {
            jsonrpc: "2.0",
            id: 3,
            error: { code: -32601, message: "Method not available through this endpoint." },
          },
        },
        notification: {
          summary: "A call without an id wants no answer",
          body: { jsonrpc: "2.0", method: "eth_chainId", params: [] },
          status: 204,
        },
      },
    },
    "votes-record": {
      tag: "Chain",
      summary: "Register a confirmed vote",
      description: `The voter calls giveFeedback(pressId, 1 or -1, 0, tag1, "", press URL, "", 0) on the reputation registry. tag1: empty or ${voteTags.join(", ")}. A wallet's newest vote counts; the publisher's never does. The press's readerVotes are of wallets that have unlocked it: a vote from before the purchase joins them when its transaction is recorded again.`,
      body: "RecordInput",
      answers: { 200: { description: "The press's votes with this one.", schema: "Tally" } },
      refusals: {
        400: {
          transaction_unconfirmed: "The chain has not confirmed the transaction.",
          transaction_failed: "It failed.",
          not_a_vote: "It is no vote.",
          invalid_vote_value: "Its value is not 1 or -1.",
        },
        404: { unknown_press: "The press is not listed." },
        503: {
          chain_unavailable: "The chain gives no answer.",
        },
      },
      examples: {
        counted: {
          summary: "A vote for a press",
          body: { txHash: voteTx },
          status: 200,
          answer: { votes: press.votes, tags: press.tags },
        },
        unconfirmed: {
          summary: "An unconfirmed transaction",
          body: { txHash: `0x${"0".repeat(64)}` },
          status: 400,
          answer: {
            ...refused(
              "transaction_unconfirmed",
              "The chain has not confirmed this transaction. Record the vote once it has.",
            ),
            retryAfter: 1,
          },
        },
      },
    },
    history: {
      tag: "Reading",
      summary: "Own votes and unlocks",
      description: "Newest first.",
      answers: { 200: { description: "The votes and unlocks.", schema: "History" } },
      examples: {
        reader: {
          summary: "A reader's",
          status: 200,
          answer: {
            votes: [{ value: 1, tag: "insightful", tx: voteTx, at: time, ...ofPress }],
            unlocks: [{ tx: publisherTx, at: time, ...ofPress, priceUsdg: article.priceUsdg }],
          },
        },
      },
    },
    purchases: {
      tag: "Reading",
      summary: "Own purchases, with both payments",
      description:
        "Newest first. One that has the fee alone is half paid: the fee is kept for the press, and only the publisher's payment is due.",
      answers: { 200: { description: "The purchases.", schema: "Purchases" } },
      examples: {
        reader: {
          summary: "A reader's",
          status: 200,
          answer: {
            purchases: [
              {
                pressId,
                ...ofPress,
                priceUnits: press.priceUnits,
                payments: [
                  { leg: "fee", tx: feeTx, at: time, units: "25000", payTo: treasury },
                  { leg: "publisher", tx: publisherTx, at: time, units: "225000", payTo: publisher },
                ],
                unlocked: true,
              },
            ],
          },
        },
      },
    },
  };
}
