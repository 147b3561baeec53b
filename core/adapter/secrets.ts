import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/cloud.ts";

/** Milliseconds for which a value is believed, and after which a store that failed is asked again. */
const freshFor = 5 * 60_000;
const retryAfter = 30_000;

/** Milliseconds that a caller waits for a newer value while there is an older one. */
const mostWait = 500;

type Held<Value> = { readonly value: Value; readonly freshUntil: number };

/**
 * A secret of Secrets Manager as its reader wants it, read when it is first asked for and again when it is five minutes old.
 * While the store is down, slow, or holds what `parse` refuses, the value before goes on: a function that has started once
 * does not stop for it. Rejects only where there was never a value, with what AWS or `parse` says. No error holds the value.
 */
export function openSecret<Value>(
  { client, clock, log }: { readonly client: SecretsManagerClient; readonly clock: Clock; readonly log: Log },
  id: string,
  parse: (text: string) => Value,
): () => Promise<Value> {
  let held: Held<Value> | undefined;
  let reading: Promise<Held<Value>> | undefined;

  async function read(): Promise<Held<Value>> {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    if (SecretString === undefined) throw new TypeError(`The secret ${id} holds no text`);
    return { value: parse(SecretString), freshUntil: clock.now() + freshFor };
  }

  /** One reading at a time, however many ask. */
  function renew(): Promise<Held<Value>> {
    reading ??= read()
      .then((found) => {
        held = found;
        return found;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  async function keep({ value }: Held<Value>): Promise<Value> {
    const renewed = renew().catch((error: unknown) => {
      held = { value, freshUntil: clock.now() + retryAfter };
      log.warn("secret_not_renewed", { secret: id, error });
      return held;
    });
    const late = clock.sleep(mostWait).then(() => ({ value }));
    return (await Promise.race([renewed, late])).value;
  }

  return async () => {
    if (held === undefined) return (await renew()).value;
    return held.freshUntil > clock.now() ? held.value : keep(held);
  };
}
