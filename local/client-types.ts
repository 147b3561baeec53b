import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { mainnet } from "../core/chain/deployment.ts";
import { makeOpenApi } from "../functions/openapi/index.ts";

/** Generates the client's types from the OpenAPI document. A test compares the stored file with the generated types. */
export async function makeClientTypes(): Promise<string> {
  const document = makeOpenApi({
    origin: "https://example.com",
    chainId: mainnet.chainId,
    chainName: mainnet.name,
    contracts: mainnet.contracts,
    treasury: mainnet.contracts.usdg,
  });
  const types = await openapiTS(JSON.stringify({ ...document, paths: {} }), {
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    silent: true,
  });
  return `// Made from /openapi.json by \`npm run client:types\`. Do not edit.\n\n${astToString(types)}`;
}

export const typesFile = join(import.meta.dirname, "../client/types.ts");

if (import.meta.main) {
  const made = await makeClientTypes();
  const changed = readFileSync(typesFile, "utf8") !== made;
  if (changed) writeFileSync(typesFile, made);
  console.log(changed ? "client/types.ts is new." : "client/types.ts was up to date.");
}
