import * as z from "zod";
import type { Settings } from "../../core/port/settings.ts";
import { allowance, allowedMethods, batchLimit, costs, gasLimit } from "../../core/rpc/schema.ts";
import { voteTags } from "../../core/vote/schema.ts";
import { tagged } from "./forms.ts";
import { nonce, press, reader, voteTx } from "./sample.ts";

const signature = `0x${"1b".repeat(65)}`;
const cookie = { "set-cookie": { description: "The session.", always: true } } as const;

/** The operations of a wallet's session (specification §4.2). */
export const signingIn = ({ origin }: Settings) => {
  const headers = z.object({ origin: z.literal(origin).describe("Must be the site's own.") });
  return tagged("Signing in", {
    "auth-nonce": {
      summary: "Get the message to sign",
      description: "Valid once, for ten minutes.",
      headers,
      body: "NonceInput",
      answer: "Challenge",
      examples: {
        challenge: {
          summary: "A wallet asks",
          headers: { origin },
          body: { address: reader },
          answer: {
            nonce,
            message: `${new URL(origin).host} wants you to sign in with your Ethereum account:\n…`,
          },
        },
      },
    },
    "auth-verify": {
      summary: "Exchange the signature for a session",
      description: "personal_sign over the exact message; contract wallets are verified onchain.",
      headers,
      body: "VerifyInput",
      answer: { form: "SignedIn", headers: cookie },
      refusals: ["401 invalid_nonce", "401 invalid_signature", "503 chain_unavailable"],
      examples: {
        signedIn: {
          summary: "The wallet's own signature",
          headers: { origin },
          body: { address: reader, nonce, signature },
          answer: { address: reader },
        },
      },
    },
    me: {
      summary: "The current session's wallet",
      description: "Site origin only. The wallet, or null without a session.",
      answer: "Caller",
    },
    "auth-logout": {
      summary: "Sign out",
      description: "Deletes the session and its cookie.",
      answer: { form: "SignedOut", headers: cookie },
      examples: { signedOut: { summary: "With a session", answer: { address: null } } },
    },
    sessions: {
      summary: "Own sessions",
      description: "Newest first, at most 100. A session from a payment sees only such sessions.",
      answer: "SessionList",
    },
    "sessions-end": {
      summary: "End own sessions",
      description: "One session, or up to 100 others. A session from a payment ends only itself.",
      body: "EndInput",
      answer: {
        form: "Ended",
        headers: { "set-cookie": { description: "Clears the cookie of a session that ended itself." } },
      },
      refusals: ["401 sign_in_required", "404 unknown_session"],
      examples: {
        others: {
          summary: "All but this one",
          body: { others: true },
          answer: { ended: 2, signedOut: false },
        },
      },
    },
  });
};

function priceList(): string {
  return Object.entries(costs)
    .map(([method, cost]) => `${method} ${cost}`)
    .join(", ");
}

/** The operations of the relay and of votes (specification §4.5 and §4.6). */
export const chain = ({ chainId }: Settings) =>
  tagged("Chain", {
    rpc: {
      summary: "JSON-RPC relay to the chain",
      description: `JSON-RPC 2.0, one call or a batch of up to ${batchLimit}. Methods: ${allowedMethods.join(", ")}. Error codes: -32601 other method, -32602 parameters refused, -32603 chain unreachable, -32005 answer above 4 MB, and the node's own. Calls run with at most ${gasLimit} gas. Limit: ${allowance.cost} points per address in ${allowance.windowSeconds} seconds (${priceList()}, others 1).`,
      body: ["RpcRequest", "RpcRequests"],
      answer: { form: ["RpcAnswer", "RpcAnswers"] },
      otherAnswers: {
        204: { description: "The batch had only notifications." },
        400: {
          description: "Not JSON (-32700), or no valid request or batch (-32600).",
          form: "RpcAnswer",
        },
      },
      refusals: ["429 relay_limit"],
      examples: {
        chainId: {
          summary: "Which chain it is",
          body: { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] },
          answer: { jsonrpc: "2.0", id: 1, result: `0x${chainId.toString(16)}` },
        },
        batch: {
          summary: "Two calls at once",
          body: [
            { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] },
            { jsonrpc: "2.0", id: 2, method: "eth_gasPrice", params: [] },
          ],
          answer: [
            { jsonrpc: "2.0", id: 1, result: "0x10" },
            { jsonrpc: "2.0", id: 2, result: "0x3b9aca00" },
          ],
        },
      },
    },
    "votes-record": {
      summary: "Register a confirmed vote",
      description: `The voter calls giveFeedback(pressId, 1 or -1, 0, tag1, "", press URL, "", 0) on the reputation registry. tag1: empty or ${voteTags.join(", ")}. A wallet's newest vote counts; the publisher's never does. The press's readerVotes are of wallets that have unlocked it: a vote from before the purchase joins them when its transaction is recorded again. In standing it weighs the fees that its wallet has paid to the platform in the 90 days before.`,
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
      examples: {
        counted: {
          summary: "A vote for a press",
          body: { txHash: voteTx },
          answer: { votes: press.votes, tags: press.tags },
        },
      },
    },
  });
