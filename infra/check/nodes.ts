import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { StageSettings } from "../stages.ts";

/**
 * The chain's nodes of a stage, the preferred one first; those of a secret are read with the caller's own rights. Throws
 * an Error that names the secret when it is not there, or holds no addresses.
 */
export async function nodesOf({ region, chain: { rpc } }: StageSettings): Promise<readonly string[]> {
  if ("urls" in rpc) return rpc.urls;
  const { secretName, versionId } = rpc;
  const read = new GetSecretValueCommand({ SecretId: secretName, VersionId: versionId });
  const { SecretString = "" } = await new SecretsManagerClient({ region }).send(read);
  const urls = SecretString.split(",").map((url) => url.trim());
  if (!urls.every((url) => URL.canParse(url))) {
    throw new Error(`The secret ${secretName} does not hold addresses, separated by commas`);
  }
  return urls;
}
