import { makeConflictWatch, openDatabase } from "../../local/database/database.ts";
import { serve } from "../../local/database/embedded.ts";
import { openTestClient } from "./database.ts";

/** The embedded database in memory. A test can pause requests while the database works on their items. */
export async function startGatedDatabase(maxAttempts = 3) {
  let gate: { readonly reached: () => void; readonly opened: Promise<void> } | undefined;
  let met = Promise.withResolvers<void>();
  async function pause(): Promise<void> {
    const own = gate;
    gate = undefined;
    own?.reached();
    await own?.opened;
  }
  const database = await openDatabase({});
  const server = await serve({ ...database, conflicts: makeConflictWatch(), pause });
  const endpoint = server.endpoint;
  const client = openTestClient(endpoint, maxAttempts);
  client.middlewareStack.add(
    (next) => (request) =>
      next(request).catch((error: unknown) => {
        if (error instanceof Error && /conflict/i.test(`${error.name} ${error.message}`)) {
          met.resolve();
          met = Promise.withResolvers();
        }
        throw error;
      }),
    { step: "deserialize", priority: "high" },
  );
  return {
    endpoint,
    client,
    /** Resolves when the next request is refused or cancelled because of a conflict. */
    nextConflict: () => met.promise,
    /**
     * Sends a request and waits until the database begins to work on the request's items. Returns a function that lets the held request
     * continue and returns the request's answer.
     */
    async holdAtWork<T>(request: () => Promise<T>): Promise<() => Promise<T>> {
      const reached = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      gate = { reached: reached.resolve, opened: opened.promise };
      const answer = request();
      answer.catch(() => undefined);
      await reached.promise;
      return () => {
        opened.resolve();
        return answer;
      };
    },
    async stop() {
      client.destroy();
      await server.stop();
      await database.store.db.close();
    },
  };
}
export type GatedDatabase = Awaited<ReturnType<typeof startGatedDatabase>>;
