import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { AwsFailure } from "../../../local/stand-in.ts";
import {
  type AccountStack,
  type AnswerContent,
  type AwsAccount,
  addEvent,
  addStack,
  findStack,
  listImporters,
  type Rollback,
  type StackPlan,
} from "./account.ts";
import { create, makeScope, remove, update } from "./operations.ts";
import {
  checkCapabilities,
  checkRules,
  findFaults,
  makeValidationError,
  readTemplate,
  resolveParameters,
} from "./template.ts";

/** The client sends an empty list as an empty string. */
const makeListSchema = <T extends z.ZodType>(item: T, maxItems = 500) =>
  z.preprocess((value) => (value === "" ? [] : value), z.array(item).max(maxItems));

const Named = z.object({ StackName: z.string() });
const Wanted = Named.extend({
  TemplateURL: z.string().optional(),
  TemplateBody: z.string().optional(),
  UsePreviousTemplate: z.string().optional(),
  Capabilities: makeListSchema(z.string()).default([]),
  RoleARN: z.string().optional(),
  Parameters: makeListSchema(
    z.object({
      ParameterKey: z.string(),
      ParameterValue: z.string().optional(),
      UsePreviousValue: z.string().optional(),
    }),
  ).default([]),
  Tags: makeListSchema(z.object({ Key: z.string(), Value: z.string() })).default([]),
  RollbackConfiguration: z
    .object({
      RollbackTriggers: makeListSchema(
        z.object({
          Arn: z.string(),
          Type: z.enum(["AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm"]),
        }),
        5,
      ).optional(),
      MonitoringTimeInMinutes: z.coerce.number().int().min(0).max(180).optional(),
    })
    .optional(),
});
const ChangeSet = Wanted.extend({
  ChangeSetName: z.string(),
  ChangeSetType: z.enum(["CREATE", "UPDATE"]).default("UPDATE"),
});
const ChangeSetNamed = z.object({ StackName: z.string(), ChangeSetName: z.string() });

export type QueryActions = Readonly<Record<string, (account: AwsAccount, input: unknown) => AnswerContent>>;

/** The CloudFormation actions that the command lines of SST and CDK use. */
export const actions: QueryActions = {
  DescribeStacks(account, input) {
    const { StackName } = Named.partial().parse(input);
    if (StackName === undefined) {
      return { Stacks: account.stacks.filter(({ status }) => status !== "DELETE_COMPLETE").map(formatStack) };
    }
    return { Stacks: [formatStack(requireStack(account, StackName))] };
  },
  DescribeStackResources: (account, input) => ({ StackResources: listResources(account, input) }),
  ListStackResources: (account, input) => ({ StackResourceSummaries: listResources(account, input) }),
  DescribeStackEvents(account, input) {
    const stack = requireStack(account, Named.parse(input).StackName);
    return {
      StackEvents: stack.events.map((event) => ({
        StackId: stack.id,
        StackName: stack.name,
        EventId: event.id,
        LogicalResourceId: event.logicalId,
        PhysicalResourceId: event.physicalId,
        ResourceType: event.type,
        ResourceStatus: event.status,
        ResourceStatusReason: event.reason,
        Timestamp: event.at,
      })),
    };
  },
  GetTemplate: (account, input) => ({
    TemplateBody: requireStack(account, Named.parse(input).StackName).plan?.text ?? "{}",
  }),
  ListImports(account, input) {
    const { ExportName } = z.object({ ExportName: z.string() }).parse(input);
    const importers = listImporters(account, ExportName);
    if (importers.length === 0)
      throw makeValidationError(`Export '${ExportName}' is not imported by any stack.`);
    return { Imports: [...importers] };
  },
  CreateStack(account, input) {
    const wanted = Wanted.parse(input);
    return { StackId: createStack(account, wanted.StackName, makePlan(account, wanted)).id };
  },
  UpdateStack(account, input) {
    const wanted = Wanted.parse(input);
    return { StackId: updateStack(account, wanted.StackName, makePlan(account, wanted)).id };
  },
  DeleteStack(account, input) {
    deleteStack(account, Named.parse(input).StackName);
    return {};
  },
  CreateChangeSet(account, input) {
    const { ChangeSetName, ChangeSetType, ...wanted } = ChangeSet.parse(input);
    const plan = makePlan(account, wanted);
    const isNew = ChangeSetType === "CREATE";
    const existing = findStack(account, wanted.StackName);
    if (isNew && existing !== undefined && existing.status !== "REVIEW_IN_PROGRESS") {
      throw makeValidationError(
        `Stack [${wanted.StackName}] already exists and cannot be created again with the changeSet`,
      );
    }
    if (!isNew && existing === undefined)
      throw makeValidationError(`Stack [${wanted.StackName}] does not exist`);
    const stack = existing ?? addStack(account, wanted.StackName, "REVIEW_IN_PROGRESS");
    const id = `arn:aws:cloudformation:${account.region}:${account.id}:changeSet/${ChangeSetName}/${randomUUID()}`;
    stack.changeSet = { name: ChangeSetName, id, plan, isNew };
    return { Id: id, StackId: stack.id };
  },
  DescribeChangeSet(account, input) {
    const { stack, set } = findChangeSet(account, input);
    return {
      ChangeSetName: set.name,
      ChangeSetId: set.id,
      StackId: stack.id,
      StackName: stack.name,
      Status: "CREATE_COMPLETE",
      ExecutionStatus: "AVAILABLE",
      Changes: Object.entries(set.plan.template.Resources).map(([LogicalResourceId, { Type }]) => ({
        Type: "Resource",
        ResourceChange: { Action: set.isNew ? "Add" : "Modify", LogicalResourceId, ResourceType: Type },
      })),
    };
  },
  DeleteChangeSet(account, input) {
    const { StackName } = ChangeSetNamed.parse(input);
    const stack = findStack(account, StackName);
    if (stack !== undefined) stack.changeSet = undefined;
    return {};
  },
  ExecuteChangeSet(account, input) {
    const { stack, set } = findChangeSet(account, input);
    stack.changeSet = undefined;
    if (set.isNew) createStack(account, stack.name, set.plan);
    else updateStack(account, stack.name, set.plan);
    return {};
  },
  UpdateTerminationProtection(account, input) {
    const form = Named.extend({ EnableTerminationProtection: z.enum(["true", "false"]) });
    const { StackName, EnableTerminationProtection } = form.parse(input);
    const stack = requireStack(account, StackName);
    stack.isProtected = EnableTerminationProtection === "true";
    return { StackId: stack.id };
  },
};

