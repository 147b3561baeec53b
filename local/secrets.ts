import { createServer } from "node:http";
import * as z from "zod";
import { AwsFailure, type LocalServer, listen, makeAwsListener, makeOperation } from "./stand-in.ts";

export type StoredSecret = { readonly name: string; readonly arn: string; readonly value: string };

/**
 * A request names a secret by name, by ARN, or by the ARN without its six random characters (AWS's documentation). Earlier versions of a
 * secret are not served.
 */
export const GetSecretValue = z.strictObject({ SecretId: z.string().min(1).max(2_048) });

/** Answers `GetSecretValue` from the given secrets. Refuses a request for a missing secret as AWS does. */
export function getSecretValue(
  secrets: Iterable<StoredSecret>,
  { SecretId }: z.infer<typeof GetSecretValue>,
) {
  const found = [...secrets].find(
    ({ name, arn }) => name === SecretId || arn === SecretId || arn.slice(0, -7) === SecretId,
  );
  if (found === undefined)
    throw new AwsFailure("ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
  return { ARN: found.arn, Name: found.name, SecretString: found.value };
}

type SecretsOptions = {
  /** The function that returns the secrets. The function is called for each request, so that a test can change the secrets. */
  readonly secrets: () => Iterable<StoredSecret>;
  /** A function that runs before each answer. The function may delay the answer, or throw an error instead. */
  readonly runBefore?: () => void | Promise<void>;
};

/** Starts a stand-in of Secrets Manager on the loopback interface. */
export function startSecrets({ secrets, runBefore }: SecretsOptions): Promise<LocalServer> {
  const service = {
    target: "secretsmanager",
    operations: {
      GetSecretValue: makeOperation(GetSecretValue, async (input) => {
        await runBefore?.();
        return getSecretValue(secrets(), input);
      }),
    },
    makeInputError: (message: string) => new AwsFailure("InvalidParameterException", message),
  };
  return listen(createServer(makeAwsListener(service)));
}
