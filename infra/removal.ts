import { LogGroup } from "aws-cdk-lib/aws-logs";
import { RemovalPolicy } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import type { StageSettings } from "./stages.ts";

/** What becomes of something that holds data when its stage is removed. */
export function removalOf({ removal }: StageSettings): RemovalPolicy {
  return removal === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}

/** A log group that keeps its lines as long as the stage says. Some services write only to groups of a certain name. */
export function makeLogs(stack: Stack, id: string, settings: StageSettings, name?: string): LogGroup {
  return new LogGroup(stack, id, {
    ...(name !== undefined && { logGroupName: name }),
    retention: settings.logDays,
    removalPolicy: removalOf(settings),
  });
}
