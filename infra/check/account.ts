import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetPublicKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { GetHostedZoneCommand, Route53Client } from "@aws-sdk/client-route-53";
import { paginateListSubscriptionsByTopic, SNSClient } from "@aws-sdk/client-sns";
import { bytesToHex, publicKeyToAddress } from "viem/utils";
import * as z from "zod";
import type { Address } from "../../core/chain/hex.ts";
import { appName, type Domain, type StageSettings } from "../stages.ts";
import { differs, type Finding, finding } from "./finding.ts";

/** Whether a table is there and serves requests. */
export function checkTable({ region }: StageSettings, tableName: string): Promise<Finding> {
  return finding(`the table ${tableName} is active`, async () => {
    const { Table } = await new DynamoDBClient({ region }).send(
      new DescribeTableCommand({ TableName: tableName }),
    );
    return differs(Table?.TableStatus, "ACTIVE");
  });
}

/** Whether the account has the public zone that the domain stands in: the certificate and the records are made there. */
export function checkZone(region: string, { name, zoneName, zoneId }: Domain): Promise<Finding> {
  return finding(`the zone ${zoneId} is the public one of ${zoneName}, and ${name} is in it`, async () => {
    const { HostedZone } = await new Route53Client({ region }).send(new GetHostedZoneCommand({ Id: zoneId }));
    if (HostedZone?.Config?.PrivateZone === true) return "it is private";
    if (name !== zoneName && !name.endsWith(`.${zoneName}`)) return `${name} is outside of ${zoneName}`;
    return differs(HostedZone?.Name, `${zoneName}.`);
  });
}

/** Whether an addressee of alarms has confirmed so to SNS, which sends nothing before. */
export function checkSubscription(
  { region }: StageSettings,
  { kind, topicArn }: { readonly kind: "alarms" | "urgent alarms"; readonly topicArn: string },
  { protocol, endpoint }: { readonly protocol: "email" | "https"; readonly endpoint: string },
): Promise<Finding> {
  return finding(`${endpoint} hears of ${kind}`, async () => {
    const client = new SNSClient({ region });
    for await (const page of paginateListSubscriptionsByTopic({ client }, { TopicArn: topicArn })) {
      const found = page.Subscriptions?.find(
        ({ Protocol, Endpoint }) => Protocol === protocol && Endpoint === endpoint,
      );
      if (found === undefined) continue;
      const { SubscriptionArn = "" } = found;
      if (SubscriptionArn.startsWith("arn:")) return undefined;
      return protocol === "email"
        ? "SNS waits for a click on the link that it mailed"
        : "SNS waits for the service to confirm its subscription";
    }
    return `nobody of that address is subscribed to ${topicArn}`;
  });
}

/** The wallet of a key in KMS. Throws when there is no such key, or it is none of the chain's curve. */
export async function walletOf(region: string, keyId: string): Promise<Address> {
  const { KeySpec, PublicKey } = await new KMSClient({ region }).send(
    new GetPublicKeyCommand({ KeyId: keyId }),
  );
  if (KeySpec !== "ECC_SECG_P256K1" || PublicKey === undefined) {
    throw new Error(`The key ${keyId} is of the kind ${KeySpec}: it cannot sign for the chain`);
  }
  // The DER form ends with the uncompressed point, 65 bytes.
  return publicKeyToAddress(bytesToHex(PublicKey.slice(-65)));
}

const Ids = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(z.string().min(1)).nonempty());

/** What the stacks output: `infra/storage.ts`, and `infra/watch/index.ts` where a stage has alarms. */
const Storage = z.object({
  TableName: z.string().min(1),
  RelayerKeyIds: Ids,
  AuditorKeyId: z.string().min(1).optional(),
});
const Watch = z.object({
  AlarmTopic: z.string().min(1).optional(),
  UrgentTopic: z.string().min(1).optional(),
});
export type Deployed = z.infer<typeof Storage> & z.infer<typeof Watch>;

/**
 * What stands of a stage, with the caller's own rights; `undefined` before its first deployment. Throws when the account
 * cannot be asked.
 */
export async function readDeployed(stage: string, { region }: StageSettings): Promise<Deployed | undefined> {
  const client = new CloudFormationClient({ region });
  const [storage, watch] = await Promise.all(
    ["storage", "watch"].map((name) => outputsOf(client, `${stage}-${appName}-${name}`)),
  );
  return storage && { ...Storage.parse(storage), ...Watch.parse(watch ?? {}) };
}

type Outputs = Readonly<Record<string, string | undefined>>;

async function outputsOf(client: CloudFormationClient, stack: string): Promise<Outputs | undefined> {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}
