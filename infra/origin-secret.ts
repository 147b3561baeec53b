import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Stack } from "sst/constructs";
import type { StageSettings } from "./stages.ts";

/** The header by which functions know the edge. */
export const originHeader = "x-origin-secret";

/** What the edge shows in it, and what functions take, separated by commas: references that a deployment resolves. */
export type OriginSecrets = { readonly shown: string; readonly accepted: string };

/**
 * A secret for each generation that is shown or taken. Throws an Error where functions would not take what the edge
 * shows, for nothing would be answered then.
 */
export function makeOriginSecrets(stack: Stack, { originSecret }: StageSettings): OriginSecrets {
  const { shown, accepted } = originSecret;
  const values = new Map(accepted.map((generation) => [generation, makeSecret(stack, generation)]));
  const value = values.get(shown);
  if (value === undefined) throw new Error(`Functions have to accept the origin secret ${shown}`);
  return { shown: value, accepted: [...values.values()].join(",") };
}

function makeSecret(stack: Stack, generation: number): string {
  const secret = new Secret(stack, generation === 1 ? "origin-secret" : `origin-secret-${generation}`, {
    description: `${stack.stage}: what CloudFront shows to the API`,
    // Without commas, too: functions are told several as a list.
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  });
  return secret.secretValue.unsafeUnwrap();
}
