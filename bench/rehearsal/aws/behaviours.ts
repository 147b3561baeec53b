import { randomUUID } from "node:crypto";
import { type Account, findSecret, keepSecret, ResourceFailure } from "./account.ts";
import { isRecord, type Value } from "./evaluate.ts";

export type Properties = Readonly<Record<string, Value>>;

type Context = { readonly account: Account; readonly properties: Properties; readonly physicalId: string };
type ByType = Readonly<Record<string, (context: Context) => void>>;

/** What services look up before they create or change a resource. */
export const checks: ByType = {
  "AWS::Lambda::Function": ({ account, properties }) => checkCode(account, properties.Code),
  "AWS::Lambda::LayerVersion": ({ account, properties }) => checkCode(account, properties.Content),
  "AWS::CertificateManager::Certificate": ({ account, properties }) => {
    for (const option of listIn(properties.DomainValidationOptions)) {
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
    for (const destination of listIn(properties.LogDestinationConfigs)) {
      const group = String(destination).split(":log-group:")[1] ?? "";
      if (!group.startsWith("aws-waf-logs-") || !account.resources.has(`AWS::Logs::LogGroup ${group}`)) {
        throw new ResourceFailure(`The ARN isn't valid. ${String(destination)}`);
      }
    }
  },
  "Custom::CDKBucketDeployment": ({ account, properties }) => {
    const keys = listIn(properties.SourceObjectKeys);
    for (const [index, bucket] of listIn(properties.SourceBucketNames).entries()) {
      findObject(account, bucket, keys[index]);
    }
    findBucket(account, properties.DestinationBucketName);
  },
};

/** What a resource is for other services once it stands. */
export const creations: ByType = {
  "AWS::S3::Bucket": ({ account, physicalId }) => account.buckets.set(physicalId, new Map()),
  "AWS::SSM::Parameter": ({ account, properties, physicalId }) =>
    account.parameters.set(physicalId, String(properties.Value)),
  "AWS::Route53::RecordSet": ({ account, properties }) =>
    findZone(account, properties.HostedZoneId).records.add(`${properties.Name} ${properties.Type}`),
  "AWS::SecretsManager::Secret": ({ account, properties, physicalId }) => {
    const value = typeof properties.SecretString === "string" ? properties.SecretString : randomUUID();
    keepSecret(account, { name: String(properties.Name ?? physicalId), arn: physicalId, value });
  },
  // The real one unpacks the site into the bucket, which then cannot be deleted as it is.
  "Custom::CDKBucketDeployment": ({ account, properties, physicalId }) =>
    findBucket(account, properties.DestinationBucketName).set(physicalId, Buffer.alloc(0)),
};

/** What services refuse to delete, and what goes with a resource. */
export const deletions: ByType = {
  "AWS::S3::Bucket": ({ account, physicalId }) => {
    if (findBucket(account, physicalId).size > 0) {
      throw new ResourceFailure("The bucket you tried to delete is not empty");
    }
    account.buckets.delete(physicalId);
  },
  "AWS::SSM::Parameter": ({ account, physicalId }) => account.parameters.delete(physicalId),
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

/** Lambda's limit for unpacked code. A packed one that is larger is too large for certain. */
const maxCodeBytes = 250 * 1024 * 1024;

function checkCode(account: Account, code: Value | undefined): void {
  if (!isRecord(code) || code.S3Bucket === undefined) return;
  const { length } = findObject(account, code.S3Bucket, code.S3Key);
  if (length === 0) throw new ResourceFailure("Could not unzip uploaded file.");
  if (length > maxCodeBytes) throw new ResourceFailure("Unzipped size must be smaller than 262144000 bytes");
}

function listIn(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

function findObject(account: Account, bucket: Value | undefined, key: Value | undefined): Buffer {
  const found = findBucket(account, bucket).get(String(key));
  if (found !== undefined) return found;
  throw new ResourceFailure(`S3 Error Code: NoSuchKey. ${String(bucket)}/${String(key)}`);
}

function findBucket(account: Account, name: Value | undefined): Map<string, Buffer> {
  const bucket = account.buckets.get(String(name));
  if (bucket !== undefined) return bucket;
  throw new ResourceFailure(`The specified bucket does not exist: ${String(name)}`);
}

function findZone(account: Account, id: Value | undefined) {
  const zone = account.zones.get(String(id));
  if (zone !== undefined) return zone;
  throw new ResourceFailure(`No hosted zone found with ID: ${String(id)}`);
}
