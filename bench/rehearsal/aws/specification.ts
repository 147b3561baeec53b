import { type Engine, RegoEngine } from "@aws/cloudformation-validate";
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { isRecord, type Value } from "./evaluate.ts";

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
