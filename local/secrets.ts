import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import * as z from "zod";
import { AwsFailure, awsJson, type Listening, listen, operation } from "./stand-in.ts";

/** A secret as Secrets Manager has it. */
export type StoredSecret = { readonly name: string; readonly arn: string; readonly value: string };

/** What a request asks for: by name, whole ARN, or an ARN without the six characters that AWS adds (its documents). */
export const GetSecretValue = z.object({
  SecretId: z.string().min(1).max(2_048),
  VersionId: z.string().min(32).max(64).optional(),
  VersionStage: z.string().min(1).max(256).optional(),
});

const versionOf = new Map<string, string>();

/**
 * `GetSecretValue` over so many secrets. Refuses as AWS does: what is not there, an earlier version (only the current
 * one is kept), and what the caller's policy does not name, where `mayRead` says so.
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
    // Who may read nothing of a name is not told whether it is there.
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
  /** 0 takes a free port. */
  readonly port: number;
  /** Asked with each request, so that a test can change it. */
  readonly secrets: () => Iterable<StoredSecret>;
  /** Thrown, or waited for, before an answer. */
  readonly before?: () => void | Promise<void>;
};

/** Starts a stand-in of Secrets Manager on the loopback interface. Rejects when the port is taken. */
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
