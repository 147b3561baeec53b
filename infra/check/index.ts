import { parseArgs } from "node:util";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetPublicKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { GetHostedZoneCommand, Route53Client } from "@aws-sdk/client-route-53";
import { paginateListSubscriptionsByTopic, SNSClient } from "@aws-sdk/client-sns";
import { bytesToHex, publicKeyToAddress } from "viem/utils";
import * as z from "zod";
import type { Address } from "../../core/chain/hex.ts";
import { appName, type Domain, findSettings, listMissingSettings, type StageSettings } from "../stages.ts";
import { checkChain, checkFunds, checkNode, readNodes, readNodeUrls } from "./chain.ts";
import { catchFault, describeDifference, type Finding, runCheck } from "./finding.ts";
import { checkFeeds, checkPrice, checkStocks } from "./market.ts";
import { checkLifecycles, checkModels, checkQuotas } from "./models.ts";

/**
 * Checks the requirements that can be checked before a stage is deployed: the settings, the chain, the models, the quotas and the zone. The
 * check uses the caller's own rights and changes nothing.
 */
export function checkSettings(
  settings: StageSettings,
  scope: CheckScope = "all",
): Promise<readonly Finding[]> {
  return check(settings, chooseNodes(settings, scope), scope);
}

/**
 * Says which parts of a stage a check covers. The scope `own` leaves out services that third parties run (nodes, models, sources of prices
 * and news), because these services must not block an emergency deployment.
 */
type CheckScope = "all" | "own";

function chooseNodes(settings: StageSettings, scope: CheckScope): NodeUrls {
  return scope === "all" ? readNodes(settings) : Promise.resolve([]);
}

/**
 * Checks everything that the deployment check covers, and also the sources of prices and news and the parts of the stage that are already
 * deployed. The findings name the wallets of the stage's keys.
 */
export async function checkStage(
  stage: string,
  settings: StageSettings,
  scope: CheckScope = "all",
): Promise<readonly Finding[]> {
  const nodes = chooseNodes(settings, scope);
  const found = await Promise.all([
    check(settings, nodes, scope),
    ...(scope === "all" ? [Promise.all([checkPrice(settings)]), checkFeeds(settings)] : []),
    checkDeployment(stage, settings, nodes, scope),
  ]);
  return found.flat();
}

async function check(
  settings: StageSettings,
  nodes: NodeUrls,
  scope: CheckScope,
): Promise<readonly Finding[]> {
  const { domain, region } = settings;
  const missing = listMissingSettings(settings);
  const filledIn = { what: "the settings are filled in", fault: missing.join(", ") || undefined };
  const zone = domain === undefined || missing.includes("domain") ? [] : [checkZone(region, domain)];
  const found = await Promise.all([
    [filledIn],
    Promise.all(zone),
    checkQuotas(settings),
    ...(scope === "all"
      ? [
          checkModels(settings),
          checkLifecycles(settings),
          checkNodes(settings, nodes),
          checkRelayNodes(settings),
        ]
      : []),
  ]);
  return found.flat();
}

/** The addresses of the nodes are read once. If the addresses cannot be read, every check that needs the addresses reports the error. */
type NodeUrls = Promise<readonly string[]>;

async function checkNodes(settings: StageSettings, nodes: NodeUrls): Promise<readonly Finding[]> {
  const { rpc } = settings.chain;
  const what = "urls" in rpc ? "the nodes are told" : `the secret ${rpc.secretName} tells the nodes`;
  return catchFault(what, async () => [
    { what, fault: undefined },
    ...(await checkChain(settings.chain, await nodes)),
    ...(await checkStocks(settings, await nodes)),
    ...(await checkEach("node", settings, await nodes)),
  ]);
}

