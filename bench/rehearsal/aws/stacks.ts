import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { AwsFailure } from "../../../local/stand-in.ts";
import type { Account } from "./account.ts";
import { create, remove, update } from "./operations.ts";
import type { StackResource } from "./resources.ts";
import { scopeOf } from "./scope.ts";
import { checkRules, invalid, type Template } from "./template.ts";

/** What a stack is to become. */
export type Plan = {
  /** The template as it was sent. */
  readonly text: string;
  readonly template: Template;
  readonly parameters: ReadonlyMap<string, string>;
  readonly tags: Readonly<Record<string, string>>;
};

export type StackEvent = {
  readonly id: string;
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly at: Date;
};

export type StackOutput = {
  readonly key: string;
  readonly value: string;
  readonly exportName: string | undefined;
};

export type Stack = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  updatedAt: Date | undefined;
  status: string;
  /** `undefined` until a change set of a new stack is executed. */
  plan: Plan | undefined;
  readonly resources: Map<string, StackResource>;
  outputs: readonly StackOutput[];
  imports: ReadonlySet<string>;
  /** The newest first. */
  readonly events: StackEvent[];
  changeSet:
    | { readonly name: string; readonly id: string; readonly plan: Plan; readonly isNew: boolean }
    | undefined;
};

/** The stack of a name or, of those that were deleted too, of an ARN. */
export function findStack({ stacks }: Account, nameOrId: string): Stack | undefined {
  return stacks.find(
    ({ name, id, status }) => id === nameOrId || (name === nameOrId && status !== "DELETE_COMPLETE"),
  );
}

export function addStack(account: Account, name: string, status: string): Stack {
  if (!/^[A-Za-z][-A-Za-z0-9]{0,127}$/.test(name)) throw invalid(`${name} is no name for a stack`);
  const stack: Stack = {
    id: `arn:aws:cloudformation:${account.region}:${account.id}:stack/${name}/${randomUUID()}`,
    name,
    createdAt: new Date(),
    updatedAt: undefined,
    status,
    plan: undefined,
    resources: new Map(),
    outputs: [],
    imports: new Set(),
    events: [],
    changeSet: undefined,
  };
  account.stacks.push(stack);
  return stack;
}

/** Begins to create a stack, also one that so far was only a change set. */
export function createStack(account: Account, name: string, plan: Plan): Stack {
  const existing = findStack(account, name);
  if (existing !== undefined && existing.status !== "REVIEW_IN_PROGRESS") {
    throw new AwsFailure("AlreadyExistsException", `Stack [${name}] already exists`);
  }
  const nothing = { id: "", name, resources: new Map() };
  checkRules(plan.template, scopeOf(account, nothing, plan, new Set()));
  const stack = existing ?? addStack(account, name, "REVIEW_IN_PROGRESS");
  stack.plan = plan;
  start(account, stack, "CREATE_IN_PROGRESS", () => create(account, stack, plan));
  return stack;
}

export function updateStack(account: Account, name: string, plan: Plan): Stack {
  const stack = findStack(account, name);
  if (stack === undefined) throw invalid(`Stack [${name}] does not exist`);
  if (!["CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"].includes(stack.status)) {
    throw invalid(`Stack:${stack.id} is in ${stack.status} state and can not be updated.`);
  }
  checkRules(plan.template, scopeOf(account, stack, plan, new Set()));
  const { template, parameters, tags } = stack.plan ?? {};
  const isSame =
    isDeepStrictEqual(template, plan.template) &&
    isDeepStrictEqual(parameters, plan.parameters) &&
    isDeepStrictEqual(tags, plan.tags);
  if (isSame) throw invalid("No updates are to be performed.");
  stack.updatedAt = new Date();
  start(account, stack, "UPDATE_IN_PROGRESS", () => update(account, stack, plan));
  return stack;
}

export function deleteStack(account: Account, nameOrId: string): void {
  const stack = findStack(account, nameOrId);
  if (stack === undefined || stack.status === "DELETE_COMPLETE") return;
  const before = stack.status;
  if (before.endsWith("_IN_PROGRESS") && before !== "REVIEW_IN_PROGRESS") {
    throw invalid(`Stack [${stack.name}] cannot be deleted while in status ${before}`);
  }
  start(account, stack, "DELETE_IN_PROGRESS", () => remove(account, stack, before));
}

/** The stacks that use an export. */
export function importersOf({ stacks }: Account, exportName: string | undefined): readonly string[] {
  if (exportName === undefined) return [];
  return stacks.filter(({ imports }) => imports.has(exportName)).map(({ name }) => name);
}

/** Answers at once and works later, as CloudFormation does. */
function start(account: Account, stack: Stack, status: string, work: () => string): void {
  stack.status = status;
  addEvent(stack, status);
  setTimeout(() => {
    stack.status = work();
    addEvent(stack, stack.status);
    account.history.push(`${stack.name} ${stack.status}`);
  }, account.operationMs);
}

/** Adds an event, of the stack itself where no resource is named. */
export function addEvent(
  stack: Stack,
  status: string,
  reason?: string,
  resource?: Pick<StackResource, "logicalId" | "physicalId" | "type">,
): void {
  const whole = { logicalId: stack.name, physicalId: stack.id, type: "AWS::CloudFormation::Stack" };
  const { logicalId, physicalId, type } = resource ?? whole;
  stack.events.unshift({ id: randomUUID(), logicalId, physicalId, type, status, reason, at: new Date() });
}
