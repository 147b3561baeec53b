import type { Settings } from "../../core/port/settings.ts";
import { allowance, batchLimit, costs, gasLimit, relayedMethods } from "../../core/relay/schema.ts";
import { voteTags } from "../../core/vote/schema.ts";
import type { Operations, Parameter } from "./operation.ts";
import { article, press, publisherTx, reader, refused, slug, time, voteTx } from "./sample.ts";

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
      description: "For the site's own pages. The nonce is good for ten minutes and one use.",
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
      description:
        "For the site's own pages. The signature is personal_sign over the message exactly as it was given; contract wallets are asked on the chain.",
      headers: ownOrigin,
      body: "VerifyInput",
      answers: { 200: { description: "Signed in.", schema: "SignedIn", headers: cookie } },
      refusals: {
        401: {
          invalid_nonce: "The nonce is unknown, expired or was used before.",
          invalid_signature: "The signature is not that of the address over the message.",
        },
        503: { chain_unavailable: "A contract wallet could not be asked; the nonce is still good." },
      },
      examples: {
        signedIn: {
          summary: "The wallet's own signature",
          headers: { origin },
          body: { address: reader, nonce, signature },
          status: 200,
          answer: { address: reader },
        },
        unknownNonce: {
          summary: "A nonce that was not given, or was used",
          headers: { origin },
          body: { address: reader, nonce: "0".repeat(32), signature },
          status: 401,
          answer: refused(
            "invalid_nonce",
            "This sign-in request is unknown or was already used. Start again.",
          ),
        },
      },
    },
    me: {
      tag: "Signing in",
      summary: "Whose session this is",
      description: "For the site's own pages.",
      answers: { 200: { description: "The wallet, or null without a session.", schema: "Caller" } },
      examples: { nobody: { summary: "Without a session", status: 200, answer: { address: null } } },
    },
    "auth-logout": {
      tag: "Signing in",
      summary: "Sign out",
      description: "Ends the session for good and clears its cookie.",
      answers: { 200: { description: "Signed out.", schema: "SignedOut", headers: cookie } },
      examples: { signedOut: { summary: "With a session", status: 200, answer: { address: null } } },
    },
    sessions: {
      tag: "Signing in",
      summary: "Own sessions",
      description:
        "The living sessions of the session's wallet, newest first, up to a hundred. A session born from a payment sees those of its kind only.",
      answers: { 200: { description: "The sessions.", schema: "SessionList" } },
      examples: {
        reader: { summary: "A reader's", status: 200, answer: { sessions: [session] } },
      },
    },
    "sessions-end": {
      tag: "Signing in",
      summary: "End own sessions",
      description:
        "Ends one session of the session's wallet, or up to a hundred others, for good. A session born from a payment ends itself only.",
      body: "EndInput",
      answers: {
        200: {
          description: "Ended.",
          schema: "Ended",
          headers: { "set-cookie": { description: "Clears the cookie of a session that ended itself." } },
        },
      },
      refusals: {
        401: { sign_in_required: "A session born from a payment ends no other one." },
        404: { unknown_session: "The wallet has no such session." },
      },
      examples: {
        byPayment: {
          summary: "By a session that was born from a payment",
          body: { others: true },
          status: 401,
          answer: refused(
            "sign_in_required",
            "Sign in with your wallet to end other sessions: a payment only lets you read.",
          ),
        },
        others: {
          summary: "All but this one",
          body: { others: true },
          status: 200,
          answer: { ended: 2, signedOut: false },
        },
        unknown: {
          summary: "No such session",
          body: { id: session.id },
          status: 404,
          answer: refused("unknown_session", "You have no such session: it may have ended already."),
        },
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
export function chain({ chainId }: Settings): Pick<Operations, "rpc" | "votes-record" | "history"> {
  const ofPress = { slug, headline: article.headline, stock: article.stock };
  return {
    rpc: {
      tag: "Chain",
      summary: "JSON-RPC relay to the chain",
      description: `JSON-RPC 2.0, one call or a batch of up to ${batchLimit}. Methods: ${relayedMethods.join(", ")}. What goes wrong is said in JSON-RPC's words, under the call's id: -32601 for any other method, -32602 for parameters that are not relayed, -32603 for a chain that cannot be reached, -32005 for answers beyond 4 MB, and a node's own errors as they are. eth_call and eth_estimateGas run with at most ${gasLimit} gas. The calls of an address may cost ${allowance.cost} in ${allowance.windowSeconds} seconds, a batch the sum of its calls: ${priceList()}, any other method 1.`,
      body: ["RpcRequest", "RpcRequests"],
      answers: {
        200: { description: "An answer, or those of a batch.", schema: ["RpcAnswer", "RpcAnswers"] },
        204: { description: "There were notifications only." },
        400: {
          description: `The body is not JSON (-32700), or no request or batch of up to ${batchLimit} (-32600).`,
          schema: "RpcAnswer",
        },
      },
      refusals: { 429: { relay_limit: "The address's calls have cost what ten seconds allow." } },
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
      description: `A vote is a call of the reputation registry by the voter's wallet: giveFeedback(agentId = pressId, value = 1 or -1, valueDecimals = 0, tag1, tag2 = "", endpoint = the press's URL, feedbackURI = "", feedbackHash = 0). tag1 is empty or one of ${voteTags.join(", ")}. Of each wallet's votes the newest counts; those of the publisher's own wallet do not.`,
      body: "RecordInput",
      answers: { 200: { description: "The press's votes with this one.", schema: "Tally" } },
      refusals: {
        400: {
          transaction_unconfirmed: "The chain has not confirmed the transaction.",
          transaction_failed: "It failed.",
          not_a_vote: "It is no vote.",
          invalid_vote_value: "Its value is not 1 or -1.",
        },
        404: { unknown_press: "The vote is for a press that is not listed." },
        503: {
          chain_unavailable: "The chain gives no answer.",
          press_busy: "Too many votes on this press at once; nothing was kept.",
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
          summary: "A transaction that the chain has not confirmed",
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
      description: "Of the session's wallet, both newest first.",
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
  };
}
