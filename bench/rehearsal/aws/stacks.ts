import { isDeepStrictEqual } from "node:util";
import { AwsFailure } from "../../../local/stand-in.ts";
import { type Account, addEvent, addStack, findStack, type Plan, type Stack } from "./account.ts";
import { create, remove, scopeOf, update } from "./operations.ts";
import { checkRules, invalid } from "./template.ts";

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
  stack.rollback = { ...stack.rollback, ...plan.rollback };
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
  // Whether other triggers alone are an update, AWS does not say: here they are none, so that nothing counts on it.
  if (isSame) throw invalid("No updates are to be performed.");
  stack.rollback = { ...stack.rollback, ...plan.rollback };
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
