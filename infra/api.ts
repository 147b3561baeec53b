import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CfnStage,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { Alarm, ComparisonOperator, Stats, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Alias, Function as AnyLambda, type IFunction, Version } from "aws-cdk-lib/aws-lambda";
import { listMethods, type Route, type RouteId, routes } from "../functions/routes.ts";
import { allowSecretRead } from "./access.ts";
import type { Lambda, Stack } from "./constructs.ts";
import { makeFunction, type StackContext } from "./function.ts";
import type { StageSettings } from "./stages.ts";
import { makeLogs } from "./storage.ts";
import { makeMetric, makePeriod } from "./watch/service-alarms.ts";
import { makeApiHost, type WebParts } from "./web.ts";

/** The functions of a stack, each under the id of its row, and the gateway's routes to these functions. */
export type ApiEndpoints = {
  readonly functions: ReadonlyMap<RouteId, Lambda>;
  readonly made: readonly HttpRoute[];
};

/**
 * For each row of `routes.ts` that has the given method, makes one Lambda, and one route of the gateway for each of the row's methods. A
 * stack may have at most 500 resources. The method of a row of `routes.ts` decides which stack the row belongs to; the method is also a
 * part of the route's name at the gateway. The stack depends only on the method, so no change of a row moves an existing route of the
 * gateway to the other stack. AWS would refuse to make a moved route in its new stack while the old stack still has the route.
 */
export function buildEndpoints(
  stack: Stack,
  method: Route["method"],
  context: StackContext,
  { gateway, originSecrets }: Pick<WebParts, "gateway" | "originSecrets">,
): ApiEndpoints {
  const made: HttpRoute[] = [];
  const rows = routes.filter((row) => row.method === method);
  const functions = new Map<RouteId, Lambda>(
    rows.map((row) => {
      const environment = {
        ORIGIN_SECRET_IDS: originSecrets.map(({ secretArn }) => secretArn).join(","),
        ...(row.id === "mcp" && { API_ORIGIN: `https://${makeApiHost(stack, gateway)}` }),
      };
      const handler = makeFunction(stack, row, context, { environment });
      handler.addToRolePolicy(allowSecretRead(originSecrets.map(({ secretArn }) => secretArn)));
      const called =
        row.caller === "payer" ? releaseByAlias(stack, row.id, handler, context.settings) : handler;
      const integration = new HttpLambdaIntegration(`${row.id}-integration`, called);
      for (const method of listMethods(row)) {
        const name = method === row.method ? row.id : `${row.id}-${method.toLowerCase()}`;
        // The gateway's route belongs to the stack of its function, because the gateway's own stack is created before the functions.
        const routeKey = HttpRouteKey.with(row.path, HttpMethod[method]);
        made.push(new HttpRoute(stack, `${name}-route`, { httpApi: gateway, routeKey, integration }));
      }
      return [row.id, handler];
    }),
  );
  return { functions, made };
}

/**
 * The stages of API Gateway, with logs and limits. The gateway has one API Gateway stage for each secret of the edge, because the secret is
 * the first part of the path. If a path does not contain the edge's secret, the gateway answers with 404, runs no function, and does not
 * count the request towards the limits. The stages of API Gateway are created after the routes, because AWS refuses limits for a missing
 * route.
 */
export function makeStages(
  stack: Stack,
  settings: StageSettings,
  { gateway, originSecrets }: Pick<WebParts, "gateway" | "originSecrets">,
  made: readonly HttpRoute[],
): void {
  const logs = new LogGroupLogDestination(makeLogs(stack, "gateway-logs", settings));
  const { gateway: all, routes: single } = settings.limits;
  const makeLimit = ({ rate, burst }: typeof all) => ({
    ThrottlingRateLimit: rate,
    ThrottlingBurstLimit: burst,
    // Metrics of single routes are turned off, because these metrics are never read.
    DetailedMetricsEnabled: false,
  });
  const limited = routes.flatMap((row) => {
    const own = single[row.id];
    return own === undefined
      ? []
      : listMethods(row).map((method) => [`${method} ${row.path}`, makeLimit(own)]);
  });
  for (const { generation, value } of originSecrets) {
    const stage = new HttpStage(stack, `gateway-stage-${generation}`, {
      httpApi: gateway,
      stageName: value,
      autoDeploy: true,
      throttle: { rateLimit: all.rate, burstLimit: all.burst },
      detailedMetricsEnabled: false,
      accessLogSettings: { destination: logs, format: AccessLogFormat.custom(JSON.stringify(logLine)) },
    });
    // CDK's class for a stage of API Gateway has no setting for the limits of single routes.
    if (stage.node.defaultChild instanceof CfnStage)
      stage.node.defaultChild.routeSettings = Object.fromEntries(limited);
    for (const route of made) stage.node.addDependency(route);
  }
}

/**
 * The gateway's log has no queries, headers or bodies, because these contain callers' data. The gateway knows only the edge's address; the
 * caller's address is in the functions' own log lines (`Answered`).
 */
const logLine = {
  requestId: "$context.requestId",
  at: "$context.requestTime",
  route: "$context.routeKey",
  status: "$context.status",
  bytes: "$context.responseLength",
  milliseconds: "$context.responseLatency",
  integrationError: "$context.integrationErrorMessage",
};

/**
 * The gateway calls a payment function through an alias of the function's versions. In stages with `canary`, a new version gets a tenth of
 * the requests for five minutes. If the new version crashes or answers with a defect, CodeDeploy points the alias to the old version again.
 * Restoring the old version makes the stack's update fail, and CloudFormation then rolls back the other changes of the stack.
 */
function releaseByAlias(
  stack: Stack,
  id: RouteId,
  builtFunction: Lambda,
  { canary }: StageSettings,
): IFunction {
  // The function's version is looked up by name, because CDK's classes do not match their own interfaces under TypeScript's option
  // exactOptionalPropertyTypes.
  const version = Version.fromVersionAttributes(stack, `${id}-version`, {
    version: builtFunction.currentVersion.version,
    lambda: builtFunction,
  });
  const alias = new Alias(stack, `${id}-live`, { aliasName: "live", version });
  if (canary) addReleaseAlarms(stack, id, alias);
  return AnyLambda.fromFunctionAttributes(stack, `${id}-called`, {
    functionArn: alias.functionArn,
    sameEnvironment: true,
  });
}

function addReleaseAlarms(stack: Stack, id: RouteId, alias: Alias): void {
  const makeReleaseAlarm = (name: string, metric: ReturnType<typeof alias.metricErrors>) =>
    new Alarm(stack, `${id}-${name}`, {
      alarmName: `${stack.stackName}-${id}-${name}`,
      alarmDescription:
        "Restores the previous version of a payment function. What to do: docs/operations.md#release",
      metric,
      threshold: 0,
      // A single failure may be caused by an unusual request from a stranger. If failures occur in two of five minutes, the alarm treats
      // the new version as the cause of the failures.
      evaluationPeriods: 5,
      datapointsToAlarm: 2,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  new LambdaDeploymentGroup(stack, `${id}-release`, {
    alias,
    deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    alarms: [
      makeReleaseAlarm("release-errors", alias.metricErrors({ ...makePeriod(1), statistic: Stats.SUM })),
      makeReleaseAlarm("release-defects", makeMetric(stack, "Defects", { statistic: Stats.SUM, every: 1 })),
    ],
  });
}
