import { Agent, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";

/** To connect takes longer than to ask, so a connection is kept. */
const agent = new Agent({ keepAlive: true, scheduling: "lifo" });
const usedAt = new WeakMap<Socket, number>();

/** Milliseconds: far less than after which the devnet closes an idle connection, as providers do. */
const idle = 300;

/** The agent's own timer is late where the process was busy, so the clock is compared. */
function dropIdle(): void {
  for (const socket of Object.values(agent.freeSockets).flatMap((sockets = []) => sockets)) {
    if (Date.now() - (usedAt.get(socket) ?? 0) > idle) socket.destroy();
  }
}

/** Sends JSON to a node. A plain request takes a third of the time of `fetch`. */
export async function post(
  url: string,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  dropIdle();
  const sent = request(url, { method: "POST", agent, headers: { "content-type": "application/json" } });
  const answered = Promise.withResolvers<IncomingMessage>();
  sent.on("socket", (socket) => sent.once("close", () => usedAt.set(socket, Date.now())));
  sent.on("error", answered.reject);
  sent.on("response", answered.resolve);
  sent.end(body);
  const response = await answered.promise;
  return { status: response.statusCode ?? 0, text: await text(response) };
}
