import { isDeepStrictEqual } from "node:util";
import {
  type AccountStack,
  type AwsAccount,
  addEvent,
  findSecret,
  listImporters,
  type Properties,
  ResourceFailure,
  type StackOutput,
  type StackPlan,
  type StackResource,
} from "./account.ts";
import {
  changeResource,
  createResource,
  deleteResource,
  findAttribute,
  retainResource,
} from "./resources.ts";
import {
  evaluate,
  isConditionTrue,
  isRecord,
  isReplaced,
  sortResources,
  TemplateFault,
  type TemplateResource,
  type TemplateScope,
  type Value,
} from "./template.ts";

/**
 * Creates all resources of a new stack. If a creation fails, the resources that were already created are deleted. Returns the stack's
 * status.
 */
export function create(account: AwsAccount, stack: AccountStack, plan: StackPlan): string {
  const imports = new Set<string>();
  const scope = makeScope(account, stack, plan, imports);
  const isDone = visitResources(stack, plan, scope, (logicalId, { Type, Properties }) => {
    const properties = evaluateProperties(account, Properties, scope);
    const resource = createResource(account, stack.name, { logicalId, type: Type, properties });
    stack.resources.set(logicalId, resource);
    addEvent(stack, "CREATE_COMPLETE", undefined, resource);
  });
  const outputs = isDone ? evaluateOutputs(account, stack, plan, scope) : undefined;
  if (outputs !== undefined) {
    Object.assign(stack, { imports, outputs });
    return "CREATE_COMPLETE";
  }
  addEvent(stack, "ROLLBACK_IN_PROGRESS");
  // With the policy `RetainExceptOnCreate`, a resource is deleted if its creation fails, and is retained if it is dropped later.
  const isKept = ({ logicalId }: StackResource) =>
    plan.template.Resources[logicalId]?.DeletionPolicy === "Retain";
  return discardStack(account, stack, isKept) ? "ROLLBACK_COMPLETE" : "ROLLBACK_FAILED";
}

/** Updates a stack to the target state in `plan`. If the update fails, rolls the stack back. Returns the stack's status. */
export function update(account: AwsAccount, stack: AccountStack, plan: StackPlan): string {
  const before = new Map(stack.resources);
  const imports = new Set<string>();
  const scope = makeScope(account, stack, plan, imports);
  const added: StackResource[] = [];
  const isDone = visitResources(stack, plan, scope, (logicalId, { Type, Properties, UpdatePolicy }) => {
    const properties = evaluateProperties(account, Properties, scope);
    const old = before.get(logicalId);
    if (old !== undefined && old.type !== Type) {
      throw new ResourceFailure(`Update of resource type is not permitted: ${old.type} to ${Type}`);
    }
    if (old !== undefined && isDeepStrictEqual(old.properties, properties)) return;
    const { CodeDeployLambdaAliasUpdate: canary } = UpdatePolicy ?? {};
    if (old !== undefined && canary !== undefined) {
      moveAlias(account, old, properties, evaluateProperties(account, canary, scope));
    }
    if (old !== undefined && !isReplaced(old.type, { ...old.properties }, { ...properties })) {
      stack.resources.set(logicalId, changeResource(account, old, properties));
      return;
    }
    const resource = createResource(account, stack.name, { logicalId, type: Type, properties });
    stack.resources.set(logicalId, resource);
    added.push(resource);
  });
  const isQuiet = isDone && passesRollbackTriggers(account, stack);
  const outputs = isQuiet ? evaluateOutputs(account, stack, plan, scope) : undefined;
  if (outputs === undefined) {
    for (const resource of added.reverse()) {
      const { DeletionPolicy } = plan.template.Resources[resource.logicalId] ?? {};
      discardResource(account, stack, resource, DeletionPolicy === "Retain");
    }
    stack.resources.clear();
    for (const [logicalId, resource] of before) stack.resources.set(logicalId, resource);
    return "UPDATE_ROLLBACK_COMPLETE";
  }
  dropUnused(account, stack, before, plan);
  Object.assign(stack, { plan, imports, outputs });
  return "UPDATE_COMPLETE";
}

/**
 * Whether the stack keeps an update. The function returns false if one of the stack's rollback triggers reverts the update. A trigger
 * reverts the update if its alarm goes off or does not exist.
 */
function passesRollbackTriggers(account: AwsAccount, stack: AccountStack): boolean {
  for (const arn of stack.rollback.triggers) {
    const [, name = ""] = arn.split(":alarm:");
    const isThere = account.resources.has(`AWS::CloudWatch::Alarm ${name}`);
    if (isThere && !account.alarming.has(name)) continue;
    const reason = isThere
      ? `The rollback trigger ${arn} is in ALARM`
      : `The rollback trigger ${arn} is missing`;
    addEvent(stack, "UPDATE_ROLLBACK_IN_PROGRESS", reason);
    return false;
  }
  return true;
}

