import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
} from "aws-cdk-lib/aws-cloudfront";
import { Duration } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import { cors, sitePolicy, walletConnectPolicy } from "../functions/routes.ts";
import type { StageSettings } from "./stages.ts";

/** Answers of the API are data: a browser that opens one shows it and runs nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

export type Headers = {
  /** Of the site's files. */
  readonly site: ResponseHeadersPolicy;
  /** Of pages that a function answers. */
  readonly page: ResponseHeadersPolicy;
  readonly api: ResponseHeadersPolicy;
};

/**
 * On all answers that may be the gateway's own, where they have none: an HTTP API cannot change the 429 and 503 that it makes
 * itself, and CloudFront runs no function on an answer from 400 on. On other answers it has no meaning (RFC 9110 §10.2.3).
 */
const retryAfter = { header: "retry-after", value: "1", override: false } as const;

/** What the edge adds to every answer. */
export function makeHeaders(stack: Stack, { walletConnectProjectId }: StageSettings): Headers {
  const documents = {
    securityHeadersBehavior: secure(walletConnectProjectId === undefined ? sitePolicy : walletConnectPolicy),
  };
  const permissions = {
    header: "permissions-policy",
    value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    override: true,
  };
  return {
    site: new ResponseHeadersPolicy(stack, "site-headers", {
      ...documents,
      customHeadersBehavior: { customHeaders: [permissions] },
    }),
    page: new ResponseHeadersPolicy(stack, "page-headers", {
      ...documents,
      customHeadersBehavior: { customHeaders: [permissions, retryAfter] },
    }),
    api: new ResponseHeadersPolicy(stack, "api-headers", {
      securityHeadersBehavior: secure(apiPolicy),
      customHeadersBehavior: { customHeaders: [retryAfter] },
      // The gateway says the same, but not in an answer that was stored for a caller without an origin.
      corsBehavior: {
        accessControlAllowCredentials: false,
        accessControlAllowOrigins: [...cors.allowOrigins],
        accessControlAllowMethods: [...cors.allowMethods, "OPTIONS"],
        accessControlAllowHeaders: [...cors.allowHeaders],
        accessControlExposeHeaders: [...cors.exposeHeaders],
        accessControlMaxAge: Duration.seconds(cors.maxAgeSeconds),
        originOverride: true,
      },
    }),
  };
}

function secure(contentSecurityPolicy: string): ResponseSecurityHeadersBehavior {
  return {
    contentSecurityPolicy: { contentSecurityPolicy, override: true },
    contentTypeOptions: { override: true },
    frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
    referrerPolicy: {
      referrerPolicy: HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN,
      override: true,
    },
    strictTransportSecurity: {
      accessControlMaxAge: Duration.days(730),
      includeSubdomains: true,
      override: true,
    },
  };
}
