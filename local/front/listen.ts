import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

export type Listening = {
  readonly port: number;
  /** Takes no more requests, gives those under way two seconds, and resolves when all is closed. */
  readonly stop: () => Promise<void>;
};

/** Longer than a client keeps an idle connection, so that none writes into one that is being closed. */
const keepAliveTimeout = 75_000;
const grace = 2_000;
const attempts = 10;

/**
 * Listens on the loopback interface by both of its addresses, so that `localhost` works whichever a client takes;
 * a machine without IPv6 is no hindrance. Port 0 takes a free one. Rejects with EADDRINUSE when the port is taken.
 */
export async function listen(port: number, serve: RequestListener): Promise<Listening> {
  for (let attempt = 1; ; attempt++) {
    const first = await bind("127.0.0.1", port, serve);
    const taken = portOf(first);
    try {
      const second = await bind("::1", taken, serve).catch(withoutIpv6);
      const servers = second === undefined ? [first] : [first, second];
      return { port: taken, stop: async () => void (await Promise.all(servers.map(close))) };
    } catch (error) {
      await close(first);
      if (port !== 0 || attempt === attempts) throw error;
    }
  }
}

async function bind(host: string, port: number, serve: RequestListener): Promise<Server> {
  const server = createServer({ keepAliveTimeout }, serve);
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

function withoutIpv6(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "EADDRNOTAVAIL" && code !== "EAFNOSUPPORT") throw error;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no TCP address.");
  return address.port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  await Promise.race([closed, delay(grace, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
