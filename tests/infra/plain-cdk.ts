import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Architecture, Function as CdkLambda, Code, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import { type App, Stack as CdkStack, CfnOutput, Duration, Tags } from "aws-cdk-lib/core";
import { buildSync } from "esbuild";
import type { FunctionProps } from "../../infra/constructs.ts";
import { appName } from "../../infra/stages.ts";

/**
 * Replaces `infra/constructs.ts` and needs no SST: with this file, `cdk deploy --all` deploys a CDK app that calls `addStacks`. The app's
 * context names `stage` and `account`, and may name a folder as `code`. If the context names a code folder, the functions use the folder's
 * files instead of new bundles.
 */
export class Stack extends CdkStack {
  readonly stage: string;

  constructor(app: App, id: string) {
    const stage = String(app.node.getContext("stage"));
    const env = { account: String(app.node.getContext("account")), region: "us-east-1" };
    super(app, `${stage}-${appName}-${id}`, { env });
    Tags.of(this).add("sst:app", appName);
    Tags.of(this).add("sst:stage", stage);
    this.stage = stage;
  }

  addOutputs(outputs: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(outputs))
      if (value !== undefined) new CfnOutput(this, name, { value });
  }
}

export function makeStack(app: App, id: string): Stack {
  return new Stack(app, id);
}

export class Lambda extends CdkLambda {
  constructor(stack: Stack, id: string, props: FunctionProps) {
    const { description, memorySize, role, logGroup, environment } = props;
    const { reservedConcurrentExecutions, retryAttempts, maxEventAge, onFailure, recursiveLoop } = props;
    const given = { description, memorySize, role, logGroup, environment };
    const further = { reservedConcurrentExecutions, retryAttempts, maxEventAge, onFailure, recursiveLoop };
    const told = Object.entries({ ...given, ...further }).filter(([, value]) => value !== undefined);
    const folder = stack.node.tryGetContext("code") ?? writeBundle(props);
    super(stack, id, {
      ...Object.fromEntries(told),
      handler: String(props.handler),
      code: Code.fromAsset(String(folder)),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      tracing: Tracing.ACTIVE,
      timeout: Duration.seconds(Number(props.timeout)),
    });
  }
}

const banner = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

/** Returns a folder with a handler's bundle (one ESM file at the handler's own path) and the files that the handler reads. */
export function writeBundle({ handler = "", nodejs = {}, copyFiles = [] }: FunctionProps): string {
  const path = handler.replace(/\.\w+$/, "");
  const folder = mkdtempSync(join(tmpdir(), `${basename(path)}-`));
  buildSync({
    ...nodejs.esbuild,
    entryPoints: [`${path}.ts`],
    outfile: join(folder, `${path}.mjs`),
    banner: { js: banner },
    mainFields: ["module", "main"],
    bundle: true,
    format: "esm",
    platform: "node",
    minify: nodejs.minify === true,
  });
  for (const { from } of copyFiles) cpSync(from, join(folder, from));
  return folder;
}
