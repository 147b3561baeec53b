import { once } from "node:events";
import type { Server } from "node:http";

export type Listening = {
  /** Base address without a trailing slash, such as `http://127.0.0.1:4100`. */
  readonly endpoint: string;
  /** Closes the port and every open connection. */
  readonly stop: () => Promise<void>;
};

/** Longer than any client's idle pool, so that a client never writes into a connection that is being closed. */
const KEEP_ALIVE_MILLISECONDS = 120_000;

/** Binds a server to the loopback interface; port 0 takes a free one. Rejects when the port is taken. */
export async function listen(server: Server, port: number): Promise<Listening> {
  server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no TCP address.");
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
