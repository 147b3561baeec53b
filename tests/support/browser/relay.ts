import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import * as z from "zod";
import { listen } from "../../../local/stand-in.ts";

const Topic = z.string().regex(/^[0-9a-f]{64}$/);
const Sealed = z.string().min(1);
const Call = z.object({ id: z.union([z.number(), z.string()]), method: z.string(), params: z.unknown() });
const forms = {
  publish: z.object({ topic: Topic, message: Sealed, ttl: z.number(), tag: z.number().optional() }),
  subscribe: z.object({ topic: Topic }),
  batch: z.object({ topics: z.array(Topic).min(1).max(500) }),
  propose: z.object({ pairingTopic: Topic, sessionProposal: Sealed }),
  approve: z.object({
    pairingTopic: Topic,
    sessionTopic: Topic,
    sessionProposalResponse: Sealed,
    sessionSettlementRequest: Sealed,
  }),
};

type TopicClient = { readonly topics: Map<string, string>; readonly say: (message: object) => void };
type KeptMessage = {
  readonly from: TopicClient;
  readonly message: string;
  readonly at: number;
  readonly given: Set<TopicClient>;
};

/**
 * A stand-in for WalletConnect's relay on this machine; the real relay was never reachable from our machines. The stand-in uses the relay's
 * JSON-RPC methods in the same way as the installed release (`@walletconnect/core` and `sign-client`, with the method names of
 * `@walletconnect/relay-api`). The stand-in stores undelivered messages and does not read them, because both ends encrypt their messages.
 * The stand-in checks only that a client's authentication token has three parts. The real relay also checks the signature of the client's
 * authentication token.
 */
export async function startRelay(projectId: string) {
  const clients = new Set<TopicClient>();
  const kept = new Map<string, KeptMessage[]>();
  const asked: string[] = [];

  function deliver(topic: string): void {
    for (const client of clients) {
      const id = client.topics.get(topic);
      if (id === undefined) continue;
      for (const { from, message, at, given } of kept.get(topic) ?? []) {
        if (from === client || given.has(client)) continue;
        given.add(client);
        const data = { topic, message, publishedAt: at, tag: 0 };
        client.say({ id: Date.now(), jsonrpc: "2.0", method: "irn_subscription", params: { id, data } });
      }
    }
  }
  function publish(from: TopicClient, topic: string, message: string): void {
    kept.set(topic, [...(kept.get(topic) ?? []), { from, message, at: Date.now(), given: new Set() }]);
    deliver(topic);
  }
  function subscribe(client: TopicClient, topic: string): string {
    const id = client.topics.get(topic) ?? randomUUID().replaceAll("-", "");
    client.topics.set(topic, id);
    // Stored messages are sent after the answer that names the subscription.
    setImmediate(() => deliver(topic));
    return id;
  }

  const methods: Readonly<Record<string, (client: TopicClient, params: unknown) => unknown>> = {
    irn_publish(client, params) {
      const { topic, message } = forms.publish.parse(params);
      publish(client, topic, message);
      return true;
    },
    irn_subscribe: (client, params) => subscribe(client, forms.subscribe.parse(params).topic),
    irn_batchSubscribe: (client, params) =>
      forms.batch.parse(params).topics.map((topic) => subscribe(client, topic)),
    irn_unsubscribe: (client, params) => client.topics.delete(forms.subscribe.parse(params).topic),
    irn_batchFetchMessages: () => ({ messages: [], hasMore: false }),
    wc_proposeSession(client, params) {
      const { pairingTopic, sessionProposal } = forms.propose.parse(params);
      subscribe(client, pairingTopic);
      publish(client, pairingTopic, sessionProposal);
      return true;
    },
    wc_approveSession(client, params) {
      const approved = forms.approve.parse(params);
      subscribe(client, approved.sessionTopic);
      publish(client, approved.pairingTopic, approved.sessionProposalResponse);
      publish(client, approved.sessionTopic, approved.sessionSettlementRequest);
      return true;
    },
  };

  /**
   * Accepts the socket of a page. `address` is the URL that the page opened, and `send` sends text to the page. Throws Error if the relay
   * would refuse the connection.
   */
  function accept(address: string, send: (text: string) => void) {
    const query = new URL(address, "ws://relay").searchParams;
    if (query.get("projectId") !== projectId) throw new Error("Project not found");
    if (query.get("auth")?.split(".").length !== 3) throw new Error("No token says who asks");
    const client: TopicClient = { topics: new Map(), say: (message) => send(JSON.stringify(message)) };
    clients.add(client);
    return {
      hear(text: string) {
        const call = Call.safeParse(JSON.parse(text)).data;
        // A message without a method only acknowledges a delivery.
        if (call === undefined) return;
        asked.push(call.method);
        const run = methods[call.method];
        const reply = { id: call.id, jsonrpc: "2.0" };
        try {
          if (run === undefined) client.say({ ...reply, error: { code: -32601, message: "Unknown method" } });
          else client.say({ ...reply, result: run(client, call.params) });
        } catch (error) {
          client.say({ ...reply, error: { code: -32602, message: String(error) } });
        }
      },
      hangUp: () => void clients.delete(client),
    };
  }

  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, request) => {
    try {
      const line = accept(request.url ?? "", (text) => socket.send(text));
      socket.on("message", (data) => line.hear(String(data)));
      socket.on("close", line.hangUp);
    } catch (error) {
      socket.close(3000, String(error));
    }
  });
  const { endpoint, stop } = await listen(server);
  return {
    /** The relay's URL, for clients that are not web pages. Pages connect to the relay through `take`. */
    url: endpoint.replace("http", "ws"),
    take: accept,
    /** The methods that clients have requested. */
    asked,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await stop();
    },
  };
}
