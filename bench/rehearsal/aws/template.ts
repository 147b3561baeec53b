import { type Engine, RegoEngine } from "@aws/cloudformation-validate";
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { parse } from "yaml";
import * as z from "zod";
import { AwsFailure } from "../../../local/stand-in.ts";

const Parameter = z.strictObject({
  Type: z.string(),
  Default: z.union([z.string(), z.number()]).optional(),
  AllowedValues: z.array(z.union([z.string(), z.number()])).optional(),
  AllowedPattern: z.string().optional(),
  ConstraintDescription: z.string().optional(),
  Description: z.string().optional(),
  NoEcho: z.boolean().optional(),
});
const Resource = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.json()).default({}),
  DependsOn: z.union([z.string().transform((id) => [id]), z.array(z.string())]).default([]),
  DeletionPolicy: z.enum(["Delete", "Retain", "RetainExceptOnCreate"]).default("Delete"),
  UpdateReplacePolicy: z.enum(["Delete", "Retain"]).default("Delete"),
  Condition: z.string().optional(),
  Metadata: z.json().optional(),
  UpdatePolicy: z.strictObject({ CodeDeployLambdaAliasUpdate: z.record(z.string(), z.json()) }).optional(),
});
const Output = z.strictObject({
  Value: z.json(),
  Description: z.string().optional(),
  Condition: z.string().optional(),
  Export: z.strictObject({ Name: z.json() }).optional(),
});
const Rule = z.strictObject({
  Assertions: z.array(z.strictObject({ Assert: z.json(), AssertDescription: z.string().optional() })),
});
const Template = z.strictObject({
  AWSTemplateFormatVersion: z.string().optional(),
  Description: z.string().optional(),
  Metadata: z.json().optional(),
  Parameters: z.record(z.string(), Parameter).default({}),
  Rules: z.record(z.string(), Rule).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.json()))).default({}),
  Conditions: z.record(z.string(), z.json()).default({}),
  Resources: z.record(z.string(), Resource),
  Outputs: z.record(z.string(), Output).default({}),
});
export type Template = z.infer<typeof Template>;
export type TemplateResource = z.infer<typeof Resource>;

export function readTemplate(text: string): Template {
  const { data, error } = Template.safeParse(
    text.trimStart().startsWith("{") ? JSON.parse(text) : parse(text),
  );
  if (data === undefined) throw makeValidationError(`Template format error: ${z.prettifyError(error)}`);
  return data;
}

export function makeValidationError(message: string): AwsFailure {
  return new AwsFailure("ValidationError", message);
}

/** The logical ids of a template's resources. Each resource comes after the resources on which it depends. */
export function sortResources({ Resources }: Template): readonly string[] {
  const order: string[] = [];
  const visited = new Set<string>();
  const visit = (id: string) => {
    const resource = Resources[id];
    if (resource === undefined || visited.has(id)) return;
    visited.add(id);
    for (const needed of [...resource.DependsOn, ...listReferences(resource.Properties)]) visit(needed);
    order.push(id);
  };
  for (const id of Object.keys(Resources)) visit(id);
  return order;
}

const namedIam = ["RoleName", "UserName", "GroupName", "ManagedPolicyName", "InstanceProfileName"];

/** Refuses a template if the template needs capabilities that the caller has not acknowledged. */
export function checkCapabilities({ Resources }: Template, capabilities: readonly string[]): void {
  const iam = Object.values(Resources).filter(({ Type }) => Type.startsWith("AWS::IAM::"));
  const needed = iam.some(({ Properties }) => namedIam.some((name) => name in Properties))
    ? ["CAPABILITY_NAMED_IAM"]
    : ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"];
  if (iam.length > 0 && !needed.some((one) => capabilities.includes(one))) {
    throw new AwsFailure("InsufficientCapabilitiesException", `Requires capabilities : [${needed[0]}]`);
  }
}

/** The values of a template's parameters: given values, defaults, and the values that SSM stores under the parameters' names (`stored`). */
export function resolveParameters(
  stored: ReadonlyMap<string, string>,
  { Parameters }: Template,
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  for (const name of given.keys()) {
    if (Parameters[name] === undefined)
      throw makeValidationError(`Parameters: [${name}] do not exist in the template`);
  }
  return new Map(
    Object.entries(Parameters).map(([name, { Type, Default, AllowedValues, AllowedPattern }]) => {
      const value = given.get(name) ?? Default?.toString();
      if (value === undefined) throw makeValidationError(`Parameters: [${name}] must have values`);
      if (AllowedValues !== undefined && !AllowedValues.map(String).includes(value)) {
        throw makeValidationError(`Parameter ${name} must be one of AllowedValues`);
      }
      if (AllowedPattern !== undefined && !new RegExp(`^(?:${AllowedPattern})$`).test(value)) {
        throw makeValidationError(`Parameter ${name} failed to satisfy constraint: ${AllowedPattern}`);
      }
      if (!Type.startsWith("AWS::SSM::Parameter::Value<")) return [name, value];
      const found = stored.get(value);
      if (found === undefined) {
        throw makeValidationError(
          `Unable to fetch parameters [${value}] from parameter store for this account.`,
        );
      }
      return [name, found];
    }),
  );
}

