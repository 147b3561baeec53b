import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as z from "zod";
import { appName, missingIn, type StageSettings, settingsOf } from "../stages.ts";
import { checkAccount, type Deployed, walletOf } from "./account.ts";
import { checkChain, checkFunds } from "./chain.ts";
import { type Finding, finding } from "./finding.ts";

/** Where SST keeps the outputs of the last deployment that was made from here. */
const outputs = ".sst/outputs.json";

/**
 * `npm run stage:check -- --stage prod`: looks at the chain that a stage is set to, and at the stage itself once it was
 * deployed from here, with the caller's own rights. Ends with 1 when something is the matter. Where the nodes'
 * addresses are a secret, CHAIN_RPC_URL gives them.
 */
const { values } = parseArgs({ options: { stage: { type: "string" } } });
if (values.stage === undefined) throw new Error("Say which stage: --stage dev");
const findings = await check(values.stage);
for (const { what, fault } of findings) {
  console.log(fault === undefined ? `ok     ${what}` : `FAULT  ${what}: ${fault}`);
}
if (findings.some(({ fault }) => fault !== undefined)) process.exitCode = 1;

async function check(stage: string): Promise<readonly Finding[]> {
  const settings = settingsOf(stage);
  const urls = nodesOf(settings);
  return [
    await finding("the settings are filled in", async () => missingIn(settings).join(", ") || undefined),
    ...(await checkChain(settings.chain, urls)),
    ...(await checkDeployed(stage, settings, urls)),
  ];
}

async function checkDeployed(
  stage: string,
  settings: StageSettings,
  urls: readonly string[],
): Promise<readonly Finding[]> {
  const deployed = readDeployed(stage);
  if (deployed === undefined)
    return [{ what: "the stage was deployed from here", fault: `not yet, see ${outputs}` }];
  const relayers = deployed.relayerKeyIds.map((keyId) => checkRelayer(settings.region, keyId, urls));
  return [...(await checkAccount(settings, deployed)), ...(await Promise.all(relayers))];
}

function nodesOf({ chain: { rpc } }: StageSettings): readonly string[] {
  const given = process.env.CHAIN_RPC_URL?.split(",");
  if (given !== undefined) return given;
  if ("urls" in rpc) return rpc.urls;
  throw new Error(`The nodes' addresses are a secret, ${rpc.secretName}: give them in CHAIN_RPC_URL`);
}

async function checkRelayer(region: string, keyId: string, urls: readonly string[]): Promise<Finding> {
  const what = `the relayer's key ${keyId} signs for the chain and can pay for gas`;
  return finding(what, async () => {
    const wallet = await walletOf(region, keyId);
    const { fault } = await checkFunds(wallet, urls);
    return fault === undefined ? undefined : `${wallet}: ${fault}`;
  });
}

function readDeployed(stage: string): Deployed | undefined {
  if (!existsSync(outputs)) return undefined;
  const Stacks = z.record(z.string(), z.record(z.string(), z.string()));
  const storage = Stacks.parse(JSON.parse(readFileSync(outputs, "utf8")))[`${stage}-${appName}-storage`];
  if (storage === undefined) return undefined;
  const { TableName, RelayerKeyIds } = z
    .object({ TableName: z.string(), RelayerKeyIds: z.string() })
    .parse(storage);
  return { tableName: TableName, relayerKeyIds: RelayerKeyIds.split(",") };
}
