import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type FunctionProps, Function as Lambda, type Stack } from "sst/constructs";
import type { Job } from "../functions/jobs.ts";
import type { Route } from "../functions/routes.ts";
import { bundle } from "./bundle.ts";
import { serviceName } from "./measured.ts";
import { type Reachable, reach } from "./reach.ts";
import { makeLogs } from "./removal.ts";
import { chainVariables } from "./variables.ts";

/** What a row's function is made from: settings, where the site is, and what stands already. */
export type Ground = Omit<Reachable, "stack"> & {
  /** Such as `https://example.com`. */
  readonly origin: string;
};

/**
 * One Lambda from one row: its memory, its time limit, its rights and names, and nothing that the row does not say.
 * `further` is what a kind of row has besides.
 */
export function makeFunction(
  stack: Stack,
  row: Route | Job,
  ground: Ground,
  further: Pick<
    FunctionProps,
    "environment" | "retryAttempts" | "maxEventAge" | "onFailure" | "recursiveLoop"
  > = {},
): Lambda {
  const reaches = row.touches.map((touch) => reach[touch]({ ...ground, stack }));
  const logGroup = makeLogs(stack, `${row.id}-logs`, ground.settings);
  // A role of its own: the one that CDK makes may write to every log group of the account.
  const role = new Role(stack, `${row.id}-role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  for (const { statements } of reaches) {
    for (const statement of statements) role.addToPolicy(statement);
  }
  return new Lambda(stack, row.id, {
    description: `${stack.stage}: ${row.id}`,
    handler: row.file.replace(/\.ts$/, ".handler"),
    runtime: "nodejs24.x",
    architecture: "arm_64",
    memorySize: row.memoryMb,
    timeout: row.timeoutSeconds,
    tracing: "active",
    role,
    logGroup,
    nodejs: bundle,
    ...further,
    environment: Object.assign(
      { ...common(ground), POWERTOOLS_SERVICE_NAME: serviceName(stack) },
      ...reaches.map(({ environment }) => environment),
      further.environment,
    ),
    // Nothing is bound to functions, so SST need not publish their names.
    _doNotAllowOthersToBind: true,
  });
}

/** What every function may know. The names are those of `functions/lib/environment.ts`. */
function common({ settings, origin }: Ground): Record<string, string> {
  return {
    SITE_ORIGIN: origin,
    ...chainVariables(settings),
    POWERTOOLS_LOG_LEVEL: settings.logLevel,
  };
}