/** Refuses parameters that one of the template's own rules forbids. */
export function checkRules({ Rules }: Template, scope: TemplateScope): void {
  for (const { Assertions } of Object.values(Rules)) {
    for (const { Assert, AssertDescription } of Assertions) {
      if (!isConditionTrue(Assert, scope))
        throw makeValidationError(`Template error: ${AssertDescription ?? "an assertion failed"}`);
    }
  }
}

let engine: Engine | undefined;
const judged = new Map<string, readonly string[]>();

/**
 * The faults that AWS's own validator finds in a template. The validator checks resources against their schemas, and checks references,
 * functions and quotas. The validator takes seconds to start, so one validator serves all templates, and each template is validated once.
 */
export function findFaults(template: string): readonly string[] {
  const before = judged.get(template);
  if (before !== undefined) return before;
  engine ??= new RegoEngine();
  const file = { path: "template", readBytes: () => Buffer.from(template) };
  const { status, diagnostics } = engine.validateStandard(file, { severityLevel: "WARN" });
  const faults = diagnostics
    .filter(({ severity, ruleId }) => severity !== "WARN" || faultyWarnings.includes(ruleId))
    .map(({ entity, propertyPath, message }) => `${entity?.logicalId} ${propertyPath ?? ""}: ${message}`);
  const all = status === "OK" ? faults : [`the validator did not finish: ${status}`, ...faults];
  judged.set(template, all);
  return all;
}

/** The validator only warns about a value outside an enumeration, but CloudFormation refuses such a value. */
const faultyWarnings = ["W3030"];

let database: ReturnType<typeof loadAwsServiceSpecSync> | undefined;

/**
 * AWS's specification of a resource type; `undefined` for an unknown type. The specification comes from the database of resource types; CDK
 * is generated from the same database.
 */
export function findSchema(type: string) {
  database ??= loadAwsServiceSpecSync();
  return database.lookup("resource", "cloudFormationType", "equals", type)[0];
}

/** Whether a change of properties makes CloudFormation replace the resource. */
export function isReplaced(type: string, before: Value, after: Value): boolean {
  const properties = findSchema(type)?.properties ?? {};
  return Object.entries(properties).some(
    ([name, { causesReplacement }]) =>
      causesReplacement === "yes" &&
      JSON.stringify(readMember(before, name)) !== JSON.stringify(readMember(after, name)),
  );
}

function readMember(value: Value, name: string): Value | undefined {
  return isRecord(value) ? value[name] : undefined;
}

/** Any value of a template, before or after the template's functions were evaluated. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

/** A fault of the template, with CloudFormation's message. */
export class TemplateFault extends Error {}

/** The values that a template's functions can refer to. `undefined` stands for `AWS::NoValue`. */
export type TemplateScope = {
  readonly readReference: (name: string) => Value | undefined;
  readonly getAttribute: (logicalId: string, name: string) => Value;
  readonly importValue: (name: string) => Value;
  readonly readMapping: (name: string, top: string, second: string) => Value;
  readonly meetsCondition: (name: string) => boolean;
};

export function isRecord(value: Value | undefined): value is { [key: string]: Value } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The name and argument of the template function that an object calls; `undefined` if the object is not such a call. */
function findCall(value: Value): { readonly name: string; readonly argument: Value } | undefined {
  if (!isRecord(value)) return undefined;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) return undefined;
  const [name, argument] = entry;
  return name === "Ref" || name.startsWith("Fn::") ? { name, argument } : undefined;
}

/** Evaluates every template function in a value. Drops entries that become `AWS::NoValue`. */
export function evaluate(value: Value, scope: TemplateScope): Value | undefined {
  if (Array.isArray(value)) return value.flatMap((item) => evaluate(item, scope) ?? []);
  if (!isRecord(value)) return value;
  const call = findCall(value);
  if (call === undefined) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        const result = evaluate(inner, scope);
        return result === undefined ? [] : [[key, result]];
      }),
    );
  }
  const run = functions[call.name];
  if (run === undefined) throw new TemplateFault(`Template error: ${call.name} is not a function`);
  return run(call.argument, scope);
}

