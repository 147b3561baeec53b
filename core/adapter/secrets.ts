import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { AllPorts } from "../ports.ts";

/**
 * Two durations in milliseconds: how long a value is cached, and how long to wait after a failure of the secret store before it is asked
 * again.
 */
const freshFor = 5 * 60_000;
const retryAfter = 30_000;

/** The number of milliseconds that a caller waits for a newer value, if an older value is cached. */
const mostWait = 500;

type HeldSecret<Value> = { readonly value: Value; readonly freshUntil: number };

/**
 * A parsed secret from AWS Secrets Manager. The secret is read on first use, and again when the value is five minutes old. If Secrets
 * Manager is down or slow, or returns a value that `parse` refuses, the previous value is used, so that a running function continues to
 * work. Rejects with the error of AWS or of `parse`, but only if no value was ever read. No error message contains the secret.
 */
export function openSecret<Value>(
  { client, clock, log }: Pick<AllPorts, "clock" | "log"> & { readonly client: SecretsManagerClient },
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

  /** Callers that ask at the same time share one read of the secret. */
  function renewSecret(): Promise<HeldSecret<Value>> {
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

  async function renewOrKeep({ value }: HeldSecret<Value>): Promise<Value> {
    const renewed = renewSecret().catch((error: unknown) => {
      held = { value, freshUntil: clock.now() + retryAfter };
      log.warn("secret_not_renewed", { secret: id, error });
      return held;
    });
    const late = clock.sleep(mostWait).then(() => ({ value }));
    return (await Promise.race([renewed, late])).value;
  }

  return async () => {
    if (held === undefined) return (await renewSecret()).value;
    return held.freshUntil > clock.now() ? held.value : renewOrKeep(held);
  };
}
