import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import * as z from "zod";
import { findSettings, listAdoptedKeys } from "../stages.ts";
import { prepareAccount } from "./bootstrap.ts";
import { checkKept, checkNewTable, readRemains, type StageRemains, setStackProtection } from "./kept.ts";
import {
  checkAllRemoved,
  checkDeployment,
  checkStacks,
  checkTriggers,
  keepExportsInUse,
  planRollbackAlarms,
  type RollbackAlarms,
  readStacks,
} from "./stacks.ts";

/**
 * `npm run deploy -- --stage prod` and `npm run remove -- --stage dev` run SST's commands, and check the AWS account before and after SST
 * runs. A deployment and a removal can be repeated at any time. The commands exit with 0 only if all stacks are in the intended state.
 *
 * `--from` deploys a finished build of `sst build` instead of a new build. If `--despite-alarms` is given, no alarm reverts the update, so
 * that an operator can deploy a version that fixes the cause of the alarms. `--new-table` is for the first deployment of a stage that keeps
 * its data. `--yes-remove STAGE` confirms a removal; `npm run remove` removes nothing without this option.
 */
const options = {
  stage: { type: "string" },
  from: { type: "string" },
  "despite-alarms": { type: "boolean", default: false },
  "new-table": { type: "boolean", default: false },
  "yes-remove": { type: "string" },
} as const;
const Order = z.object({
  command: z.enum(["deploy", "remove"]),
  // `--stage` is required, because SST would otherwise use the personal stage of this machine's user.
  stage: z
    .string("--stage is missing: say which one")
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, "--stage takes letters, digits and hyphens"),
});

try {
  await run();
} catch (error) {
  console.error(describeError(error));
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const { command, stage } = Order.parse({ ...values, command: positionals[0] });
  const { from } = values;
  const settings = findSettings(stage);
  const client = new CloudFormationClient({ region: settings.region });
  if (command === "remove") {
    if (values["yes-remove"] !== stage)
      throw new Error(
        `This command removes ${stage}: add --yes-remove ${stage} to confirm. Nothing was removed.`,
      );
    const standing = await readStacks(client, stage);
    const left =
      settings.removal === "retain" ? await readRemains(client, stage, standing, settings) : undefined;
    await setStackProtection(client, standing, false);
    runSst("remove", stage, from === undefined ? [] : ["--from", from]);
    checkAllRemoved(await readStacks(client, stage));
    return reportRemains(left);
  }
  await prepareAccount(client);
  const before = await checkStacks(client, stage);
  checkNewTable(stage, settings, before, values["new-table"]);
  await checkKept(settings);
  const built = from ?? ".sst/dist";
  if (from === undefined) runSst("build", stage, ["--to", built]);
  await keepExportsInUse(client, built, before);
  const order = await planRollbackAlarms(client, stage, before, { despite: values["despite-alarms"] });
  runSst("deploy", stage, ["--from", built], order);
  const after = await readStacks(client, stage);
  checkDeployment(built, before, after);
  checkTriggers(order, before, after);
  if (settings.removal === "retain") await setStackProtection(client, after, true);
}

/**
 * Reports what a removal has left behind (a table and logs that still cost money, and keys that can still sign), and how a new stage can
 * adopt the table and the keys.
 */
function reportRemains(remains: StageRemains | undefined): void {
  if (remains === undefined) return;
  console.log(
    `Left behind: the table, ${listAdoptedKeys(remains.kept).length} keys and ${remains.logGroups} log groups.`,
  );
  console.log(
    `To take over the table and the keys, add this to the stage in infra/stages.ts before the stage is deployed again:`,
  );
  console.log(`  kept: ${JSON.stringify(remains.kept)},`);
}

function runSst(
  command: string,
  stage: string,
  extraArgs: readonly string[],
  rollbackAlarms: RollbackAlarms = {},
): void {
  const line = [
    "--import",
    import.meta.resolve("./preload.ts"),
    fileURLToPath(import.meta.resolve("sst/cli/sst.js")),
    command,
    "--stage",
    stage,
    ...extraArgs,
  ];
  const env = { ...process.env, ROLLBACK_ORDER: JSON.stringify(rollbackAlarms) };
  const { status } = spawnSync(process.execPath, line, { stdio: "inherit", env });
  if (status !== 0)
    throw new Error(`sst ${command} failed, the reason stands above. The command may be repeated.`);
}

function describeError(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues.map(({ message }) => message).join("\n");
  if (!(error instanceof Error)) return String(error);
  const isSignIn = /credential|token/i.test(error.name);
  return isSignIn
    ? `${error.message.replace(/\.?$/, ".")} Nothing was changed: sign in to AWS, and repeat the command.`
    : error.message;
}