const functions: Readonly<Record<string, (argument: Value, scope: TemplateScope) => Value | undefined>> = {
  Ref: (argument, scope) => scope.readReference(expectText(argument, "Ref")),
  "Fn::GetAtt": (argument, scope) => {
    const [logicalId, name] = readAttribute(argument);
    return scope.getAttribute(logicalId, name);
  },
  "Fn::ImportValue": (argument, scope) => scope.importValue(evaluateText(argument, scope, "Fn::ImportValue")),
  "Fn::Join": (argument, scope) => {
    const [separator, items] = readList(argument, scope, "Fn::Join", 2);
    return expectList(items, "Fn::Join")
      .map((item) => expectText(item, "Fn::Join"))
      .join(expectText(separator, "Fn::Join"));
  },
  "Fn::Split": (argument, scope) => {
    const [separator, source] = readList(argument, scope, "Fn::Split", 2);
    return expectText(source, "Fn::Split").split(expectText(separator, "Fn::Split"));
  },
  "Fn::Select": (argument, scope) => {
    const [index, items] = readList(argument, scope, "Fn::Select", 2);
    const found = expectList(items, "Fn::Select")[Number(index)];
    if (found === undefined)
      throw new TemplateFault("Template error: Fn::Select cannot select nonexistent value");
    return found;
  },
  "Fn::FindInMap": (argument, scope) => {
    const [name, top, second] = readList(argument, scope, "Fn::FindInMap", 3).map((key) =>
      expectText(key, "Fn::FindInMap"),
    );
    return scope.readMapping(name ?? "", top ?? "", second ?? "");
  },
  "Fn::If": (argument, scope) => {
    const [condition, then, otherwise] = expectList(argument, "Fn::If");
    if (condition === undefined || then === undefined || otherwise === undefined)
      throw makeTemplateFault("Fn::If");
    return evaluate(scope.meetsCondition(expectText(condition, "Fn::If")) ? then : otherwise, scope);
  },
  "Fn::Sub": (argument, scope) => {
    const [pattern, own] = Array.isArray(argument) ? argument : [argument, {}];
    const variables = isRecord(own) ? own : {};
    return expectText(pattern, "Fn::Sub").replace(
      /\$\{(!?)([^}]+)\}/g,
      (whole, literal: string, name: string) => {
        if (literal !== "") return `\${${name}}`;
        const variable = variables[name];
        if (variable !== undefined) return evaluateText(variable, scope, whole);
        const [logicalId = "", ...attribute] = name.trim().split(".");
        return expectText(
          attribute.length > 0
            ? scope.getAttribute(logicalId, attribute.join("."))
            : scope.readReference(logicalId),
          whole,
        );
      },
    );
  },
};

/** Evaluates a condition of `Conditions`, or an assertion of `Rules`. */
export function isConditionTrue(value: Value, scope: TemplateScope): boolean {
  if (isRecord(value) && typeof value.Condition === "string") return scope.meetsCondition(value.Condition);
  const call = findCall(value);
  const items = call === undefined ? [] : expectList(call.argument, call.name);
  switch (call?.name) {
    case "Fn::Not":
      return !items.every((item) => isConditionTrue(item, scope));
    case "Fn::Equals": {
      const [left, right] = readList(items, scope, call.name, 2);
      return JSON.stringify(left) === JSON.stringify(right);
    }
    case "Fn::Contains": {
      const [within, wanted] = readList(items, scope, call.name, 2);
      return expectList(within, call.name).includes(wanted ?? null);
    }
    default:
      throw new TemplateFault(`Template error: ${JSON.stringify(value)} is not a condition`);
  }
}

/** The resource and the attribute that `Fn::GetAtt` names; its argument is a list or a text with dots. */
function readAttribute(argument: Value): readonly [logicalId: string, name: string] {
  const parts = typeof argument === "string" ? argument.split(".") : expectList(argument, "Fn::GetAtt");
  const [logicalId, ...name] = parts.map((part) => expectText(part, "Fn::GetAtt"));
  if (logicalId === undefined || name.length === 0) throw makeTemplateFault("Fn::GetAtt");
  return [logicalId, name.join(".")];
}

/** All names that a value refers to by `Ref`, `Fn::GetAtt` or `Fn::Sub`, including parameters and pseudo parameters. */
function listReferences(value: Value): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(listReferences);
  const call = findCall(value);
  if (call === undefined) return isRecord(value) ? Object.values(value).flatMap(listReferences) : [];
  const { name, argument } = call;
  if (name === "Ref") return [expectText(argument, name)];
  if (name === "Fn::GetAtt") return [readAttribute(argument)[0]];
  if (name !== "Fn::Sub") return listReferences(argument);
  const [pattern, own] = Array.isArray(argument) ? argument : [argument, {}];
  const variables = isRecord(own) ? own : {};
  const named = [...expectText(pattern, name).matchAll(/\$\{([^!}][^}]*)\}/g)].map(([, path = ""]) =>
    path.trim(),
  );
  return [
    ...named.filter((path) => variables[path] === undefined).map((path) => path.split(".")[0] ?? path),
    ...listReferences(variables),
  ];
}

function readList(
  argument: readonly Value[] | Value,
  scope: TemplateScope,
  name: string,
  length: number,
): readonly Value[] {
  const items = expectList(argument, name).map((item) => evaluate(item, scope) ?? null);
  if (items.length !== length) throw makeTemplateFault(name);
  return items;
}

function evaluateText(argument: Value, scope: TemplateScope, name: string): string {
  return expectText(evaluate(argument, scope), name);
}

function expectList(value: readonly Value[] | Value | undefined, name: string): readonly Value[] {
  if (!Array.isArray(value)) throw makeTemplateFault(name);
  return value;
}

function expectText(value: Value | undefined, name: string): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    throw makeTemplateFault(name);
  return String(value);
}

function makeTemplateFault(name: string): TemplateFault {
  return new TemplateFault(`Template error: every ${name} object requires well-formed arguments`);
}
