import { openSecret } from "../../core/adapter/secrets.ts";
import { systemClock } from "../../core/adapter/system.ts";
import { Unsent, unavailable } from "../../core/chain/call.ts";
import { AppError } from "../../core/error.ts";
import { secretsManager } from "./clients.ts";
import { environment, Urls } from "./environment.ts";
import { log } from "./log.ts";

/**
 * What is read from Secrets Manager while a function runs, and kept by its container: no variable of a function holds it, and
 * a new value is used within five minutes without a deployment.
 */
function secret<Value>(id: string, parse: (text: string) => Value): () => Promise<Value> {
  const warnings = { warn: (event: string, fields: object) => log.warn(event, { ...fields }) };
  client ??= secretsManager();
  return openSecret({ client, clock: systemClock, log: warnings }, id, parse);
}

let client: ReturnType<typeof secretsManager> | undefined;
let edge: readonly (() => Promise<string>)[] | undefined;

/**
 * What the edge may show; `undefined` where there is no edge. Throws `upstream` `temporarily_unavailable` in a new container
 * whose store does not answer: nobody is let in unseen.
 */
export async function originSecrets(): Promise<readonly string[] | undefined> {
  const ids = environment.originSecretIds();
  if (ids === undefined) return undefined;
  edge ??= ids.map((id) => secret(id, (text) => text));
  try {
    return await Promise.all(edge.map((read) => read()));
  } catch (cause) {
    const message = "This is temporarily unavailable. Nothing is lost: try again shortly.";
    throw new AppError("upstream", "temporarily_unavailable", message, { cause, retryAfter: 2 });
  }
}

/**
 * The nodes' addresses, the preferred one first: those of the secret, or on one machine and for public nodes those given.
 * Rejects with `upstream` `chain_unavailable` where a new container cannot read them: then nothing was sent.
 */
export function nodes(
  given: readonly string[] | undefined,
  id: string | undefined,
): () => Promise<readonly string[]> {
  if (given !== undefined) return async () => given;
  if (id === undefined) throw new Error("The environment names neither nodes nor their secret");
  const read = secret(id, addressesIn);
  return async () => {
    try {
      return await read();
    } catch (cause) {
      throw unavailable("the nodes' secret", new Unsent([cause]));
    }
  };
}

/** Throws a TypeError, without the text, for what is no list of addresses. */
function addressesIn(text: string): readonly string[] {
  const parsed = Urls.safeParse(text.trim());
  if (parsed.success) return parsed.data;
  throw new TypeError("The nodes' secret does not hold addresses, separated by commas");
}