/**
 * A stack's resources. The time of each resource is written under two names, because CloudFormation's two list actions use different names
 * for it.
 */
function listResources(account: AwsAccount, input: unknown): AnswerContent {
  const { resources } = requireStack(account, Named.parse(input).StackName);
  return Array.from(resources.values(), ({ logicalId, physicalId, type }) => ({
    LogicalResourceId: logicalId,
    PhysicalResourceId: physicalId,
    ResourceType: type,
    ResourceStatus: "CREATE_COMPLETE",
    Timestamp: new Date(),
    LastUpdatedTimestamp: new Date(),
  }));
}

function requireStack(account: AwsAccount, nameOrId: string): AccountStack {
  const stack = findStack(account, nameOrId);
  if (stack === undefined) throw makeValidationError(`Stack with id ${nameOrId} does not exist`);
  return stack;
}

function findChangeSet(account: AwsAccount, input: unknown) {
  const { StackName, ChangeSetName } = ChangeSetNamed.parse(input);
  const stack = requireStack(account, StackName);
  const set = stack.changeSet;
  if (set === undefined || (set.name !== ChangeSetName && set.id !== ChangeSetName)) {
    throw new AwsFailure("ChangeSetNotFoundException", `ChangeSet [${ChangeSetName}] does not exist`);
  }
  return { stack, set };
}

function formatStack(stack: AccountStack): AnswerContent {
  return {
    StackId: stack.id,
    StackName: stack.name,
    StackStatus: stack.status,
    CreationTime: stack.createdAt,
    LastUpdatedTime: stack.updatedAt,
    EnableTerminationProtection: stack.isProtected,
    RollbackConfiguration: {
      RollbackTriggers: stack.rollback.triggers.map((Arn) => ({ Arn, Type: "AWS::CloudWatch::Alarm" })),
      MonitoringTimeInMinutes: stack.rollback.minutes,
    },
    Tags: Object.entries(stack.plan?.tags ?? {}).map(([Key, Value]) => ({ Key, Value })),
    Parameters: [...(stack.plan?.parameters ?? [])].map(([ParameterKey, ParameterValue]) => ({
      ParameterKey,
      ParameterValue,
    })),
    Outputs: stack.outputs.map(({ key, value, exportName }) => ({
      OutputKey: key,
      OutputValue: value,
      ExportName: exportName,
    })),
  };
}

/** CloudFormation's limits in bytes for a template in a request, and for a template in S3. */
const mostSent = 51_200;
const mostStored = 1_048_576;

function makePlan(account: AwsAccount, input: z.infer<typeof Wanted>): StackPlan {
  const role = input.RoleARN?.split(":role/")[1];
  if (role !== undefined && !account.resources.has(`AWS::IAM::Role ${role}`)) {
    throw makeValidationError(`Role ${input.RoleARN} is invalid or cannot be assumed`);
  }
  const text = findTemplateText(account, input);
  checkTemplate(account, input.StackName, text);
  const template = readTemplate(text);
  checkCapabilities(template, input.Capabilities);
  const given = new Map(
    input.Parameters.map(({ ParameterKey, ParameterValue, UsePreviousValue }) => [
      ParameterKey,
      (UsePreviousValue === "true"
        ? findStack(account, input.StackName)?.plan?.parameters.get(ParameterKey)
        : ParameterValue) ?? "",
    ]),
  );
  return {
    text,
    template,
    parameters: resolveParameters(account.parameters, template, given),
    tags: Object.fromEntries(input.Tags.map(({ Key, Value }) => [Key, Value])),
    rollback: readRollback(input),
  };
}

