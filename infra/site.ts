import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import { type IRole, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { BucketDeployment, CacheControl, Source } from "aws-cdk-lib/aws-s3-deployment";
import { DefaultStackSynthesizer, Duration, RemovalPolicy } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import { makeLogs } from "./removal.ts";
import type { StageSettings } from "./stages.ts";

export type Buckets = { readonly files: Bucket; readonly logs: Bucket };

type Target = { readonly files: Bucket; readonly distribution: Distribution };

const locked = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
} as const;

/** Where the built site lies, and who asked for it. Nothing in them cannot be made again. */
export function makeBuckets(stack: Stack, { logDays }: StageSettings): Buckets {
  const disposable = { removalPolicy: RemovalPolicy.DESTROY, autoDeleteObjects: true };
  const logs = new Bucket(stack, "access-logs", {
    ...locked,
    ...disposable,
    // CloudFront's log writer still works with access lists.
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: [{ expiration: Duration.days(logDays) }],
  });
  const files = new Bucket(stack, "site", {
    ...locked,
    ...disposable,
    versioned: true,
    lifecycleRules: [{ noncurrentVersionExpiration: Duration.days(30) }],
    serverAccessLogsBucket: logs,
    serverAccessLogsPrefix: "site/",
  });
  return { files, logs };
}

/**
 * Puts the built site into its bucket: first what never changes under its name, so that a page never names a file that
 * is not there yet, then the pages. Files of earlier versions stay for whoever still has an old page open.
 */
export function publish(
  stack: Stack,
  folder: string,
  { files, distribution }: Target,
  settings: StageSettings,
): void {
  const logGroup = makeLogs(stack, "publisher-logs", settings);
  const common = {
    destinationBucket: files,
    prune: false,
    memoryLimit: 512,
    logGroup,
    role: publisherRole(stack, { files, distribution }, logGroup),
  };
  const assets = new BucketDeployment(stack, "assets", {
    ...common,
    sources: [Source.asset(folder, { exclude: ["*", "!assets", "!assets/**"] })],
    cacheControl: [CacheControl.fromString("public, max-age=31536000, immutable")],
  });
  const pages = new BucketDeployment(stack, "pages", {
    ...common,
    sources: [Source.asset(folder, { exclude: ["assets"] })],
    cacheControl: [CacheControl.fromString("public, max-age=0, s-maxage=3600, must-revalidate")],
    distribution,
    distributionPaths: ["/*"],
  });
  pages.node.addDependency(assets);
}

/** The rights that publishing takes: CDK's own choice would reach further, with actions by wildcard. */
function publisherRole(stack: Stack, { files, distribution }: Target, logGroup: LogGroup): IRole {
  const role = new Role(stack, "publisher-role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  const uploaded = Bucket.fromBucketName(stack, "uploaded", uploads(stack));
  for (const [actions, resources] of [
    [["s3:GetObject"], [uploaded.arnForObjects("*")]],
    [["s3:GetObject", "s3:PutObject"], [files.arnForObjects("*")]],
    [["s3:ListBucket"], [uploaded.bucketArn, files.bucketArn]],
    [["cloudfront:CreateInvalidation", "cloudfront:GetInvalidation"], [distribution.distributionArn]],
  ] as const) {
    role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }
  return role.withoutPolicyUpdates();
}

/** Where CDK puts what is to be deployed. */
function uploads({ synthesizer, account, region }: Stack): string {
  return `cdk-${synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER}-assets-${account}-${region}`;
}
