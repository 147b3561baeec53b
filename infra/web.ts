import { CorsHttpMethod, HttpApi, type IHttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate, CertificateValidation, type ICertificate } from "aws-cdk-lib/aws-certificatemanager";
import { Distribution, HttpVersion, PriceClass, SecurityPolicyProtocol } from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { type IRole, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, type LogGroup } from "aws-cdk-lib/aws-logs";
import { AaaaRecord, ARecord, HostedZone, type IHostedZone, RecordTarget } from "aws-cdk-lib/aws-route53";
import { CloudFrontTarget } from "aws-cdk-lib/aws-route53-targets";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { BucketDeployment, CacheControl, Source } from "aws-cdk-lib/aws-s3-deployment";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { DefaultStackSynthesizer, Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { cors, originHeader } from "../functions/browser.ts";
import { edgeLog } from "../functions/storage.ts";
import { allow } from "./access.ts";
import { makeBehaviours, makeHeaders } from "./behaviours.ts";
import type { Stack } from "./constructs.ts";
import { makeFirewall } from "./firewall.ts";
import type { StageSettings } from "./stages.ts";
import { makeLogs } from "./storage.ts";

/** Makes the HTTP API; `infra/api.ts` adds its routes and limits. */
function makeGateway(stack: Stack): IHttpApi {
  const { apiId } = new HttpApi(stack, "gateway", {
    apiName: stack.stackName,
    createDefaultStage: false,
    corsPreflight: {
      allowOrigins: [...cors.allowOrigins],
      allowMethods: cors.allowMethods.map((method) => CorsHttpMethod[method]),
      allowHeaders: [...cors.allowHeaders],
      exposeHeaders: [...cors.exposeHeaders],
      maxAge: Duration.seconds(cors.maxAgeSeconds),
    },
  });
  // The API is referred to by its id, because CDK's class does not match its own interface under TypeScript's option
  // exactOptionalPropertyTypes.
  return HttpApi.fromHttpApiAttributes(stack, "gateway-by-id", { httpApiId: apiId });
}

/** The gateway's own host name, which the edge and the functions call. */
export function makeApiHost(stack: Stack, { apiId }: Pick<IHttpApi, "apiId">): string {
  return `${apiId}.execute-api.${stack.region}.${stack.urlSuffix}`;
}

/** A secret that identifies the edge: the secret's ARN, and a reference that a deployment replaces with the secret's value. */
type OriginSecret = { readonly generation: number; readonly secretArn: string; readonly value: string };

/**
 * Makes one of the edge's secrets for each number in `originSecret.accepted`. Throws an Error if functions would not accept the edge's
 * secret, because every request would then be refused.
 */
function makeOriginSecrets(
  stack: Stack,
  { originSecret }: StageSettings,
): { readonly shown: OriginSecret; readonly accepted: readonly OriginSecret[] } {
  const accepted = originSecret.accepted.map((generation) => {
    const id = generation === 1 ? "origin-secret" : `origin-secret-${generation}`;
    const { secretArn, secretValue } = new Secret(stack, id, {
      description: `${stack.stage}: what CloudFront shows to the API`,
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
    return { generation, secretArn, value: secretValue.unsafeUnwrap() };
  });
  const shown = accepted.find(({ generation }) => generation === originSecret.shown);
  if (shown === undefined)
    throw new Error(`Functions have to accept the origin secret ${originSecret.shown}`);
  return { shown, accepted };
}

/** The public part of a stage, with the buckets `files` (the built site), `logs` and `searchIndex`. */
export type WebParts = ReturnType<typeof makeBuckets> & {
  readonly gateway: IHttpApi;
  /**
   * The secrets with which the edge may call the API; the gateway and the functions refuse all other calls. The secret that the edge sends
   * comes first, because MCP sends the first secret, and a secret that the edge no longer sends will be deleted.
   */
  readonly originSecrets: readonly OriginSecret[];
  /** The site's origin, such as `https://example.com`. */
  readonly origin: string;
  readonly host: string;
  readonly distribution: Distribution;
};

type CustomDomain = { readonly certificate: ICertificate; readonly zone: IHostedZone; readonly name: string };

/**
 * Makes the public side of a stage: one CloudFront distribution in front of the site's files and the API, so that the session's cookie is
 * first-party. `siteFolder` holds the built site.
 */
export function buildWeb(stack: Stack, settings: StageSettings, siteFolder: string): WebParts {
  const gateway = makeGateway(stack);
  const originSecrets = makeOriginSecrets(stack, settings);
  const buckets = makeBuckets(stack, settings);
  const customDomain = makeCustomDomain(stack, settings);
  const api = new HttpOrigin(makeApiHost(stack, gateway), {
    // The gateway has routes only below the secret's path, and functions refuse callers without the secret.
    originPath: `/${originSecrets.shown.value}`,
    customHeaders: { [originHeader]: originSecrets.shown.value },
    // A payment may take 29 seconds, and the edge must not give up before the gateway does.
    readTimeout: Duration.seconds(35),
  });
  const headers = makeHeaders(stack, settings);
  const files = S3BucketOrigin.withOriginAccessControl(buckets.files);
  const behaviours = makeBehaviours(stack, { files, api }, headers);
  const distribution = makeDistribution(stack, settings, customDomain, behaviours);
  enableRequestLogs(stack, distribution, buckets.logs);
  if (customDomain !== undefined) makeRecords(stack, customDomain, distribution);
  addSiteDeployment(stack, siteFolder, { files: buckets.files, distribution }, settings);
  const host = customDomain?.name ?? distribution.distributionDomainName;
  const origin = `https://${host}`;
  const { shown, accepted } = originSecrets;
  const ordered = [shown, ...accepted.filter((one) => one !== shown)];
  return { ...buckets, gateway, originSecrets: ordered, distribution, origin, host };
}

function makeDistribution(
  stack: Stack,
  settings: StageSettings,
  customDomain: CustomDomain | undefined,
  behaviours: Pick<ConstructorParameters<typeof Distribution>[2], "defaultBehavior" | "additionalBehaviors">,
): Distribution {
  return new Distribution(stack, "distribution", {
    ...behaviours,
    comment: stack.stackName,
    defaultRootObject: "index.html",
    httpVersion: HttpVersion.HTTP2_AND_3,
    priceClass: PriceClass.PRICE_CLASS_100,
    webAclId: makeFirewall(stack, settings).attrArn,
    // Errors are not cached, because the next request may succeed.
    errorResponses: [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((httpStatus) => ({
      httpStatus,
      ttl: Duration.seconds(0),
    })),
    ...(customDomain !== undefined && {
      domainNames: [customDomain.name],
      certificate: customDomain.certificate,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }),
  });
}

/**
 * The edge's log, from which views are counted (core/views): CloudFront's standard logging (v2), which writes the named fields only. The
 * log's fields contain no IP address, cookie or country.
 */
function enableRequestLogs(stack: Stack, distribution: Distribution, logs: Bucket): void {
  const source = new CfnDeliverySource(stack, "edge-log-source", {
    name: `${stack.stackName}-edge`,
    logType: "ACCESS_LOGS",
    resourceArn: distribution.distributionArn,
  });
  const destination = new CfnDeliveryDestination(stack, "edge-log-destination", {
    name: `${stack.stackName}-edge`,
    destinationResourceArn: logs.arnForObjects(edgeLog.prefix),
    outputFormat: "json",
  });
  const writer = logs.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("delivery.logs.amazonaws.com")],
      actions: ["s3:PutObject"],
      resources: [logs.arnForObjects(`${edgeLog.prefix}/*`)],
      conditions: {
        StringEquals: { "s3:x-amz-acl": "bucket-owner-full-control", "aws:SourceAccount": stack.account },
        ArnEquals: { "aws:SourceArn": source.attrArn },
      },
    }),
  );
  const delivery = new CfnDelivery(stack, "edge-log", {
    deliverySourceName: source.ref,
    deliveryDestinationArn: destination.attrArn,
    recordFields: [...edgeLog.fields],
    s3SuffixPath: "{yyyy}/{MM}/{dd}",
  });
  if (writer.policyDependable !== undefined) delivery.node.addDependency(writer.policyDependable);
}

