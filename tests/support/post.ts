import { Agent, createServer, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { type LocalServer, listen } from "../../local/stand-in.ts";

export type NodeReply = { readonly status: number; readonly text: string };

/** A new connection takes longer than a request, so connections stay open for half a second. */
const kept = new Agent({ keepAlive: true, timeout: 500 });

/** Calls that change something, and that must not be sent twice. */
const changes = /"(?:eth_send|evm_|anvil_)/;

/**
 * Sends JSON to a node. A request by `node:http` takes a third of the time of a `fetch`. The devnet closes idle connections as providers
 * do, and may close a connection just when a request uses it. Because an idle connection may close at any time, a read is repeated on a new
 * connection, and a call that changes something always uses a new connection.
 */
export async function post(url: string, body: string): Promise<NodeReply> {
  if (changes.test(body)) return sendJson(url, body, false);
  return sendJson(url, body, kept).catch(() => sendJson(url, body, false));
}

async function sendJson(url: string, body: string, agent: Agent | false): Promise<NodeReply> {
  const sent = request(url, { method: "POST", agent, headers: { "content-type": "application/json" } });
  const answered = Promise.withResolvers<IncomingMessage>();
  // A broken connection may emit its error twice, so the handler accepts several errors.
  sent.on("error", answered.reject);
  sent.on("response", answered.resolve);
  sent.end(body);
  const response = await answered.promise;
  return { status: response.statusCode ?? 0, text: await text(response) };
}

/**
 * Starts a proxy in front of the node at `endpoint`. `handler` gets the body of each request and returns the answer; `ask` sends the
 * request to the node. If there is no answer, the connection ends. If the node has stopped while jobs still call the node, the connection
 * also ends.
 */
export function startProxy(
  endpoint: string,
  handler: (body: string, ask: () => Promise<NodeReply | undefined>) => Promise<NodeReply | undefined>,
): Promise<LocalServer> {
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    const answer = await handler(body, () => post(endpoint, body).catch(() => undefined));
    if (answer === undefined) response.destroy();
    else response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.text);
  });
  return listen(server);
}
