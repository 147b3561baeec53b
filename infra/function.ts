import { basename, dirname } from "node:path";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Job } from "../functions/jobs.ts";
import type { Access, Route } from "../functions/routes.ts";
import { curveFile, typefaceFiles } from "../functions/storage.ts";
import { grants, makeChainVariables, type Resources } from "./access.ts";
import { type FunctionProps, Lambda, type Stack } from "./constructs.ts";
import { appName, makeSignerPath, type SignerKind } from "./stages.ts";
import { makeLogs } from "./storage.ts";

/**
 * Bundles a handler with SST: one minified ESM file that includes the AWS SDK, because a bundled SDK loads faster than the runtime's copy.
 * The bundle has no source map: if a stack trace must be read, `npm run trace` makes a source map from the same commit.
 */
export const bundle = {
  format: "esm",
  minify: true,
  sourcemap: false,
  esbuild: { target: "node24", keepNames: false, sourcesContent: false, legalComments: "none" },
} as const satisfies FunctionProps["nodejs"];

/** The props of every stack with functions: the settings, the site's address, and the resources made so far. */
export type StackContext = Resources & {
  /** The site's address, such as `https://example.com`. */
  readonly origin: string;
};

/** The `service` dimension of a stage's metrics, which distinguishes stages. */
export function makeServiceName(stack: Stack): string {
  return `${stack.stage}-${appName}`;
}

/**
 * Makes one Lambda from one row of the table of endpoints or of workers, with only the memory, time limit, rights and variables that the
 * row names. `further` contains the additional settings for the row's kind of function.
 */
export function makeFunction(
  stack: Stack,
  row: Route | Job,
  context: StackContext,
  further: Pick<
    FunctionProps,
    "environment" | "retryAttempts" | "maxEventAge" | "onFailure" | "recursiveLoop"
  > = {},
): Lambda {
  const granted = row.access.map((access) => grants[access](context, stack, row));
  const logGroup = makeLogs(stack, `${row.id}-logs`, context.settings);
  // The function has its own role, because CDK's default role is allowed to write to every log group of the AWS account.
  const signs = (["relayer", "auditor", "receipt", "push"] as const).find((kind) =>
    signing[kind].some((word) => row.access.includes(word)),
  );
  const role = new Role(stack, `${row.id}-role`, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    ...(signs !== undefined && { path: makeSignerPath(stack.stage, signs) }),
  });
  logGroup.grantWrite(role);
  for (const { statements } of granted) {
    for (const statement of statements) role.addToPolicy(statement);
  }
  const reserved = new Map(Object.entries(context.settings.limits.reserved)).get(row.id);
  return new Lambda(stack, row.id, {
    description: `${stack.stage}: ${row.id}`,
    handler: row.file.replace(/\.ts$/, `.${row.handler}`),
    runtime: "nodejs24.x",
    architecture: "arm_64",
    memorySize: row.memoryMb,
    timeout: row.timeoutSeconds,
    tracing: "active",
    role,
    logGroup,
    ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    nodejs: bundle,
    copyFiles: listBundledFiles(row),
    ...further,
    environment: Object.assign(
      // The variables have the names in `functions/lib/environment.ts`.
      {
        SITE_ORIGIN: context.origin,
        ...makeChainVariables(context.settings),
        POWERTOOLS_LOG_LEVEL: context.settings.logLevel,
        POWERTOOLS_SERVICE_NAME: makeServiceName(stack),
      },
      ...granted.map(({ environment }) => environment),
      further.environment,
    ),
    // With this setting, SST does not publish the functions' names. This project does not use SST's bindings of resources to functions, so
    // nothing would read the published names.
    _doNotAllowOthersToBind: true,
  });
}

/** The files that a function reads at run time. A bundle loads the library for elliptic curves from its own folder. */
function listBundledFiles({ access, file }: Route | Job): NonNullable<FunctionProps["copyFiles"]> {
  const { relayer, auditor, receipt } = signing;
  const recovers = ["chain", ...relayer, ...auditor, ...receipt].some((word) =>
    access.some((has) => has === word),
  );
  return [
    ...(access.includes("typefaces") ? typefaceFiles.map((from) => ({ from })) : []),
    ...(recovers ? [{ from: curveFile, to: `${dirname(file)}/${basename(curveFile)}` }] : []),
  ];
}

const signing: Readonly<Record<SignerKind, readonly Access[]>> = {
  relayer: ["relayers:sign", "sweep:sign"],
  auditor: ["auditor:sign"],
  receipt: ["receipts:sign"],
  push: ["push:sign"],
};
