import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import * as z from "zod";
import { appName, type StageSettings } from "../stages.ts";

const Ids = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(z.string().min(1)).nonempty());

/** What the storage stack says of itself (`infra/storage.ts`). */
const Outputs = z.object({
  TableName: z.string().min(1),
  RelayerKeyIds: Ids,
  AuditorKeyId: z.string().min(1).optional(),
});
export type Deployed = z.infer<typeof Outputs>;

/**
 * What stands of a stage, with the caller's own rights; `undefined` before its first deployment. Throws when the account
 * cannot be asked.
 */
export async function readDeployed(stage: string, { region }: StageSettings): Promise<Deployed | undefined> {
  const client = new CloudFormationClient({ region });
  try {
    const { Stacks } = await client.send(
      new DescribeStacksCommand({ StackName: `${stage}-${appName}-storage` }),
    );
    const outputs = (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [
      OutputKey,
      OutputValue,
    ]);
    return Outputs.parse(Object.fromEntries(outputs));
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}
