import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import * as z from "zod";
import { AwsFailure, awsJson, type Listening, listen, operation } from "./stand-in.ts";

export type StoredSecret = { readonly name: string; readonly arn: string; readonly value: string };

/**
 * A request names a secret by name, by ARN, or by the ARN without its six random characters (AWS's
 * documentation).
 */
export const GetSecretValue = z.object({
  SecretId: z.string().min(1).max(2_048),
  VersionId: z.string().min(32).max(64).optional(),
  VersionStage: z.string().min(1).max(256).optional(),
});

const versionOf = new Map<string, string>();

/**
 * `GetSecretValue` over the given secrets. Refuses as AWS does: a missing secret, an earlier version (only
 * the current one is stored), and a secret that the caller's policy does not allow (`mayRead`).
 */
export function getSecretValue(
  secrets: Iterable<StoredSecret>,
  { SecretId, VersionId, VersionStage = "AWSCURRENT" }: z.infer<typeof GetSecretValue>,
  mayRead: (arn: string) => boolean = () => true,
) {
  const found = [...secrets].find(
    ({ name, arn }) => name === SecretId || arn === SecretId || arn.slice(0, -7) === SecretId,
  );
  if (found === undefined || !mayRead(found.arn)) {
    // A caller without rights to a name must not learn whether it exists.
    if (found !== undefined) {
      const message = `User is not authorized to perform: secretsmanager:GetSecretValue on resource: ${SecretId}`;
      throw new AwsFailure("AccessDeniedException", message);
    }
    throw new AwsFailure("ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
  }
  const key = `${found.arn} ${found.value}`;
  const version = versionOf.get(key) ?? randomUUID();
  versionOf.set(key, version);
  if (VersionStage !== "AWSCURRENT" || (VersionId !== undefined && VersionId !== version)) {
    const message = `Secrets Manager can't find the specified secret value for staging label: ${VersionStage}`;
    throw new AwsFailure("ResourceNotFoundException", message);
  }
  return {
    ARN: found.arn,
    Name: found.name,
    VersionId: version,
    SecretString: found.value,
    VersionStages: ["AWSCURRENT"],
  };
}

type Options = {
  /** 0 takes any free port. */
  readonly port: number;
  /** Called with each request, so that a test can change the secrets. */
  readonly secrets: () => Iterable<StoredSecret>;
  /** Runs before an answer: it may throw or wait. */
  readonly before?: () => void | Promise<void>;
};

/** Starts a stand-in of Secrets Manager on the loopback interface. Rejects if the port is taken. */
export function startSecrets({ port, secrets, before }: Options): Promise<Listening> {
  const service = {
    target: "secretsmanager",
    operations: {
      GetSecretValue: operation(GetSecretValue, async (input) => {
        await before?.();
        return getSecretValue(secrets(), input);
      }),
    },
    invalid: (message: string) => new AwsFailure("InvalidParameterException", message),
  };
  return listen(createServer(awsJson(service)), port);
}
