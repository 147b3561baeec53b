import { HttpMethod, HttpRoute, HttpRouteKey, type IHttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { Function as Lambda, Stack } from "sst/constructs";
import { methodsOf, type Route, routes } from "../functions/routes.ts";
import { type Ground, makeFunction } from "./function.ts";

export type Front = {
  readonly gateway: IHttpApi;
  /** What the edge adds to each request, so that the API answers nobody who goes round it: all that functions take. */
  readonly originSecret: string;
};

/** One Lambda for each row of `routes.ts`, and a route of the gateway for each of its methods. */
export function apiStack(stack: Stack, ground: Ground, front: Front): ReadonlyMap<Route["id"], Lambda> {
  return new Map<Route["id"], Lambda>(
    routes.map((row) => {
      const made = makeFunction(stack, row, ground, {
        environment: { ORIGIN_SECRET: front.originSecret },
      });
      const integration = new HttpLambdaIntegration(`${row.id}-integration`, made);
      for (const method of methodsOf(row)) {
        const name = method === row.method ? row.id : `${row.id}-${method.toLowerCase()}`;
        // The route stands here and not in the gateway's stack, which the functions wait for.
        new HttpRoute(stack, `${name}-route`, {
          httpApi: front.gateway,
          routeKey: HttpRouteKey.with(row.path, HttpMethod[method]),
          integration,
        });
      }
      return [row.id, made];
    }),
  );
}
