import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import * as z from "zod";
import { appName, type StageSettings } from "../stages.ts";

const Ids = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(z.string().min(1)).nonempty());

/** What the stacks say of themselves: `infra/storage.ts`, and `infra/watch.ts` where somebody hears of alarms. */
const Storage = z.object({
  TableName: z.string().min(1),
  RelayerKeyIds: Ids,
  AuditorKeyId: z.string().min(1).optional(),
});
const Watch = z.object({ AlarmTopic: z.string().min(1).optional() });
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
