import { ManagedPolicy, PermissionsBoundary } from "aws-cdk-lib/aws-iam";
import { type App, CfnResource, CustomResourceProviderBase, Stack } from "aws-cdk-lib/core";
import { buildEndpoints, makeStages } from "./api.ts";
import { buildAudit } from "./audit.ts";
import { makeStack } from "./constructs.ts";
import { buildJobs } from "./jobs.ts";
import {
  findAdoptionFault,
  findBoundaries,
  findCapacityFault,
  findSweepFault,
  type StageSettings,
} from "./stages.ts";
import { buildStorage } from "./storage.ts";
import { addMonitoring } from "./watch/index.ts";
import { buildWeb } from "./web.ts";

/**
 * Adds all stacks of a stage in the order of their creation, and passes to each stack the resources that it needs. `siteFolder` holds the
 * built site. Throws an Error if the settings cannot be deployed in one AWS account.
 */
export function addStacks(app: App, settings: StageSettings, siteFolder: string): void {
  const fault = findCapacityFault(settings, settings.quotas.concurrency);
  if (fault !== undefined) throw new Error(`infra/stages.ts does not fit its quota: ${fault}`);
  const unsafe = findSweepFault(settings);
  const foreign = findAdoptionFault(settings);
  if (foreign !== undefined) throw new Error(`infra/stages.ts cannot take back what it names: ${foreign}`);
  if (unsafe !== undefined) throw new Error(`infra/stages.ts has a sweep that is not safe: ${unsafe}`);
  const stored = buildStorage(makeStack(app, "storage"), settings);
  const web = buildWeb(makeStack(app, "web"), settings, siteFolder);
  const { origin, files, searchIndex, logs } = web;
  const context = { ...stored, settings, origin, files, searchIndex, logs };
  const audit = buildAudit(makeStack(app, "audit"), context);
  const work = buildJobs(makeStack(app, "jobs"), context);
  const all = { ...context, audit: audit.machine, queues: work.queues };
  const reading = buildEndpoints(makeStack(app, "reading"), "GET", all, web);
  const api = makeStack(app, "api");
  const writing = buildEndpoints(api, "POST", all, web);
  makeStages(api, settings, web, [...reading.made, ...writing.made]);
  const endpoints = new Map([...reading.functions, ...writing.functions]);
  api.addOutputs({ Site: web.origin });
  addMonitoring(makeStack(app, "watch"), settings, { stored, web, audit, work, endpoints });
  updateHelperRuntimes(app);
  const boundaries = findBoundaries(api.stage);
  if (boundaries === undefined) return;
  for (const stack of app.node.children.filter(Stack.isStack)) {
    const boundary = ManagedPolicy.fromManagedPolicyName(stack, "boundary", boundaries.functions);
    PermissionsBoundary.of(stack).apply(boundary);
  }
}

/** Gives CDK's own helper functions the runtime of our functions, because AWS will retire the helpers' older runtime sooner. */
function updateHelperRuntimes(app: App): void {
  for (const made of app.node.findAll()) {
    const isHelper = made.node.scope instanceof CustomResourceProviderBase;
    if (isHelper && CfnResource.isCfnResource(made) && made.cfnResourceType === "AWS::Lambda::Function")
      made.addPropertyOverride("Runtime", "nodejs24.x");
  }
}