/** Deletes a stack and every resource that it does not retain. Returns the stack's status. */
export function remove(account: AwsAccount, stack: AccountStack, oldStatus: string): string {
  const used = stack.outputs.find(({ exportName }) => listImporters(account, exportName).length > 0);
  if (used !== undefined) {
    addEvent(stack, oldStatus, `Delete canceled. Cannot delete export ${used.exportName} as it is in use`);
    return oldStatus;
  }
  const isKept = ({ logicalId }: StackResource) =>
    (stack.plan?.template.Resources[logicalId]?.DeletionPolicy ?? "Delete") !== "Delete";
  if (!discardStack(account, stack, isKept)) return "DELETE_FAILED";
  Object.assign(stack, { outputs: [], imports: new Set() });
  return "DELETE_COMPLETE";
}

/**
 * Applies `work` to each resource, unless the resource's condition is false. A resource comes after its dependencies. If a resource fails,
 * the function stops and returns false.
 */
function visitResources(
  stack: AccountStack,
  { template }: StackPlan,
  scope: TemplateScope,
  work: (logicalId: string, resource: TemplateResource) => void,
): boolean {
  for (const logicalId of sortResources(template)) {
    const resource = template.Resources[logicalId];
    if (resource === undefined) continue;
    if (resource.Condition !== undefined && !scope.meetsCondition(resource.Condition)) continue;
    try {
      work(logicalId, resource);
    } catch (error) {
      const failed = { logicalId, physicalId: "", type: resource.Type };
      addEvent(stack, "CREATE_FAILED", readReason(error), failed);
      return false;
    }
  }
  return true;
}

/** Discards resources that an update replaced or dropped. If a resource cannot be discarded, the update still succeeds. */
function dropUnused(
  account: AwsAccount,
  stack: AccountStack,
  oldResources: ReadonlyMap<string, StackResource>,
  { template }: StackPlan,
): void {
  const old = stack.plan?.template.Resources ?? {};
  for (const resource of [...oldResources.values()].reverse()) {
    const { logicalId, key } = resource;
    const now = template.Resources[logicalId];
    if (now !== undefined && stack.resources.get(logicalId)?.key === key) continue;
    const policy = now === undefined ? old[logicalId]?.DeletionPolicy : now.UpdateReplacePolicy;
    discardResource(account, stack, resource, (policy ?? "Delete") !== "Delete");
    if (now === undefined) stack.resources.delete(logicalId);
  }
}

/** Returns whether every resource was deleted or retained. */
function discardStack(
  account: AwsAccount,
  stack: AccountStack,
  isKept: (resource: StackResource) => boolean,
): boolean {
  for (const resource of [...stack.resources.values()].reverse()) {
    const isDone = discardResource(account, stack, resource, isKept(resource));
    if (isDone) stack.resources.delete(resource.logicalId);
  }
  return stack.resources.size === 0;
}

/** Deletes or retains a resource, and returns whether this succeeded. */
function discardResource(
  account: AwsAccount,
  stack: AccountStack,
  resource: StackResource,
  isKept: boolean,
): boolean {
  try {
    if (isKept) retainResource(account, resource);
    else deleteResource(account, resource);
    addEvent(stack, isKept ? "DELETE_SKIPPED" : "DELETE_COMPLETE", undefined, resource);
    return true;
  } catch (error) {
    addEvent(stack, "DELETE_FAILED", readReason(error), resource);
    return false;
  }
}

function readReason(error: unknown): string {
  if (error instanceof ResourceFailure || error instanceof TemplateFault) return error.message;
  throw error;
}

/** CodeDeploy moves an alias to the function's new version, unless an alarm of the deployment group goes off during the move. */
function moveAlias(
  account: AwsAccount,
  { properties: old }: StackResource,
  newProperties: Properties,
  canary: Properties,
): void {
  if (old.FunctionVersion === newProperties.FunctionVersion) return;
  const group = String(canary.DeploymentGroupName);
  const isKnown = [...account.resources.keys()].some(
    (key) => key.startsWith("AWS::CodeDeploy::DeploymentGroup ") && key.includes(group),
  );
  if (!isKnown) throw new ResourceFailure(`No Deployment Group found for name: ${group}`);
  if (!account.isCanaryBroken) return;
  throw new ResourceFailure(
    "The deployment was rolled back: one or more alarms of its deployment group have been activated",
  );
}