function makeCustomDomain(stack: Stack, { domain }: StageSettings): CustomDomain | undefined {
  if (domain === undefined) return undefined;
  const zone = HostedZone.fromHostedZoneAttributes(stack, "zone", {
    hostedZoneId: domain.zoneId,
    zoneName: domain.zoneName,
  });
  const certificate = new Certificate(stack, "certificate", {
    domainName: domain.name,
    validation: CertificateValidation.fromDns(zone),
  });
  return { certificate, zone, name: domain.name };
}

function makeRecords(stack: Stack, { zone, name }: CustomDomain, distribution: Distribution): void {
  const record = {
    zone,
    recordName: name,
    target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)),
  };
  new ARecord(stack, "record", record);
  new AaaaRecord(stack, "record-v6", record);
}

type SiteHosting = { readonly files: Bucket; readonly distribution: Distribution };

/** A bucket that is closed to the public, and whose whole content can be made again. */
const disposable = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.DESTROY,
  autoDeleteObjects: true,
} as const;

/** The buckets for the built site, for the logs of requests, and for the search index. */
function makeBuckets(stack: Stack, { logDays }: StageSettings) {
  const logs = new Bucket(stack, "access-logs", {
    ...disposable,
    // S3's log writer needs a bucket that allows access control lists.
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: [{ expiration: Duration.days(logDays) }],
  });
  const files = new Bucket(stack, "site", {
    ...disposable,
    versioned: true,
    lifecycleRules: [{ noncurrentVersionExpiration: Duration.days(30) }],
    serverAccessLogsBucket: logs,
    serverAccessLogsPrefix: "site/",
  });
  // The bucket contains only public facts, and older versions of its file are of no use.
  const searchIndex = new Bucket(stack, "search-index", {
    ...disposable,
    serverAccessLogsBucket: logs,
    serverAccessLogsPrefix: "search-index/",
  });
  return { files, logs, searchIndex };
}

