import type { Account } from "./account.ts";
import { holds, type Scope, TemplateFault } from "./evaluate.ts";
import { attributeOf } from "./resources.ts";
import type { Plan, Stack } from "./stacks.ts";

/** What a stack's template can ask for. The names of exports that it takes from other stacks are added to `imports`. */
export function scopeOf(
  account: Account,
  stack: Pick<Stack, "id" | "name" | "resources">,
  { template, parameters }: Plan,
  imports: Set<string>,
): Scope {
  const pseudo = new Map([
    ["AWS::AccountId", account.id],
    ["AWS::Partition", "aws"],
    ["AWS::Region", account.region],
    ["AWS::StackId", stack.id],
    ["AWS::StackName", stack.name],
    ["AWS::URLSuffix", "amazonaws.com"],
  ]);
  const scope: Scope = {
    ref(name) {
      if (name === "AWS::NoValue") return undefined;
      const parameter = parameters.get(name);
      const isList = /List/.test(template.Parameters[name]?.Type ?? "");
      if (parameter !== undefined && isList) return parameter === "" ? [] : parameter.split(",");
      const value = pseudo.get(name) ?? parameter ?? stack.resources.get(name)?.physicalId;
      if (value === undefined) throw new TemplateFault(`Template error: ${name} is not there`);
      return value;
    },
    attribute(logicalId, name) {
      const made = stack.resources.get(logicalId);
      if (made === undefined) throw new TemplateFault(`Template error: ${logicalId} is not there`);
      return attributeOf(account, made, name);
    },
    importValue(name) {
      const outputs = account.stacks.flatMap((other) => other.outputs);
      const found = outputs.find(({ exportName }) => exportName === name);
      if (found === undefined) throw new TemplateFault(`No export named ${name} found.`);
      imports.add(name);
      return found.value;
    },
    mapping(name, top, second) {
      const value = template.Mappings[name]?.[top]?.[second];
      if (value !== undefined) return value;
      throw new TemplateFault(`Template error: Unable to get mapping for ${name}::${top}::${second}`);
    },
    condition(name) {
      const condition = template.Conditions[name];
      if (condition === undefined) throw new TemplateFault(`Template error: Unresolved condition ${name}`);
      return holds(condition, scope);
    },
  };
  return scope;
}
