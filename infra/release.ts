import { Alarm, ComparisonOperator, Stats, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Alias, Function as AnyLambda, type IFunction, Version } from "aws-cdk-lib/aws-lambda";
import type { Function as Lambda, Stack } from "sst/constructs";
import type { RouteId } from "../functions/routes.ts";
import type { StageSettings } from "./stages.ts";
import { measured, minutes } from "./watch/metrics.ts";

/**
 * What the gateway calls of a payment function: an alias of its versions. Where the stage wants it, a new version gets a tenth of
 * the requests for five minutes. Should it crash, or answer with a defect, CodeDeploy moves the alias back and the stack's update
 * fails, so that CloudFormation takes back the rest.
 */
export function released(stack: Stack, id: RouteId, made: Lambda, { canary }: StageSettings): IFunction {
  // By their names: CDK's classes are not of their own interfaces under exact optional types.
  const version = Version.fromVersionAttributes(stack, `${id}-version`, {
    version: made.currentVersion.version,
    lambda: made,
  });
  const alias = new Alias(stack, `${id}-live`, { aliasName: "live", version });
  if (canary) watchRelease(stack, id, alias);
  return AnyLambda.fromFunctionAttributes(stack, `${id}-called`, {
    functionArn: alias.functionArn,
    sameEnvironment: true,
  });
}

function watchRelease(stack: Stack, id: RouteId, alias: Alias): void {
  const alarm = (name: string, metric: ReturnType<typeof alias.metricErrors>) =>
    new Alarm(stack, `${id}-${name}`, {
      alarmName: `${stack.stackName}-${id}-${name}`,
      alarmDescription:
        "Takes a new version of a payment function back. What to do: docs/operations.md#release",
      metric,
      threshold: 0,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  new LambdaDeploymentGroup(stack, `${id}-release`, {
    alias,
    deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    alarms: [
      alarm("release-errors", alias.metricErrors({ ...minutes(1), statistic: Stats.SUM })),
      alarm("release-defects", measured(stack, "Defects", { statistic: Stats.SUM, every: 1 })),
    ],
  });
}
