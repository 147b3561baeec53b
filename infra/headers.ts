import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
} from "aws-cdk-lib/aws-cloudfront";
import { Duration } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import { cors } from "../functions/routes.ts";

/** Where the site may load from and talk to: itself, and for pictures any https address (stocks' logos). */
const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' https:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Answers of the API are data: a browser that opens one shows it and runs nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

export type Headers = { readonly site: ResponseHeadersPolicy; readonly api: ResponseHeadersPolicy };

/** What the edge adds to every answer. */
export function makeHeaders(stack: Stack): Headers {
  return {
    site: new ResponseHeadersPolicy(stack, "site-headers", {
      securityHeadersBehavior: secure(sitePolicy),
      customHeadersBehavior: {
        customHeaders: [
          {
            header: "permissions-policy",
            value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            override: true,
          },
        ],
      },
    }),
    api: new ResponseHeadersPolicy(stack, "api-headers", {
      securityHeadersBehavior: secure(apiPolicy),
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