/** The rollback triggers of a request to CloudFormation. A request without triggers leaves the stack's triggers unchanged. */
function readRollback({ RollbackConfiguration = {} }: z.infer<typeof Wanted>): Partial<Rollback> {
  const { RollbackTriggers, MonitoringTimeInMinutes: minutes } = RollbackConfiguration;
  return {
    ...(RollbackTriggers !== undefined && { triggers: RollbackTriggers.map(({ Arn }) => Arn) }),
    ...(minutes !== undefined && { minutes }),
  };
}

/**
 * Refuses a template that AWS's validator rejects, although CloudFormation would notice some faults only when it creates the resource.
 * CDK's own template is not checked, because the validator treats the template's empty defaults as values. The template's conditions
 * exclude these empty defaults.
 */
function checkTemplate({ templates }: AwsAccount, stackName: string, text: string): void {
  if (stackName === "CDKToolkit") return;
  const faults = findFaults(text);
  if (faults.length > 0) throw makeValidationError(`Template format error: ${faults.join("\n")}`);
  templates.add(text);
}

function findTemplateText(
  account: AwsAccount,
  { StackName, TemplateURL, TemplateBody, UsePreviousTemplate }: z.infer<typeof Wanted>,
) {
  if (UsePreviousTemplate === "true") return requireStack(account, StackName).plan?.text ?? "";
  if (TemplateBody !== undefined) {
    if (Buffer.byteLength(TemplateBody) > mostSent) {
      throw makeValidationError(
        "1 validation error detected: Value at 'templateBody' failed to satisfy constraint: length",
      );
    }
    return TemplateBody;
  }
  const [, bucket = "", key = ""] =
    /^https:\/\/s3\.[a-z0-9-]+\.amazonaws\.com\/([^/]+)\/(.+)$/.exec(TemplateURL ?? "") ?? [];
  const stored = account.buckets.get(bucket)?.get(key);
  if (stored === undefined)
    throw makeValidationError(
      `TemplateURL must reference a valid S3 object to which you have access: ${TemplateURL}`,
    );
  if (stored.length > mostStored) throw makeValidationError("Template may not exceed 1000000 bytes in size.");
  return stored.toString();
}

/** Starts to create a stack. If a change set for the stack was made before, the stack already exists, but without resources. */
export function createStack(account: AwsAccount, name: string, plan: StackPlan): AccountStack {
  const existing = findStack(account, name);
  if (existing !== undefined && existing.status !== "REVIEW_IN_PROGRESS") {
    throw new AwsFailure("AlreadyExistsException", `Stack [${name}] already exists`);
  }
  const nothing = { id: "", name, resources: new Map() };
  checkRules(plan.template, makeScope(account, nothing, plan, new Set()));
  const stack = existing ?? addStack(account, name, "REVIEW_IN_PROGRESS");
  stack.plan = plan;
  stack.rollback = { ...stack.rollback, ...plan.rollback };
  startWork(account, stack, "CREATE_IN_PROGRESS", () => create(account, stack, plan));
  return stack;
}

function updateStack(account: AwsAccount, name: string, plan: StackPlan): AccountStack {
  const stack = findStack(account, name);
  if (stack === undefined) throw makeValidationError(`Stack [${name}] does not exist`);
  if (!["CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"].includes(stack.status)) {
    throw makeValidationError(`Stack:${stack.id} is in ${stack.status} state and can not be updated.`);
  }
  checkRules(plan.template, makeScope(account, stack, plan, new Set()));
  const { template, parameters, tags } = stack.plan ?? {};
  const isSame =
    isDeepStrictEqual(template, plan.template) &&
    isDeepStrictEqual(parameters, plan.parameters) &&
    isDeepStrictEqual(tags, plan.tags);
  // AWS does not document whether a request that changes only the triggers counts as an update. The stand-in refuses a request that changes
  // only the triggers, so that no deployment depends on undocumented behaviour.
  if (isSame) throw makeValidationError("No updates are to be performed.");
  stack.rollback = { ...stack.rollback, ...plan.rollback };
  stack.updatedAt = new Date();
  startWork(account, stack, "UPDATE_IN_PROGRESS", () => update(account, stack, plan));
  return stack;
}

function deleteStack(account: AwsAccount, nameOrId: string): void {
  const stack = findStack(account, nameOrId);
  if (stack === undefined || stack.status === "DELETE_COMPLETE") return;
  if (stack.isProtected)
    throw makeValidationError(
      `Stack [${stack.name}] cannot be deleted while TerminationProtection is enabled`,
    );
  const before = stack.status;
  if (before.endsWith("_IN_PROGRESS") && before !== "REVIEW_IN_PROGRESS") {
    throw makeValidationError(`Stack [${stack.name}] cannot be deleted while in status ${before}`);
  }
  startWork(account, stack, "DELETE_IN_PROGRESS", () => remove(account, stack, before));
}

/** Answers a request at once and does the work later, as CloudFormation does. */
function startWork(account: AwsAccount, stack: AccountStack, status: string, work: () => string): void {
  stack.status = status;
  addEvent(stack, status);
  setTimeout(() => {
    stack.status = work();
    addEvent(stack, stack.status);
    account.history.push(`${stack.name} ${stack.status}`);
  }, account.operationMs);
}
