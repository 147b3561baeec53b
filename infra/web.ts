import { Certificate, CertificateValidation, type ICertificate } from "aws-cdk-lib/aws-certificatemanager";
import { Distribution, HttpVersion, PriceClass, SecurityPolicyProtocol } from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { AaaaRecord, ARecord, HostedZone, type IHostedZone, RecordTarget } from "aws-cdk-lib/aws-route53";
import { CloudFrontTarget } from "aws-cdk-lib/aws-route53-targets";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Duration } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import type { Front } from "./api.ts";
import { behavioursOf } from "./behaviours.ts";
import { makeFirewall } from "./firewall.ts";
import { makeGateway } from "./gateway.ts";
import { makeHeaders } from "./headers.ts";
import { makeOriginSecrets, originHeader } from "./origin-secret.ts";
import { type Buckets, makeBuckets, publish } from "./site.ts";
import type { StageSettings } from "./stages.ts";

export type Web = Front & {
  /** Such as `https://example.com`. */
  readonly origin: string;
  readonly distribution: Distribution;
  /** The site's files. */
  readonly files: Bucket;
};

type House = { readonly certificate: ICertificate; readonly zone: IHostedZone; readonly name: string };

/**
 * What the internet meets: one distribution with the site's files and the API behind it, so that the session's cookie
 * is first-party. `siteFolder` holds the built site.
 */
export function webStack(stack: Stack, settings: StageSettings, siteFolder: string): Web {
  const gateway = makeGateway(stack, settings);
  const originSecrets = makeOriginSecrets(stack, settings);
  const buckets = makeBuckets(stack, settings);
  const house = makeHouse(stack, settings);
  const api = new HttpOrigin(`${gateway.apiId}.execute-api.${stack.region}.${stack.urlSuffix}`, {
    customHeaders: { [originHeader]: originSecrets.shown },
    // A payment may take its 29 seconds: the edge must not give up on it before the gateway does.
    readTimeout: Duration.seconds(35),
  });
  const headers = makeHeaders(stack, settings);
  const files = S3BucketOrigin.withOriginAccessControl(buckets.files);
  const behaviours = behavioursOf(stack, { files, api }, headers);
  const distribution = makeDistribution(stack, buckets, settings, house, behaviours);
  if (house !== undefined) makeRecords(stack, house, distribution);
  publish(stack, siteFolder, { files: buckets.files, distribution }, settings);
  const host = house?.name ?? distribution.distributionDomainName;
  return {
    gateway,
    originSecret: originSecrets.accepted,
    distribution,
    files: buckets.files,
    origin: `https://${host}`,
  };
}

function makeDistribution(
  stack: Stack,
  buckets: Buckets,
  settings: StageSettings,
  house: House | undefined,
  behaviours: Pick<ConstructorParameters<typeof Distribution>[2], "defaultBehavior" | "additionalBehaviors">,
): Distribution {
  return new Distribution(stack, "distribution", {
    ...behaviours,
    comment: stack.stackName,
    defaultRootObject: "index.html",
    httpVersion: HttpVersion.HTTP2_AND_3,
    priceClass: PriceClass.PRICE_CLASS_100,
    webAclId: makeFirewall(stack, settings).attrArn,
    enableLogging: true,
    logBucket: buckets.logs,
    logFilePrefix: "edge/",
    // A refusal of this moment is not one of the next.
    errorResponses: [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((httpStatus) => ({
      httpStatus,
      ttl: Duration.seconds(0),
    })),
    ...(house !== undefined && {
      domainNames: [house.name],
      certificate: house.certificate,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }),
  });
}

function makeHouse(stack: Stack, { domain }: StageSettings): House | undefined {
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

function makeRecords(stack: Stack, { zone, name }: House, distribution: Distribution): void {
  const record = {
    zone,
    recordName: name,
    target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)),
  };
  new ARecord(stack, "record", record);
  new AaaaRecord(stack, "record-v6", record);
}
