import { randomUUID } from "node:crypto";
import { generatePrivateKey } from "viem/accounts";
import {
  type AwsAccount,
  findSecret,
  type Properties,
  ResourceFailure,
  type StackResource,
  storeSecret,
} from "./account.ts";
import { findSchema, isRecord, type Value } from "./template.ts";

type PlannedResource = Pick<StackResource, "logicalId" | "type" | "properties">;

/**
 * Creates a resource.
 * @throws ResourceFailure if the resource's service would refuse the creation
 */
export function createResource(
  account: AwsAccount,
  stackName: string,
  planned: PlannedResource,
): StackResource {
  const { logicalId, type, properties } = planned;
  const reason = account.failureOf(stackName, logicalId, type);
  if (reason !== undefined) throw new ResourceFailure(reason);
  checkResource(account, type, properties);
  const physicalId = makePhysicalId(account, stackName, planned);
  const key = `${type} ${findUniqueName(type, properties) ?? physicalId}`;
  if (account.resources.has(key)) throw new ResourceFailure(`${key} already exists`);
  creations[type]?.({ account, properties, physicalId });
  account.resources.set(key, { type, physicalId, owner: stackName });
  return { logicalId, type, physicalId, key, properties };
}

export function changeResource(
  account: AwsAccount,
  resource: StackResource,
  properties: Properties,
): StackResource {
  const { type, physicalId } = resource;
  checkResource(account, type, properties, physicalId);
  if (type === "AWS::SSM::Parameter") creations[type]?.({ account, properties, physicalId });
  return { ...resource, properties };
}

export function deleteResource(
  account: AwsAccount,
  { type, physicalId, key, properties }: StackResource,
): void {
  deletions[type]?.({ account, properties, physicalId });
  account.resources.delete(key);
}

/** Keeps a resource in the account after the resource's stack no longer contains the resource. */
export function retainResource(account: AwsAccount, { key, type, physicalId }: StackResource): void {
  account.resources.set(key, { type, physicalId, owner: undefined });
}

/**
 * The value of a resource's attribute for `Fn::GetAtt`. If the service would choose an attribute's value, the stand-in invents the value.
 */
export function findAttribute(account: AwsAccount, resource: StackResource, name: string): Value {
  const { type, physicalId, properties } = resource;
  const given = properties[name];
  if (typeof given === "string" || typeof given === "number") return given;
  const identifier = findSchema(type)?.primaryIdentifier ?? [];
  if (identifier.length === 1 && identifier[0] === name) return physicalId;
  return name.endsWith("Arn") ? makeArn(account, type, physicalId) : `${physicalId}.${name}`;
}

/**
 * Makes the checks that the resource's service makes, for example that all resources named in the properties exist. The template check has
 * already validated the properties' form.
 */
function checkResource(account: AwsAccount, type: string, properties: Properties, physicalId = ""): void {
  if (type.startsWith("Custom::")) {
    const handler = String(properties.ServiceToken).split(":").at(-1);
    if (!account.resources.has(`AWS::Lambda::Function ${handler}`)) {
      throw new ResourceFailure(`${type}: there is no function ${String(properties.ServiceToken)}`);
    }
  }
  checks[type]?.({ account, properties, physicalId });
}

/** The value of `Ref`: a name from the properties, or a name that CloudFormation derives from the stack's name. */
function makePhysicalId(
  account: AwsAccount,
  stackName: string,
  { logicalId, type, properties }: PlannedResource,
): string {
  const { cfnRefIdentifier, primaryIdentifier = ["Id"] } = findSchema(type) ?? {};
  const parts = (cfnRefIdentifier ?? primaryIdentifier).map((name) => {
    const given = properties[name];
    if (typeof given === "string") return given;
    const random = randomUUID().replaceAll("-", "").slice(0, 12);
    const made = `${stackName.slice(0, 24)}-${logicalId.slice(0, 24)}-${random}`;
    if (type === "AWS::S3::Bucket") return made.toLowerCase();
    const isArn = name.endsWith("Arn") || type === "AWS::SecretsManager::Secret";
    return isArn ? makeArn(account, type, made) : made;
  });
  return parts.join("|");
}

function makeArn({ id, region }: AwsAccount, type: string, physicalId: string): string {
  if (physicalId.startsWith("arn:")) return physicalId;
  const known: Readonly<Record<string, string>> = { Partition: "aws", Region: region, Account: id };
  const service = type.split("::")[1]?.toLowerCase();
  const template = findSchema(type)?.arnTemplate ?? `arn:aws:${service}:${region}:${id}:\${Id}`;
  return template.replace(/\$\{(\w+)\}/g, (_, name: string) => known[name] ?? physicalId);
}

