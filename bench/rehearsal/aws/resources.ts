import { randomUUID } from "node:crypto";
import { type Account, ResourceFailure } from "./account.ts";
import { checks, creations, deletions, type Properties } from "./behaviours.ts";
import { isRecord, type Value } from "./evaluate.ts";
import { resourceOf } from "./specification.ts";

/** A resource as its stack knows it. */
export type StackResource = {
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId: string;
  /** Under which the account has it. */
  readonly key: string;
  readonly properties: Properties;
};

type Wanted = Pick<StackResource, "logicalId" | "type" | "properties">;

/** Creates a resource, or throws a `ResourceFailure` where its service would refuse. */
export function createResource(account: Account, stackName: string, wanted: Wanted): StackResource {
  const { logicalId, type, properties } = wanted;
  const reason = account.failureOf(stackName, logicalId, type);
  if (reason !== undefined) throw new ResourceFailure(reason);
  check(account, type, properties);
  const physicalId = physicalIdOf(account, stackName, wanted);
  const key = `${type} ${uniqueName(type, properties) ?? physicalId}`;
  if (account.resources.has(key)) throw new ResourceFailure(`${key} already exists`);
  creations[type]?.({ account, properties, physicalId });
  account.resources.set(key, { type, physicalId, owner: stackName });
  return { logicalId, type, physicalId, key, properties };
}

/** Changes a resource in its place. */
export function changeResource(
  account: Account,
  resource: StackResource,
  properties: Properties,
): StackResource {
  const { type, physicalId } = resource;
  check(account, type, properties);
  if (type === "AWS::SSM::Parameter") creations[type]?.({ account, properties, physicalId });
  return { ...resource, properties };
}

export function deleteResource(account: Account, { type, physicalId, key, properties }: StackResource): void {
  deletions[type]?.({ account, properties, physicalId });
  account.resources.delete(key);
}

/** Leaves a resource in the account when its stack goes on without it. */
export function retainResource(account: Account, { key, type, physicalId }: StackResource): void {
  account.resources.set(key, { type, physicalId, owner: undefined });
}

/** An attribute as `Fn::GetAtt` gives it. Those that services choose are made up. */
export function attributeOf(account: Account, resource: StackResource, name: string): Value {
  const { type, physicalId, properties } = resource;
  const given = properties[name];
  if (typeof given === "string" || typeof given === "number") return given;
  const identifier = resourceOf(type)?.primaryIdentifier ?? [];
  if (identifier.length === 1 && identifier[0] === name) return physicalId;
  return name.endsWith("Arn") ? arnOf(account, type, physicalId) : `${physicalId}.${name}`;
}

/** Checks what the type's service looks up. That properties have their form was checked with the template. */
function check(account: Account, type: string, properties: Properties): void {
  if (type.startsWith("Custom::")) {
    const handler = String(properties.ServiceToken).split(":").at(-1);
    if (!account.resources.has(`AWS::Lambda::Function ${handler}`)) {
      throw new ResourceFailure(`${type}: there is no function ${String(properties.ServiceToken)}`);
    }
  }
  checks[type]?.({ account, properties, physicalId: "" });
}

/** What `Ref` gives: a name from the properties, or one that CloudFormation makes from the stack's. */
function physicalIdOf(account: Account, stackName: string, { logicalId, type, properties }: Wanted): string {
  const { cfnRefIdentifier, primaryIdentifier = ["Id"] } = resourceOf(type) ?? {};
  const parts = (cfnRefIdentifier ?? primaryIdentifier).map((name) => {
    const given = properties[name];
    if (typeof given === "string") return given;
    const random = randomUUID().replaceAll("-", "").slice(0, 12);
    const made = `${stackName.slice(0, 24)}-${logicalId.slice(0, 24)}-${random}`;
    if (type === "AWS::S3::Bucket") return made.toLowerCase();
    const isArn = name.endsWith("Arn") || type === "AWS::SecretsManager::Secret";
    return isArn ? arnOf(account, type, made) : made;
  });
  return parts.join("|");
}

function arnOf({ id, region }: Account, type: string, physicalId: string): string {
  if (physicalId.startsWith("arn:")) return physicalId;
  const known: Readonly<Record<string, string>> = { Partition: "aws", Region: region, Account: id };
  const service = type.split("::")[1]?.toLowerCase();
  const template = resourceOf(type)?.arnTemplate ?? `arn:aws:${service}:${region}:${id}:\${Id}`;
  return template.replace(/\$\{(\w+)\}/g, (_, name: string) => known[name] ?? physicalId);
}

/** What no other resource of the account may be called, where the properties name it. */
function uniqueName(type: string, properties: Properties): string | undefined {
  const paths = alsoUnique[type] ?? resourceOf(type)?.primaryIdentifier ?? [];
  const names = paths.map((path) => memberAt(properties, path.split(".")));
  return names.length > 0 && names.every((name) => typeof name === "string") ? names.join(" ") : undefined;
}

function memberAt(value: Value | undefined, [name, ...rest]: readonly string[]): Value | undefined {
  return name === undefined ? value : memberAt(isRecord(value) ? value[name] : undefined, rest);
}

/** Names that services keep unique although CloudFormation identifies nothing by them. */
const alsoUnique: Readonly<Record<string, readonly string[]>> = {
  "AWS::ApiGatewayV2::Route": ["ApiId", "RouteKey"],
  "AWS::ApiGatewayV2::Stage": ["ApiId", "StageName"],
  "AWS::Budgets::Budget": ["Budget.BudgetName"],
  "AWS::CloudFront::CachePolicy": ["CachePolicyConfig.Name"],
  "AWS::CloudFront::Function": ["Name"],
  "AWS::CloudFront::OriginAccessControl": ["OriginAccessControlConfig.Name"],
  "AWS::CloudFront::ResponseHeadersPolicy": ["ResponseHeadersPolicyConfig.Name"],
  "AWS::Events::Rule": ["Name"],
  "AWS::Route53::RecordSet": ["HostedZoneId", "Name", "Type"],
  "AWS::SecretsManager::Secret": ["Name"],
  "AWS::SNS::Topic": ["TopicName"],
  "AWS::SQS::Queue": ["QueueName"],
  "AWS::StepFunctions::StateMachine": ["StateMachineName"],
  "AWS::WAFv2::WebACL": ["Name", "Scope"],
};
