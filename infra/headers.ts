import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
} from "aws-cdk-lib/aws-cloudfront";
import { Duration } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import { cors, sitePolicy, walletConnectPolicy } from "../functions/routes.ts";

/** Answers of the API are data: a browser that opens one shows it and runs nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

export type Headers = { readonly site: ResponseHeadersPolicy; readonly api: ResponseHeadersPolicy };

/** What the edge adds to every answer. */
export function makeHeaders(stack: Stack): Headers {
  return {
    site: new ResponseHeadersPolicy(stack, "site-headers", {
      securityHeadersBehavior: secure(
        process.env.VITE_WALLETCONNECT_PROJECT_ID ? walletConnectPolicy : sitePolicy,
      ),
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