/** The name in a resource's properties that must be unique in the account. */
function findUniqueName(type: string, properties: Properties): string | undefined {
  const paths = alsoUnique[type] ?? findSchema(type)?.primaryIdentifier ?? [];
  const names = paths.map((path) => findMember(properties, path.split(".")));
  return names.length > 0 && names.every((name) => typeof name === "string") ? names.join(" ") : undefined;
}

function findMember(value: Value | undefined, [name, ...rest]: readonly string[]): Value | undefined {
  return name === undefined ? value : findMember(isRecord(value) ? value[name] : undefined, rest);
}

/** Names that must be unique within a service, but are not the names by which CloudFormation identifies a resource. */
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

type ResourceContext = {
  readonly account: AwsAccount;
  readonly properties: Properties;
  readonly physicalId: string;
};
type TypeChecks = Readonly<Record<string, (context: ResourceContext) => void>>;

/** The resources that services look up before they create or change another resource. */
const checks: TypeChecks = {
  "AWS::Lambda::Function": (context) => {
    checkCode(context.account, context.properties.Code);
    checkConcurrency(context);
  },
  "AWS::KMS::Key": ({ properties: { KeyPolicy } }) => {
    if (KeyPolicy === undefined || mayPutPolicy(KeyPolicy)) return;
    throw new ResourceFailure(
      "The new key policy will not allow you to update the key policy in the future.",
    );
  },
  "AWS::ApiGatewayV2::Stage": ({ account, properties }) => {
    const { ApiId, RouteSettings = {} } = properties;
    for (const key of Object.keys(isRecord(RouteSettings) ? RouteSettings : {})) {
      if (account.resources.has(`AWS::ApiGatewayV2::Route ${String(ApiId)} ${key}`)) continue;
      throw new ResourceFailure(`Unable to find Route by key ${key} within the provided RouteSettings`);
    }
  },
  "AWS::Lambda::LayerVersion": ({ account, properties }) => checkCode(account, properties.Content),
  "AWS::CertificateManager::Certificate": ({ account, properties }) => {
    for (const option of readList(properties.DomainValidationOptions)) {
      findZone(account, isRecord(option) ? option.HostedZoneId : undefined);
    }
  },
  "AWS::Route53::RecordSet": ({ account, properties }) => {
    const { name } = findZone(account, properties.HostedZoneId);
    if (!`.${properties.Name}`.endsWith(`.${name}.`)) {
      throw new ResourceFailure(`RRSet with DNS name ${properties.Name} is not permitted in zone ${name}.`);
    }
  },
  "AWS::WAFv2::LoggingConfiguration": ({ account, properties }) => {
    for (const destination of readList(properties.LogDestinationConfigs)) {
      const group = String(destination).split(":log-group:")[1] ?? "";
      if (!group.startsWith("aws-waf-logs-") || !account.resources.has(`AWS::Logs::LogGroup ${group}`)) {
        throw new ResourceFailure(`The ARN isn't valid. ${String(destination)}`);
      }
    }
  },
  "Custom::CDKBucketDeployment": ({ account, properties }) => {
    const keys = readList(properties.SourceObjectKeys);
    for (const [index, bucket] of readList(properties.SourceBucketNames).entries()) {
      findObject(account, bucket, keys[index]);
    }
    findBucket(account, properties.DestinationBucketName);
  },
};

/** Changes that the creation of a resource causes in other services. */
const creations: TypeChecks = {
  "AWS::S3::Bucket": ({ account, physicalId }) => account.buckets.set(physicalId, new Map()),
  "AWS::SSM::Parameter": ({ account, properties, physicalId }) =>
    account.parameters.set(physicalId, String(properties.Value)),
  "AWS::KMS::Key": ({ account, physicalId }) => account.keys.set(physicalId, generatePrivateKey()),
  "AWS::Route53::RecordSet": ({ account, properties }) =>
    findZone(account, properties.HostedZoneId).records.add(`${properties.Name} ${properties.Type}`),
  "AWS::SecretsManager::Secret": ({ account, properties, physicalId }) => {
    const value = typeof properties.SecretString === "string" ? properties.SecretString : randomUUID();
    storeSecret(account, { name: String(properties.Name ?? physicalId), arn: physicalId, value });
  },
  // On AWS, this resource unpacks the site into the bucket, and a bucket with files in it cannot be deleted.
  "Custom::CDKBucketDeployment": ({ account, properties, physicalId }) =>
    findBucket(account, properties.DestinationBucketName).set(physicalId, Buffer.alloc(0)),
};

