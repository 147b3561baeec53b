import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CfnStage,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpApi,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { Function as Lambda, Stack } from "sst/constructs";
import { methodsOf, type RouteId, routes } from "../functions/routes.ts";
import { reading } from "./access.ts";
import { makeFunction, type StackContext } from "./function.ts";
import { released } from "./release.ts";
import { makeLogs } from "./removal.ts";
import type { StageSettings } from "./stages.ts";
import type { Web } from "./web.ts";

/** One Lambda for each row of `routes.ts`, and a route of the gateway for each of its methods. */
export function apiStack(
  stack: Stack,
  context: StackContext,
  { gateway, originSecrets }: Pick<Web, "gateway" | "originSecrets">,
): ReadonlyMap<RouteId, Lambda> {
  const made: HttpRoute[] = [];
  const functions = new Map<RouteId, Lambda>(
    routes.map((row) => {
      const environment = { ORIGIN_SECRET_IDS: originSecrets.join(",") };
      const handler = makeFunction(stack, row, context, { environment });
      handler.addToRolePolicy(reading(originSecrets));
      const called = row.caller === "payer" ? released(stack, row.id, handler, context.settings) : handler;
      const integration = new HttpLambdaIntegration(`${row.id}-integration`, called);
      for (const method of methodsOf(row)) {
        const name = method === row.method ? row.id : `${row.id}-${method.toLowerCase()}`;
        // The route belongs to this stack and not to the gateway's, which the functions wait for.
        const routeKey = HttpRouteKey.with(row.path, HttpMethod[method]);
        made.push(new HttpRoute(stack, `${name}-route`, { httpApi: gateway, routeKey, integration }));
      }
      return [row.id, handler];
    }),
  );
  makeStage(stack, context.settings, gateway, made);
  return functions;
}

/**
 * What the gateway takes and what it logs. It stands here, after the routes: AWS refuses limits for a route that is not there
 * yet.
 */
function makeStage(
  stack: Stack,
  settings: StageSettings,
  gateway: IHttpApi,
  made: readonly HttpRoute[],
): void {
  const { gateway: all, routes: single } = settings.limits;
  const limit = ({ rate, burst }: typeof all) => ({
    ThrottlingRateLimit: rate,
    ThrottlingBurstLimit: burst,
    // Nothing reads metrics of single routes.
    DetailedMetricsEnabled: false,
  });
  const stage = new HttpStage(stack, "gateway-stage", {
    httpApi: gateway,
    stageName: "$default",
    autoDeploy: true,
    throttle: { rateLimit: all.rate, burstLimit: all.burst },
    detailedMetricsEnabled: false,
    accessLogSettings: {
      destination: new LogGroupLogDestination(makeLogs(stack, "gateway-logs", settings)),
      format: AccessLogFormat.custom(JSON.stringify(logLine)),
    },
  });
  const limited = routes.flatMap((row) => {
    const own = single[row.id];
    return own === undefined ? [] : methodsOf(row).map((method) => [`${method} ${row.path}`, limit(own)]);
  });
  // CDK's stage knows no limits of single routes.
  if (stage.node.defaultChild instanceof CfnStage)
    stage.node.defaultChild.routeSettings = Object.fromEntries(limited);
  for (const route of made) stage.node.addDependency(route);
}

/** Neither queries, headers nor bodies: they hold what belongs to callers. */
const logLine = {
  requestId: "$context.requestId",
  at: "$context.requestTime",
  ip: "$context.identity.sourceIp",
  route: "$context.routeKey",
  status: "$context.status",
  bytes: "$context.responseLength",
  milliseconds: "$context.responseLatency",
  integrationError: "$context.integrationErrorMessage",
};
