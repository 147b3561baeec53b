import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";

const rolesTemplate = z
  .object({
    Conditions: z.record(z.string(), z.strictObject({ "Fn::Equals": z.tuple([z.unknown(), z.unknown()]) })),
    Resources: z.record(
      z.string(),
      z.object({ Type: z.string(), Condition: z.string().optional(), Properties: z.unknown() }),
    ),
  })
  .parse(parse(readFileSync("infra/pipeline-roles.yaml", "utf8")));

/** The value that CloudFormation computes from the template's value and the given parameters. */
function resolveValue(value: unknown, parameters: Readonly<Record<string, string>>): unknown {
  const resolveInner = (inner: unknown) => resolveValue(inner, parameters);
  if (Array.isArray(value)) return value.map(resolveInner).filter((one) => one !== "{AWS::NoValue}");
  if (typeof value !== "object" || value === null) return value;
  const [[name = "", argument] = []] = Object.entries(value);
  if (name === "Ref") return parameters[String(argument)] ?? `{${argument}}`;
  if (name === "Fn::Sub")
    return String(argument).replace(/\$\{([\w:]+)\}/g, (all, ref) => parameters[ref] ?? all);
  if (name === "Fn::If") {
    const [condition, then, otherwise] = z.tuple([z.string(), z.unknown(), z.unknown()]).parse(argument);
    return resolveInner(isConditionMet(condition, parameters) ? then : otherwise);
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveInner(inner)]));
}

function isConditionMet(condition: string, parameters: Readonly<Record<string, string>>): boolean {
  const [one, other] = rolesTemplate.Conditions[condition]?.["Fn::Equals"] ?? [];
  return resolveValue(one, parameters) === resolveValue(other, parameters);
}

/** The resources that `infra/pipeline-roles.yaml` makes with the given parameters. */
export function makeResources(parameters: Readonly<Record<string, string>>) {
  return Object.entries(rolesTemplate.Resources)
    .filter(([, { Condition }]) => Condition === undefined || isConditionMet(Condition, parameters))
    .map(([id, { Type, Properties }]) => ({ id, Type, Properties: resolveValue(Properties, parameters) }));
}
