import { type Engine, RegoEngine } from "@aws/cloudformation-validate";
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { parse } from "yaml";
import * as z from "zod";
import { AwsFailure } from "../../../local/stand-in.ts";
import { holds, isRecord, referencesIn, type Scope, type Value } from "./evaluate.ts";

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

/** Reads a template of JSON or YAML. */
export function readTemplate(text: string): Template {
  const { data, error } = Template.safeParse(
    text.trimStart().startsWith("{") ? JSON.parse(text) : parse(text),
  );
  if (data === undefined) throw invalid(`Template format error: ${z.prettifyError(error)}`);
  return data;
}

export function invalid(message: string): AwsFailure {
  return new AwsFailure("ValidationError", message);
}

/** The logical ids in an order in which each comes after whatever it needs. */
export function inOrder({ Resources }: Template): readonly string[] {
  const order: string[] = [];
  const visited = new Set<string>();
  const visit = (id: string) => {
    const resource = Resources[id];
    if (resource === undefined || visited.has(id)) return;
    visited.add(id);
    for (const needed of [...resource.DependsOn, ...referencesIn(resource.Properties)]) visit(needed);
    order.push(id);
  };
  for (const id of Object.keys(Resources)) visit(id);
  return order;
}

const namedIam = ["RoleName", "UserName", "GroupName", "ManagedPolicyName", "InstanceProfileName"];

/** Refuses a template with more rights than the caller has acknowledged. */
export function checkCapabilities({ Resources }: Template, capabilities: readonly string[]): void {
  const iam = Object.values(Resources).filter(({ Type }) => Type.startsWith("AWS::IAM::"));
  const needed = iam.some(({ Properties }) => namedIam.some((name) => name in Properties))
    ? ["CAPABILITY_NAMED_IAM"]
    : ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"];
  if (iam.length > 0 && !needed.some((one) => capabilities.includes(one))) {
    throw new AwsFailure("InsufficientCapabilitiesException", `Requires capabilities : [${needed[0]}]`);
  }
}

/** The values of a template's parameters: those given, their defaults, and what SSM has `stored` under their names. */
export function resolveParameters(
  stored: ReadonlyMap<string, string>,
  { Parameters }: Template,
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  for (const name of given.keys()) {
    if (Parameters[name] === undefined) throw invalid(`Parameters: [${name}] do not exist in the template`);
  }
  return new Map(
    Object.entries(Parameters).map(([name, { Type, Default, AllowedValues, AllowedPattern }]) => {
      const value = given.get(name) ?? Default?.toString();
      if (value === undefined) throw invalid(`Parameters: [${name}] must have values`);
      if (AllowedValues !== undefined && !AllowedValues.map(String).includes(value)) {
        throw invalid(`Parameter ${name} must be one of AllowedValues`);
      }
      if (AllowedPattern !== undefined && !new RegExp(`^(?:${AllowedPattern})$`).test(value)) {
        throw invalid(`Parameter ${name} failed to satisfy constraint: ${AllowedPattern}`);
      }
      if (!Type.startsWith("AWS::SSM::Parameter::Value<")) return [name, value];
      const found = stored.get(value);
      if (found === undefined) {
        throw invalid(`Unable to fetch parameters [${value}] from parameter store for this account.`);
      }
      return [name, found];
    }),
  );
}

/** Refuses parameters that one of the template's own rules forbids. */
export function checkRules({ Rules }: Template, scope: Scope): void {
  for (const { Assertions } of Object.values(Rules)) {
    for (const { Assert, AssertDescription } of Assertions) {
      if (!holds(Assert, scope))
        throw invalid(`Template error: ${AssertDescription ?? "an assertion failed"}`);
    }
  }
}

let engine: Engine | undefined;
const judged = new Map<string, readonly string[]>();

/**
 * The faults of a template by AWS's own validator: its resources by their schemas, its references, functions and quotas.
 * The validator takes seconds to start, so it starts once, and no template is judged twice.
 */
export function faultsIn(template: string): readonly string[] {
  const before = judged.get(template);
  if (before !== undefined) return before;
  engine ??= new RegoEngine();
  const file = { path: "template", readBytes: () => Buffer.from(template) };
  const { status, diagnostics } = engine.validateStandard(file, { severityLevel: "WARN" });
  const faults = diagnostics
    .filter(({ severity, ruleId }) => severity !== "WARN" || faultyWarnings.includes(ruleId))
    .map(({ entity, propertyPath, message }) => `${entity?.logicalId} ${propertyPath ?? ""}: ${message}`);
  const all = status === "OK" ? faults : [`the validator has not finished: ${status}`, ...faults];
  judged.set(template, all);
  return all;
}

/** The validator only warns of a value outside its enumeration, which CloudFormation refuses. */
const faultyWarnings = ["W3030"];

let database: ReturnType<typeof loadAwsServiceSpecSync> | undefined;

/** What AWS says of a resource type, `undefined` where it has none of that name. CDK is generated from this database. */
export function resourceOf(type: string) {
  database ??= loadAwsServiceSpecSync();
  return database.lookup("resource", "cloudFormationType", "equals", type)[0];
}

/** Whether a change of properties makes CloudFormation replace the resource. */
export function isReplaced(type: string, before: Value, after: Value): boolean {
  const properties = resourceOf(type)?.properties ?? {};
  return Object.entries(properties).some(
    ([name, { causesReplacement }]) =>
      causesReplacement === "yes" &&
      JSON.stringify(member(before, name)) !== JSON.stringify(member(after, name)),
  );
}

function member(value: Value, name: string): Value | undefined {
  return isRecord(value) ? value[name] : undefined;
}
