import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  CfnBackupVault,
} from "aws-cdk-lib/aws-backup";
import { Schedule } from "aws-cdk-lib/aws-events";
import { Duration, Fn } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import { removalOf } from "./removal.ts";
import type { StageSettings } from "./stages.ts";

/** How long a copy is kept, here and there: as long as the table can be restored to each second. */
const kept = Duration.days(35);

/**
 * Copies of the table into a vault of another account, six times a day: whoever loses this account, or has it taken away, has
 * them still. Restoring to a second works within this account only, so these are for the day on which it is gone.
 */
export function backUp(stack: Stack, table: { readonly tableArn: string }, settings: StageSettings): void {
  if (settings.backup === undefined) return;
  const vault = makeVault(stack, settings);
  const plan = new BackupPlan(stack, "backups");
  plan.addRule(
    new BackupPlanRule({
      ruleName: "every-four-hours",
      backupVault: vault,
      scheduleExpression: Schedule.cron({ minute: "0", hour: "*/4" }),
      startWindow: Duration.hours(1),
      completionWindow: Duration.hours(3),
      deleteAfter: kept,
      copyActions: [
        {
          destinationBackupVault: BackupVault.fromBackupVaultArn(
            stack,
            "other-account",
            settings.backup.copyTo,
          ),
          deleteAfter: kept,
        },
      ],
    }),
  );
  plan.addSelection("table", { resources: [BackupResource.fromArn(table.tableArn)] });
}

/** Its name ends in the stack's own id, for a kept vault must not block the stage when it is deployed again. */
function makeVault(stack: Stack, settings: StageSettings) {
  const id = Fn.select(4, Fn.split("-", Fn.select(2, Fn.split("/", stack.stackId))));
  const vault = new CfnBackupVault(stack, "backup-vault", { backupVaultName: `${stack.stackName}-${id}` });
  vault.applyRemovalPolicy(removalOf(settings));
  return BackupVault.fromBackupVaultName(stack, "backup-vault-by-name", vault.ref);
}