/** Checks the nodes that only the RPC relay uses. If the RPC relay has no nodes of its own, the finding says so. */
async function checkRelayNodes(settings: StageSettings): Promise<readonly Finding[]> {
  const { region, chain } = settings;
  const { relayRpc } = chain;
  if (relayRpc === undefined) {
    const what = "the RPC relay uses the nodes of payments, because chain.relayRpc is not set";
    return [{ what, fault: undefined }];
  }
  return catchFault("the relay's nodes are told", async () =>
    checkEach("the relay's node", settings, await readNodeUrls(region, relayRpc)),
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

async function checkDeployment(
  stage: string,
  settings: StageSettings,
  nodes: NodeUrls,
  scope: CheckScope,
): Promise<readonly Finding[]> {
  return catchFault("the account tells what is deployed", async () => {
    const deployed = await readStage(stage, settings);
    if (deployed === undefined) {
      return [
        { what: "nothing is deployed yet, so there is no table and there are no keys", fault: undefined },
      ];
    }
    const table = settings.restoredTable ?? deployed.TableName;
    return Promise.all([
      checkTable(settings, table),
      ...checkSubscribers(settings, deployed),
      ...(scope === "all"
        ? [...checkWallets(settings, deployed, nodes), checkPushKey(settings.region, deployed.PushKeyId)]
        : []),
    ]);
  });
}

/** Checks the subscribers of the stage's two alarm topics. */
function checkSubscribers(
  settings: StageSettings,
  { AlarmTopic, UrgentTopic }: StageOutputs,
): readonly Promise<Finding>[] {
  if (settings.alarms === undefined) return [];
  const { email, onCallUrl } = settings.alarms;
  if (AlarmTopic === undefined || UrgentTopic === undefined) {
    return [runCheck(`${email} hears of alarms`, async () => "the stack of the alarms is not deployed")];
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

function checkWallets(
  settings: StageSettings,
  { RelayerKeyIds, RelayerNumbers, AuditorKeyId }: StageOutputs,
  nodes: NodeUrls,
): readonly Promise<Finding>[] {
  const named = [
    // The relayers in use keep their numbers when another relayer is retired.
    ...RelayerKeyIds.map((keyId, index) => [`relayer ${RelayerNumbers?.[index] ?? index}`, keyId] as const),
    ...(AuditorKeyId === undefined ? [] : [["auditor", AuditorKeyId] as const]),
  ];
  return named.map(async ([name, keyId]) => {
    const what = `${name}, key ${keyId},`;
    const [found] = await catchFault(what, async () => [
      await checkFunds(what, await readWallet(settings.region, keyId), await nodes),
    ]);
    return found;
  });
}

/**
 * `npm run stage:check -- --stage prod` prints whether each requirement of a stage is met. The command exits with 1 if a requirement is not
 * met. With `--settings-only`, the deployed parts are not checked. With this option, for example, a wallet without ETH does not block a
 * deployment.
 * `--emergency` leaves out services that third parties run: nodes, models, and sources of prices and news.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: "string" },
      "settings-only": { type: "boolean", default: false },
      emergency: { type: "boolean", default: false },
    },
  });
  if (values.stage === undefined) throw new Error("Name the stage, for example --stage dev");
  const settings = findSettings(values.stage);
  const scope = values.emergency ? "own" : "all";
  const findings = await (values["settings-only"]
    ? checkSettings(settings, scope)
    : checkStage(values.stage, settings, scope));
  for (const { what, fault } of findings) {
    console.log(fault === undefined ? `ok     ${what}` : `FAULT  ${what}: ${fault}`);
  }
  if (findings.some(({ fault }) => fault !== undefined)) process.exitCode = 1;
}

/** Whether a table exists and serves requests, and is protected from deletion if the stage keeps its data. A restored table starts unprotected. */
function checkTable({ region, removal }: StageSettings, TableName: string): Promise<Finding> {
  return runCheck(`the table ${TableName} is active`, async () => {
    const { Table } = await new DynamoDBClient({ region }).send(new DescribeTableCommand({ TableName }));
    if (removal === "retain" && Table?.DeletionProtectionEnabled === false)
      return "nothing protects it from deletion";
    return describeDifference(Table?.TableStatus, "ACTIVE");
  });
}

/** Whether the AWS account has the domain's public zone, which will contain the DNS records for the certificate and the site. */
function checkZone(region: string, { name, zoneName, zoneId }: Domain): Promise<Finding> {
  return runCheck(`the zone ${zoneId} is the public one of ${zoneName}, and ${name} is in it`, async () => {
    const { HostedZone } = await new Route53Client({ region }).send(new GetHostedZoneCommand({ Id: zoneId }));
    if (HostedZone?.Config?.PrivateZone === true) return "it is private";
    if (name !== zoneName && !name.endsWith(`.${zoneName}`)) return `${name} is outside of ${zoneName}`;
    return describeDifference(HostedZone?.Name, `${zoneName}.`);
  });
}

/** Whether an alarm topic has a confirmed subscription. SNS sends nothing before a subscription is confirmed. */
function checkSubscription(
  { region }: StageSettings,
  { kind, topicArn }: { readonly kind: "alarms" | "urgent alarms"; readonly topicArn: string },
  { protocol, endpoint }: { readonly protocol: "email" | "https"; readonly endpoint: string },
): Promise<Finding> {
  return runCheck(`${endpoint} hears of ${kind}`, async () => {
    const client = new SNSClient({ region });
    for await (const page of paginateListSubscriptionsByTopic({ client }, { TopicArn: topicArn })) {
      const found = page.Subscriptions?.find(
        ({ Protocol, Endpoint }) => Protocol === protocol && Endpoint === endpoint,
      );
      if (found === undefined) continue;
      const { SubscriptionArn = "" } = found;
      if (SubscriptionArn.startsWith("arn:")) return undefined;
      return protocol === "email"
        ? "SNS waits until somebody opens the link in the mail from SNS"
        : "SNS waits until the service confirms its subscription";
    }
    return `nobody of that address is subscribed to ${topicArn}`;
  });
}

/** Whether browsers can get notifications of new articles. Without the stage's key for notifications, the stage sends no notifications. */
function checkPushKey(region: string, KeyId: string | undefined): Promise<Finding> {
  return runCheck("the key for notifications is there, so that followers hear of new articles", async () => {
    if (KeyId === undefined) return "the stage has none: deploy this version, until then nobody is told";
    const { KeySpec } = await new KMSClient({ region }).send(new GetPublicKeyCommand({ KeyId }));
    return describeDifference(KeySpec, "ECC_NIST_P256");
  });
}

/** The wallet address of a key in KMS. Throws when KMS has no such key, or when the key's curve is not the curve of the chain. */
async function readWallet(region: string, keyId: string): Promise<Address> {
  const { KeySpec, PublicKey } = await new KMSClient({ region }).send(
    new GetPublicKeyCommand({ KeyId: keyId }),
  );
  if (KeySpec !== "ECC_SECG_P256K1" || PublicKey === undefined) {
    throw new Error(`The key ${keyId} is of the kind ${KeySpec}: it cannot sign for the chain`);
  }
  // The DER form of a public key ends with the uncompressed point of 65 bytes.
  return publicKeyToAddress(bytesToHex(PublicKey.slice(-65)));
}

const Ids = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(z.string().min(1)).nonempty());

/** The outputs of the stack of `infra/storage.ts`, and of the stack of `infra/watch/index.ts` if the stage has alarms. */
const StageOutputs = z.object({
  TableName: z.string().min(1),
  RelayerKeyIds: Ids,
  RelayerNumbers: Ids.optional(),
  AuditorKeyId: z.string().min(1).optional(),
  PushKeyId: z.string().min(1).optional(),
  AlarmTopic: z.string().min(1).optional(),
  UrgentTopic: z.string().min(1).optional(),
});
export type StageOutputs = z.infer<typeof StageOutputs>;

/**
 * The deployed part of a stage, read with the caller's own rights; `undefined` before the stage's first deployment. Throws if AWS cannot be
 * reached, or refuses to show the stage's stacks.
 */
async function readStage(stage: string, { region }: StageSettings): Promise<StageOutputs | undefined> {
  const client = new CloudFormationClient({ region });
  const [storage, watch] = await Promise.all(
    ["storage", "watch"].map((name) => readOutputs(client, `${stage}-${appName}-${name}`)),
  );
  return storage && StageOutputs.parse({ ...storage, ...watch });
}

type Outputs = Readonly<Record<string, string | undefined>>;

async function readOutputs(client: CloudFormationClient, stack: string): Promise<Outputs | undefined> {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

if (import.meta.main) await run();