/** By resource type: the reasons why the service refuses a deletion, and the data that is deleted with the resource. */
const deletions: TypeChecks = {
  "AWS::S3::Bucket": ({ account, physicalId }) => {
    if (findBucket(account, physicalId).size > 0) {
      throw new ResourceFailure("The bucket you tried to delete is not empty");
    }
    account.buckets.delete(physicalId);
  },
  "AWS::SSM::Parameter": ({ account, physicalId }) => account.parameters.delete(physicalId),
  "AWS::KMS::Key": ({ account, physicalId }) => account.keys.delete(physicalId),
  "AWS::DynamoDB::Table": ({ properties }) => {
    if (properties.DeletionProtectionEnabled === true) {
      throw new ResourceFailure("Resource cannot be deleted as it is currently protected against deletion.");
    }
  },
  "AWS::Route53::RecordSet": ({ account, properties }) =>
    findZone(account, properties.HostedZoneId).records.delete(`${properties.Name} ${properties.Type}`),
  "AWS::SecretsManager::Secret": ({ account, physicalId }) => {
    const secret = findSecret(account, physicalId);
    if (secret !== undefined) account.secrets.delete(secret.name);
  },
  "Custom::S3AutoDeleteObjects": ({ account, properties }) =>
    findBucket(account, properties.BucketName).clear(),
};

/** Lambda's limit for unpacked code. A package whose packed size is above this limit is certainly too large. */
const maxCodeBytes = 250 * 1024 * 1024;

function checkCode(account: AwsAccount, code: Value | undefined): void {
  if (!isRecord(code) || code.S3Bucket === undefined) return;
  const { length } = findObject(account, code.S3Bucket, code.S3Key);
  if (length === 0) throw new ResourceFailure("Could not unzip uploaded file.");
  if (length > maxCodeBytes) throw new ResourceFailure("Unzipped size must be smaller than 262144000 bytes");
}

/**
 * Whether a key's policy has a statement that lets a user change this policy without any condition. KMS refuses a key whose policy lets no
 * user manage it.
 */
function mayPutPolicy(policy: Value): boolean {
  const statements = isRecord(policy) ? readList(policy.Statement) : [];
  return statements.some((statement) => {
    if (!isRecord(statement) || statement.Effect !== "Allow" || statement.Condition !== undefined)
      return false;
    const actions = Array.isArray(statement.Action) ? statement.Action : [statement.Action ?? ""];
    return actions.some((action) => ["kms:*", "kms:Put*", "kms:PutKeyPolicy", "*"].includes(String(action)));
  });
}

/**
 * Concurrency that Lambda keeps for functions without a reservation. An account with a total concurrency of 100 or less can reserve no
 * concurrency.
 */
const leastUnreserved = 100;

function checkConcurrency({ account, properties, physicalId }: ResourceContext): void {
  const wanted = Number(properties.ReservedConcurrentExecutions ?? 0);
  const others = account.stacks
    .flatMap(({ resources }) => [...resources.values()])
    .filter((one) => one.type === "AWS::Lambda::Function" && one.physicalId !== physicalId)
    .reduce((sum, one) => sum + Number(one.properties.ReservedConcurrentExecutions ?? 0), 0);
  const least = Math.min(leastUnreserved, account.concurrency);
  if (wanted === 0 || account.concurrency - others - wanted >= least) return;
  throw new ResourceFailure(
    `Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${least}].`,
  );
}

function readList(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

function findObject(account: AwsAccount, bucket: Value | undefined, key: Value | undefined): Buffer {
  const found = findBucket(account, bucket).get(String(key));
  if (found !== undefined) return found;
  throw new ResourceFailure(`S3 Error Code: NoSuchKey. ${String(bucket)}/${String(key)}`);
}

function findBucket(account: AwsAccount, name: Value | undefined): Map<string, Buffer> {
  const bucket = account.buckets.get(String(name));
  if (bucket !== undefined) return bucket;
  throw new ResourceFailure(`The specified bucket does not exist: ${String(name)}`);
}

function findZone(account: AwsAccount, id: Value | undefined) {
  const zone = account.zones.get(String(id));
  if (zone !== undefined) return zone;
  throw new ResourceFailure(`No hosted zone found with ID: ${String(id)}`);
}
