import { HttpMethod, HttpRoute, HttpRouteKey } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { Function as Lambda, Stack } from "sst/constructs";
import { methodsOf, type Route, routes } from "../functions/routes.ts";
import { makeFunction, type StackContext } from "./function.ts";
import type { Web } from "./web.ts";

/** One Lambda for each row of `routes.ts`, and a route of the gateway for each of its methods. */
export function apiStack(
  stack: Stack,
  context: StackContext,
  { gateway, originSecret }: Pick<Web, "gateway" | "originSecret">,
): ReadonlyMap<Route["id"], Lambda> {
  return new Map<Route["id"], Lambda>(
    routes.map((row) => {
      const made = makeFunction(stack, row, context, { environment: { ORIGIN_SECRET: originSecret } });
      const integration = new HttpLambdaIntegration(`${row.id}-integration`, made);
      for (const method of methodsOf(row)) {
        const name = method === row.method ? row.id : `${row.id}-${method.toLowerCase()}`;
        // The route belongs to this stack and not to the gateway's, which the functions wait for.
        new HttpRoute(stack, `${name}-route`, {
          httpApi: gateway,
          routeKey: HttpRouteKey.with(row.path, HttpMethod[method]),
          integration,
        });
      }
      return [row.id, made];
    }),
  );
}