/**
 * Puts the built site into its bucket: first the files that never change, and then the pages, so that a page never names a missing file.
 * Files of earlier versions are kept in the bucket for readers who still have an old page open.
 */
function addSiteDeployment(
  stack: Stack,
  folder: string,
  { files, distribution }: SiteHosting,
  settings: StageSettings,
): void {
  const logGroup = makeLogs(stack, "publisher-logs", settings);
  const common = {
    destinationBucket: files,
    prune: false,
    memoryLimit: 512,
    logGroup,
    role: makePublisherRole(stack, { files, distribution }, logGroup),
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

/** The rights for publishing the site. CDK's default rights would allow more actions, because they contain wildcards. */
function makePublisherRole(stack: Stack, { files, distribution }: SiteHosting, logGroup: LogGroup): IRole {
  const role = new Role(stack, "publisher-role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  const uploaded = Bucket.fromBucketName(stack, "uploaded", formatUploadBucket(stack));
  for (const [actions, resources] of [
    [["s3:GetObject"], [uploaded.arnForObjects("*")]],
    [["s3:GetObject", "s3:PutObject"], [files.arnForObjects("*")]],
    [["s3:ListBucket"], [uploaded.bucketArn, files.bucketArn]],
    [["cloudfront:CreateInvalidation", "cloudfront:GetInvalidation"], [distribution.distributionArn]],
  ] as const) {
    role.addToPolicy(allow(actions, resources));
  }
  return role.withoutPolicyUpdates();
}

/** The bucket to which CDK uploads files for a deployment. */
function formatUploadBucket({ synthesizer, account, region }: Stack): string {
  return `cdk-${synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER}-assets-${account}-${region}`;
}
