import type { Settings } from "../../core/port/settings.ts";
import { allowance, batchLimit, costs, gasLimit, relayedMethods } from "../../core/relay/schema.ts";
import { voteTags } from "../../core/vote/schema.ts";
import type { Operations } from "./operation.ts";
import { article, press, publisherTx, refused, slug, time, voteTx } from "./sample.ts";

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
