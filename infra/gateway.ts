import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CorsHttpMethod,
  HttpApi,
  HttpStage,
  type IHttpApi,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { Duration } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import { cors } from "../functions/routes.ts";
import { makeLogs } from "./removal.ts";
import type { StageSettings } from "./stages.ts";

/** The HTTP API without its routes: what it answers to other origins, how much it takes, and what it logs. */
export function makeGateway(stack: Stack, settings: StageSettings): IHttpApi {
  const { apiId } = new HttpApi(stack, "gateway", {
    apiName: stack.stackName,
    createDefaultStage: false,
    corsPreflight: {
      allowOrigins: [...cors.allowOrigins],
      allowMethods: cors.allowMethods.map((method) => CorsHttpMethod[method]),
      allowHeaders: [...cors.allowHeaders],
      exposeHeaders: [...cors.exposeHeaders],
      maxAge: Duration.seconds(cors.maxAgeSeconds),
    },
  });
  // By its id, as others know it: CDK's class is not of its own interface under exact optional types.
  const gateway = HttpApi.fromHttpApiAttributes(stack, "gateway-by-id", { httpApiId: apiId });
  const { rate, burst } = settings.limits.gateway;
  new HttpStage(stack, "gateway-stage", {
    httpApi: gateway,
    stageName: "$default",
    autoDeploy: true,
    throttle: { rateLimit: rate, burstLimit: burst },
    detailedMetricsEnabled: false,
    accessLogSettings: {
      destination: new LogGroupLogDestination(makeLogs(stack, "gateway-logs", settings)),
      format: AccessLogFormat.custom(JSON.stringify(logLine)),
    },
  });
  return gateway;
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
