import type { Dice } from "../rough.ts";
import { openDatabase } from "./database.ts";
import { serve } from "./server.ts";
import { startSweeping } from "./sweep.ts";

const sweepInterval = 5_000;

export interface EmbeddedOptions {
  readonly port: number;
  readonly directory?: string | undefined;
  readonly fresh?: boolean | undefined;
  /** Milliseconds between two looks for expired items. */
  readonly sweepInterval?: number | undefined;
  /** Makes requests take their time, and one answer in a few hundred stall. */
  readonly rough?: Dice | undefined;
}

/** Starts the database in this process: dynalite's tables, indexes and expressions with the transactions, condition
 * returns and time to live that it lacks.
 * @throws where another process has the directory open, or the port is taken */
export async function startEmbedded(
  options: EmbeddedOptions,
): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const database = await openDatabase(options);
  const server = await serve(database, options).catch(async (error: unknown) => {
    await database.store.db.close();
    throw error;
  });
  const sweeper = startSweeping(database, options.sweepInterval ?? sweepInterval);
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    async stop() {
      await server.stop();
      await sweeper.stop();
      await database.store.db.close();
    },
  };
}
