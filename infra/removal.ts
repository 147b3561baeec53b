import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Fn, RemovalPolicy } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import type { StageSettings } from "./stages.ts";

/**
 * What becomes of something that holds data when its stage is removed. What a failed creation has just made is deleted
 * even where data is kept: it is empty, and nothing would ever find it again.
 */
export function removalOf({ removal }: StageSettings): RemovalPolicy {
  return removal === "retain" ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/**
 * A log group that keeps its lines as long as the stage says. Some services write only to groups whose names begin with a
 * `prefix`. The name then ends in the stack's own id: a kept group must not block the stage when it is deployed again.
 */
export function makeLogs(stack: Stack, id: string, settings: StageSettings, prefix?: string): LogGroup {
  return new LogGroup(stack, id, {
    ...(prefix !== undefined && { logGroupName: `${prefix}${stack.stackName}-${idOf(stack)}` }),
    retention: settings.logDays,
    removalPolicy: removalOf(settings),
  });
}

/** The last part of the stack's ARN, which CloudFormation makes anew for every creation. */
function idOf(stack: Stack): string {
  return Fn.select(2, Fn.split("/", stack.stackId));
}
