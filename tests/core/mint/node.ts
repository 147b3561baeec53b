import { once } from "node:events";
import { createServer } from "node:http";
import { encodeAbiParameters, encodeEventTopics, numberToHex, pad } from "viem/utils";
import * as z from "zod";
import { identityAbi } from "../../../core/chain/abi.ts";
import type { Hex } from "../../../core/chain/hex.ts";
import { publisher, registry } from "./works.ts";

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
const TokenUri = z.object({ data: z.string() });

/** The transaction that mints an agent's identity on this node. */
export function mintOf(agentId: number): Hex {
  return pad(numberToHex(agentId + 1), { size: 32 });
}

/**
 * A node over HTTP on which the publisher has minted an identity for every press, with the URI that `uriOf` returns. Every `refuseEach`th
 * request is answered 503.
 */
export async function startMintNode(uriOf: (agentId: number) => string, refuseEach: number) {
  let requests = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    requests += 1;
    if (requests % refuseEach === 0) {
      response.writeHead(503).end("busy");
      return;
    }
    const asked: unknown = JSON.parse(text);
    const answers = z
      .array(Call)
      .parse(Array.isArray(asked) ? asked : [asked])
      .map(({ id, method, params }) => ({ jsonrpc: "2.0", id, result: answerCall(method, params) }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The node has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };

  function answerCall(method: string, [first]: readonly unknown[]): unknown {
    if (method === "eth_getCode") return "0x";
    if (method === "eth_getTransactionByHash") return { hash: first };
    if (method === "eth_getTransactionReceipt") return makeReceipt(Number(first) - 1);
    if (method !== "eth_call") throw new Error(`Nobody asks for ${method} here`);
    const agentId = Number(`0x${TokenUri.parse(first).data.slice(-64)}`);
    return encodeAbiParameters([{ type: "string" }], [uriOf(agentId)]);
  }
}

function makeReceipt(agentId: number) {
  const [topic, ...indexed] = encodeEventTopics({
    abi: identityAbi,
    eventName: "Registered",
    args: { agentId: BigInt(agentId), owner: publisher },
  });
  return {
    transactionHash: mintOf(agentId),
    status: "0x1",
    gasUsed: "0x1d4c0",
    from: publisher,
    blockNumber: "0x1",
    logs: [
      {
        address: registry,
        topics: [topic, ...indexed],
        data: encodeAbiParameters([{ type: "string" }], [""]),
        logIndex: "0x0",
      },
    ],
  };
}
