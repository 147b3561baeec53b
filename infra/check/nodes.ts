import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Nodes } from "../chains.ts";
import type { StageSettings } from "../stages.ts";

/** The nodes of a stage's payments, and of all else but the relay. Throws as `addressesOf`. */
export function nodesOf({ region, chain: { rpc } }: StageSettings): Promise<readonly string[]> {
  return addressesOf(region, rpc);
}

/**
 * The addresses of nodes, the preferred one first; those of a secret are read with the caller's own rights. Throws
 * an Error that names the secret when it is not there, or holds no addresses.
 */
export async function addressesOf(region: string, nodes: Nodes): Promise<readonly string[]> {
  if ("urls" in nodes) return nodes.urls;
  const { secretName, versionId } = nodes;
  const read = new GetSecretValueCommand({ SecretId: secretName, VersionId: versionId });
  const { SecretString = "" } = await new SecretsManagerClient({ region }).send(read);
  const urls = SecretString.split(",").map((url) => url.trim());
  if (!urls.every((url) => URL.canParse(url))) {
    throw new Error(`The secret ${secretName} does not hold addresses, separated by commas`);
  }
  return urls;
}