function evaluateProperties(account: AwsAccount, properties: Value, scope: TemplateScope): Properties {
  const evaluated = resolveSecrets(account, evaluate(properties, scope) ?? {});
  return isRecord(evaluated) ? evaluated : {};
}

const secretReference = /\{\{resolve:secretsmanager:(.+?):SecretString:[^:}]*:[^:}]*:[^:}]*\}\}/g;

function resolveSecrets(account: AwsAccount, value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => resolveSecrets(account, item));
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([key, inner]) => [key, resolveSecrets(account, inner)]);
    return Object.fromEntries(entries);
  }
  if (typeof value !== "string") return value;
  return value.replace(secretReference, (_, id: string) => {
    const secret = findSecret(account, id);
    if (secret === undefined) throw new ResourceFailure("Secrets Manager can't find the specified secret.");
    return secret.value;
  });
}

/**
 * Evaluates a stack's outputs. Returns `undefined` and adds an event if another stack owns an export, or if an export in use changes or
 * disappears.
 */
function evaluateOutputs(
  account: AwsAccount,
  stack: AccountStack,
  { template }: StackPlan,
  scope: TemplateScope,
): readonly StackOutput[] | undefined {
  try {
    const outputs = Object.entries(template.Outputs).flatMap(([key, { Value, Export, Condition }]) => {
      if (Condition !== undefined && !scope.meetsCondition(Condition)) return [];
      const exportName = Export === undefined ? undefined : String(evaluate(Export.Name, scope));
      return [{ key, value: String(evaluate(Value, scope)), exportName }];
    });
    checkExports(account, stack, outputs);
    return outputs;
  } catch (error) {
    addEvent(stack, "UPDATE_FAILED", readReason(error));
    return undefined;
  }
}

function checkExports(account: AwsAccount, stack: AccountStack, outputs: readonly StackOutput[]): void {
  for (const { exportName } of outputs) {
    if (exportName === undefined) continue;
    const owner = account.stacks.find((one) =>
      one.outputs.some((output) => output.exportName === exportName),
    );
    if (owner === undefined || owner.id === stack.id) continue;
    throw new ResourceFailure(`Export with name ${exportName} is already exported by stack ${owner.name}`);
  }
  for (const { exportName, value } of stack.outputs) {
    const users = listImporters(account, exportName).join(", ");
    const now = outputs.find((output) => output.exportName === exportName);
    if (users === "" || now?.value === value) continue;
    const verb = now === undefined ? "delete" : "update";
    throw new ResourceFailure(`Cannot ${verb} export ${exportName} as it is in use by ${users}`);
  }
}

/**
 * Collects the values that a stack's template can refer to. If the template uses another stack's export, adds the export's name to
 * `imports`.
 */
export function makeScope(
  account: AwsAccount,
  stack: Pick<AccountStack, "id" | "name" | "resources">,
  { template, parameters }: StackPlan,
  imports: Set<string>,
): TemplateScope {
  const pseudo = new Map([
    ["AWS::AccountId", account.id],
    ["AWS::Partition", "aws"],
    ["AWS::Region", account.region],
    ["AWS::StackId", stack.id],
    ["AWS::StackName", stack.name],
    ["AWS::URLSuffix", "amazonaws.com"],
  ]);
  const scope: TemplateScope = {
    readReference(name) {
      if (name === "AWS::NoValue") return undefined;
      const parameter = parameters.get(name);
      const isList = /List/.test(template.Parameters[name]?.Type ?? "");
      if (parameter !== undefined && isList) return parameter === "" ? [] : parameter.split(",");
      const value = pseudo.get(name) ?? parameter ?? stack.resources.get(name)?.physicalId;
      if (value === undefined) throw new TemplateFault(`Template error: ${name} does not exist`);
      return value;
    },
    getAttribute(logicalId, name) {
      const made = stack.resources.get(logicalId);
      if (made === undefined) throw new TemplateFault(`Template error: ${logicalId} does not exist`);
      return findAttribute(account, made, name);
    },
    importValue(name) {
      const outputs = account.stacks.flatMap((other) => other.outputs);
      const found = outputs.find(({ exportName }) => exportName === name);
      if (found === undefined) throw new TemplateFault(`No export named ${name} found.`);
      imports.add(name);
      return found.value;
    },
    readMapping(name, top, second) {
      const value = template.Mappings[name]?.[top]?.[second];
      if (value !== undefined) return value;
      throw new TemplateFault(`Template error: Unable to get mapping for ${name}::${top}::${second}`);
    },
    meetsCondition(name) {
      const condition = template.Conditions[name];
      if (condition === undefined) throw new TemplateFault(`Template error: Unresolved condition ${name}`);
      return isConditionTrue(condition, scope);
    },
  };
  return scope;
}
