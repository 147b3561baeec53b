import type { Dice } from "../rough.ts";
import { startEmbedded } from "./embedded.ts";
import { startJava } from "./java.ts";

/** `embedded` runs in this process, `java` starts AWS's DynamoDB Local, an address uses what runs there. */
export type DatabaseEngine = "embedded" | "java" | `http://${string}` | `https://${string}`;

export interface StartDatabaseOptions {
  readonly engine: DatabaseEngine;
  /** 0 takes a free one. Nothing listens for an engine that is an address. */
  readonly port: number;
  /** Where the state is kept; in memory where there is none. */
  readonly directory?: string | undefined;
  /** Begins without what the directory holds. */
  readonly fresh?: boolean | undefined;
  /** Embedded only: milliseconds between two looks for items past their time to live, 5,000 unless told. */
  readonly sweepInterval?: number | undefined;
  /** Embedded only: requests take milliseconds, so that they overlap and conflict, and an answer stalls now and then. */
  readonly rough?: Dice | undefined;
}

export interface RunningDatabase {
  /** For the client's `endpoint`, such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  /** Answers what is under way, then ends what was started. */
  stop(): Promise<void>;
}

/** Starts a DynamoDB on 127.0.0.1. Every answered write survives the death of this process where there is a directory.
 * @throws where the directory is in use by another process, the port is taken, or Java is missing */
export async function startDatabase(options: StartDatabaseOptions): Promise<RunningDatabase> {
  const { engine } = options;
  if (engine === "embedded") return startEmbedded(options);
  if (engine === "java") return startJava(options);
  return { endpoint: engine.replace(/\/+$/, ""), stop: () => Promise.resolve() };
}
