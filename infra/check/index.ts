import { parseArgs } from "node:util";
import { missingIn, type StageSettings, settingsOf } from "../stages.ts";
import {
  checkSubscription,
  checkTable,
  checkZone,
  type Deployed,
  readDeployed,
  walletOf,
} from "./account.ts";
import { checkChain, checkFunds } from "./chain.ts";
import { type Finding, failing, finding } from "./finding.ts";
import { checkFeeds, checkPrice, checkStocks } from "./market.ts";
import { checkModels, checkQuotas } from "./models.ts";
import { addressesOf, checkNode, nodesOf } from "./nodes.ts";

/**
 * Looks at everything that a stage needs before it stands and that can be looked at from outside, with the caller's own
 * rights and without changing anything: its settings, the chain that they name, the models, the quotas and the zone.
 */
export function checkSettings(settings: StageSettings): Promise<readonly Finding[]> {
  return check(settings, nodesOf(settings));
}

/**
 * Besides, the sources of prices and news, and what stands of the stage, which before its first deployment is nothing.
 * The wallets of its keys are named.
 */
export async function checkStage(stage: string, settings: StageSettings): Promise<readonly Finding[]> {
  const nodes = nodesOf(settings);
  const found = await Promise.all([
    check(settings, nodes),
    Promise.all([checkPrice(settings)]),
    checkFeeds(settings),
    ofDeployment(stage, settings, nodes),
  ]);
  return found.flat();
}

async function check(settings: StageSettings, nodes: Nodes): Promise<readonly Finding[]> {
  const { domain, region } = settings;
  const missing = missingIn(settings);
  const filledIn = { what: "the settings are filled in", fault: missing.join(", ") || undefined };
  const zone = domain === undefined || missing.includes("domain") ? [] : [checkZone(region, domain)];
  const found = await Promise.all([
    [filledIn],
    Promise.all(zone),
    checkQuotas(settings),
    checkModels(settings),
    ofNodes(settings, nodes),
    ofRelayNodes(settings),
  ]);
  return found.flat();
}

/** They are asked for once; whoever waits for them meets the error. */
type Nodes = Promise<readonly string[]>;

async function ofNodes(settings: StageSettings, nodes: Nodes): Promise<readonly Finding[]> {
  const { rpc } = settings.chain;
  const what = "urls" in rpc ? "the nodes are told" : `the secret ${rpc.secretName} tells the nodes`;
  return failing(what, async () => [
    { what, fault: undefined },
    ...(await checkChain(settings.chain, await nodes)),
    ...(await checkStocks(settings, await nodes)),
    ...(await checkEach("node", settings, await nodes)),
  ]);
}

/** Nodes that the relay has to itself; without them it asks those of payments. */
async function ofRelayNodes(settings: StageSettings): Promise<readonly Finding[]> {
  const { region, chain } = settings;
  const { relayRpc } = chain;
  if (relayRpc === undefined) return [];
  return failing("the relay's nodes are told", async () =>
    checkEach("the relay's node", settings, await addressesOf(region, relayRpc)),
  );
}

async function checkEach(
  name: string,
  { chain: { id, contracts } }: StageSettings,
  urls: readonly string[],
): Promise<readonly Finding[]> {
  const { usdg } = contracts;
  const found = await Promise.all(urls.map((url, index) => checkNode(`${name} ${index}`, url, { id, usdg })));
  return found.flat();
}

async function ofDeployment(
  stage: string,
  settings: StageSettings,
  nodes: Nodes,
): Promise<readonly Finding[]> {
  return failing("the account tells what is deployed", async () => {
    const deployed = await readDeployed(stage, settings);
    if (deployed === undefined) {
      return [
        { what: "nothing is deployed yet, so there is no table and there are no keys", fault: undefined },
      ];
    }
    const table = settings.restoredTable ?? deployed.TableName;
    return Promise.all([
      checkTable(settings, table),
      ...listeners(settings, deployed),
      ...wallets(settings, deployed, nodes),
    ]);
  });
}

/** Everybody who is to hear of alarms, at each of the two topics. */
function listeners(
  settings: StageSettings,
  { AlarmTopic, UrgentTopic }: Deployed,
): readonly Promise<Finding>[] {
  if (settings.alarms === undefined) return [];
  const { email, onCallUrl } = settings.alarms;
  if (AlarmTopic === undefined || UrgentTopic === undefined) {
    return [finding(`${email} hears of alarms`, async () => "the stack of the alarms is not deployed")];
  }
  const urgent = { kind: "urgent alarms", topicArn: UrgentTopic } as const;
  const mailbox = { protocol: "email", endpoint: email } as const;
  return [
    checkSubscription(settings, { kind: "alarms", topicArn: AlarmTopic }, mailbox),
    checkSubscription(settings, urgent, mailbox),
    ...(onCallUrl === undefined
      ? []
      : [checkSubscription(settings, urgent, { protocol: "https", endpoint: onCallUrl })]),
  ];
}

function wallets(
  settings: StageSettings,
  { RelayerKeyIds, AuditorKeyId }: Deployed,
  nodes: Nodes,
): readonly Promise<Finding>[] {
  const named = [
    ...RelayerKeyIds.map((keyId, index) => [`relayer ${index}`, keyId] as const),
    ...(AuditorKeyId === undefined ? [] : [["auditor", AuditorKeyId] as const]),
  ];
  return named.map(async ([name, keyId]) => {
    const what = `${name}, key ${keyId},`;
    const [found] = await failing(what, async () => [
      await checkFunds(what, await walletOf(settings.region, keyId), await nodes),
    ]);
    return found;
  });
}

if (import.meta.main) await run();

/**
 * `npm run stage:check -- --stage prod`: prints for each thing that a stage needs whether it is there. Exits with 1 where
 * something is missing. `--settings-only` leaves out what is deployed already, so that an empty wallet blocks no deployment.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { stage: { type: "string" }, "settings-only": { type: "boolean", default: false } },
  });
  if (values.stage === undefined) throw new Error("Say which stage: --stage dev");
  const settings = settingsOf(values.stage);
  const findings = await (values["settings-only"]
    ? checkSettings(settings)
    : checkStage(values.stage, settings));
  for (const { what, fault } of findings) {
    console.log(fault === undefined ? `ok     ${what}` : `FAULT  ${what}: ${fault}`);
  }
  if (findings.some(({ fault }) => fault !== undefined)) process.exitCode = 1;
}
