import type { Settings } from "../../core/port/settings.ts";
import { allowance, allowedMethods, batchLimit, costs, gasLimit } from "../../core/rpc/schema.ts";
import { voteTags } from "../../core/vote/schema.ts";
import { addTag, makeTextHeader } from "./forms.ts";
import { nonce, press, reader, signature, voteTx } from "./sample.ts";

const cookie = { "set-cookie": makeTextHeader("The session.") };

/** The operations of a wallet's session (specification §4.2). */
export const signingIn = addTag("Signing in", {
  "auth-nonce": {
    description: "Get the message to sign. The message is valid once, for ten minutes.",
    body: "NonceInput",
    answer: "Challenge",
    example: {
      body: { address: reader },
      answer: { nonce, message: "example.com wants you to sign in with your Ethereum account:\n…" },
    },
  },
  "auth-verify": {
    description:
      "Exchange the signature for a session. Sign the exact message by personal_sign; the signatures of contract wallets are verified onchain.",
    body: "VerifyInput",
    answer: "SignedIn",
    answerHeaders: cookie,
    refusals: ["401 invalid_nonce", "401 invalid_signature", "503 chain_unavailable"],
    example: { body: { address: reader, nonce, signature }, answer: { address: reader } },
  },
  me: {
    description:
      "The current session's wallet. Requests from pages of other origins are refused. The wallet, or null without a session.",
    answer: "Caller",
  },
  "auth-logout": {
    description: "Sign out. Deletes the session and its cookie.",
    answer: "SignedOut",
    answerHeaders: cookie,
    example: { answer: { address: null } },
  },
  sessions: {
    description:
      "Own sessions. Newest first, at most 100. A session that a payment opened lists only sessions of this kind.",
    answer: "SessionList",
  },
  "sessions-end": {
    description:
      "End own sessions. Ends one session, or all sessions but this one. A session that a payment opened can end only itself.",
    body: "EndInput",
    answer: "Ended",
    answerHeaders: {
      "set-cookie": makeTextHeader(
        "Clears the session cookie if the request has ended its own session.",
        false,
      ),
    },
    refusals: ["401 sign_in_required", "404 unknown_session"],
    example: {
      summary: "All sessions but this one",
      body: { others: true },
      answer: { ended: 2, signedOut: false },
    },
  },
});

const prices = Object.entries(costs).map(([method, cost]) => `${method} ${cost}`);

/** The operations of the RPC relay and of votes (specification §4.5 and §4.6). */
export const listChainOperations = ({ chainId }: Settings) =>
  addTag("Chain", {
    rpc: {
      description: `JSON-RPC relay to the chain. JSON-RPC 2.0, one call or a batch of up to ${batchLimit}. Methods: ${allowedMethods.join(", ")}. Error codes: -32601 method not listed, -32602 parameters refused, -32603 chain unreachable, -32005 answer above 4 MB, and the node's own. Calls run with at most ${gasLimit} gas. Limit: ${allowance.cost} points per IP address in ${allowance.windowSeconds} seconds (points of a call: ${prices.join(", ")}, every other method 1).`,
      body: ["RpcRequest", "RpcRequests"],
      answer: ["RpcAnswer", "RpcAnswers"],
      otherAnswers: {
        204: { description: "The batch had only notifications." },
        400: {
          description: "The body is not JSON (-32700), or not a valid request or batch (-32600).",
          form: "RpcAnswer",
        },
      },
      refusals: ["429 relay_limit"],
      example: {
        body: { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] },
        answer: { jsonrpc: "2.0", id: 1, result: `0x${chainId.toString(16)}` },
      },
    },
    "votes-record": {
      description: `Register a confirmed vote. The voter calls giveFeedback(pressId, 1 or -1, 0, tag1, "", press URL, "", 0) on the reputation registry. tag1: empty or ${voteTags.join(", ")}. Only a wallet's newest vote counts, and the publisher's votes never count. The press's readerVotes count only votes of wallets that have unlocked the press. A vote from before the purchase counts in readerVotes only after the vote's transaction is recorded again. In standing, a vote has the weight of the fees that its wallet has paid to the platform in the 90 days before the vote.`,
      body: "RecordInput",
      answer: "Tally",
      refusals: [
        "400 transaction_unconfirmed",
        "400 transaction_failed",
        "400 not_a_vote",
        "400 invalid_vote_value",
        "404 unknown_press",
        "503 chain_unavailable",
      ],
      example: { body: { txHash: voteTx }, answer: { votes: press.votes, tags: press.tags } },
    },
  });
