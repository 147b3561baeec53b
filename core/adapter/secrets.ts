import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/cloud.ts";

/** Milliseconds for which a value is cached, and after which a failed store is asked again. */
const freshFor = 5 * 60_000;
const retryAfter = 30_000;

/** Milliseconds that a caller waits for a newer value while an older one is cached. */
const mostWait = 500;

type HeldSecret<Value> = { readonly value: Value; readonly freshUntil: number };

/**
 * A parsed secret of Secrets Manager, read on first use and again when it is five minutes old. While the store is down, slow, or holds a
 * value that `parse` refuses, the previous value is used, so a started function keeps working. Rejects only when there was never a value,
 * with AWS's or `parse`'s error. No error contains the value.
 */
export function openSecret<Value>(
  { client, clock, log }: { readonly client: SecretsManagerClient; readonly clock: Clock; readonly log: Log },
  id: string,
  parse: (text: string) => Value,
): () => Promise<Value> {
  let held: HeldSecret<Value> | undefined;
  let reading: Promise<HeldSecret<Value>> | undefined;

  async function read(): Promise<HeldSecret<Value>> {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    if (SecretString === undefined) throw new TypeError(`The secret ${id} holds no text`);
    return { value: parse(SecretString), freshUntil: clock.now() + freshFor };
  }

  /** All callers share one read. */
  function renew(): Promise<HeldSecret<Value>> {
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

  async function keep({ value }: HeldSecret<Value>): Promise<Value> {
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
