import { CfnLoggingConfiguration, CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { ArnFormat } from "aws-cdk-lib/core";
import { signedReadHeader } from "../functions/browser.ts";
import type { Stack } from "./constructs.ts";
import type { StageSettings } from "./stages.ts";
import { makeLogs } from "./storage.ts";

/**
 * Rules of AWS's common set that would turn honest callers away, so they only count: bodies are articles and may be
 * longer than 8 kB, quote markup and name addresses (every body is parsed by a schema), and programs that pay need
 * not name themselves.
 */
const counted = [
  "SizeRestrictions_BODY",
  "CrossSiteScripting_BODY",
  "GenericLFI_BODY",
  "GenericRFI_BODY",
  "EC2MetaDataSSRF_BODY",
  "NoUserAgent_HEADER",
];

const managed = [
  { name: "AWSManagedRulesAmazonIpReputationList", counted: [] },
  { name: "AWSManagedRulesKnownBadInputsRuleSet", counted: [] },
  { name: "AWSManagedRulesCommonRuleSet", counted },
] as const;

/** The firewall before the distribution: it must stand in us-east-1, as CloudFront asks. */
export function makeFirewall(stack: Stack, settings: StageSettings): CfnWebACL {
  const { edge } = settings.limits;
  const firewall = new CfnWebACL(stack, "firewall", {
    scope: "CLOUDFRONT",
    defaultAction: { allow: {} },
    visibilityConfig: visible("all"),
    customResponseBodies: { [unknownRoute.key]: unknownRoute.body },
    rules: [
      encodedPath(0),
      limited("rate-sign-in", 1, edge.signIn, pathLike("^/api/(auth/|me/sessions/end)")),
      limited("rate-costly", 2, edge.costly, pathLike("^/(mcp|api/(pay|rpc|press|draft|votes))(/|$)")),
      // A node runs the signer's code for each of them.
      limited("rate-signed-reads", 3, edge.costly, withHeader(signedReadHeader)),
      limited("rate-all", 4, edge.all),
      ...managed.map((set, index) => managedRule(set, 5 + index)),
    ],
  });
  // The service writes to groups of this prefix only.
  const logs = makeLogs(stack, "firewall-logs", settings, "aws-waf-logs-");
  new CfnLoggingConfiguration(stack, "firewall-logging", {
    resourceArn: firewall.attrArn,
    logDestinationConfigs: [
      stack.formatArn({
        service: "logs",
        resource: "log-group",
        resourceName: logs.logGroupName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
    redactedFields: ["cookie", "payment-signature", "x-payment", "sign-in-with-x"].map((name) => ({
      singleHeader: { Name: name },
    })),
    // What was let through is in the gateway's own log.
    loggingFilter: {
      DefaultBehavior: "DROP",
      Filters: [
        {
          Behavior: "KEEP",
          Requirement: "MEETS_ANY",
          Conditions: [{ ActionCondition: { Action: "BLOCK" } }, { ActionCondition: { Action: "COUNT" } }],
        },
      ],
    },
  });
  return firewall;
}

const unknownRoute = {
  key: "unknown-route",
  body: {
    contentType: "APPLICATION_JSON",
    content: JSON.stringify({ error: "There is nothing at this address.", code: "unknown_route" }),
  },
} as const;

/**
 * No path of ours has a percent sign. One that does names to the gateway, which decodes it, another path than to the
 * rules below and to the caches.
 */
function encodedPath(priority: number): CfnWebACL.RuleProperty {
  const name = "encoded-path";
  return {
    name,
    priority,
    action: { block: { customResponse: { responseCode: 404, customResponseBodyKey: unknownRoute.key } } },
    visibilityConfig: visible(name),
    statement: {
      byteMatchStatement: {
        fieldToMatch: { uriPath: {} },
        positionalConstraint: "CONTAINS",
        searchString: "%",
        textTransformations: [{ priority: 0, type: "NONE" }],
      },
    },
  };
}

function pathLike(regexString: string): CfnWebACL.StatementProperty {
  return {
    regexMatchStatement: {
      fieldToMatch: { uriPath: {} },
      regexString,
      textTransformations: [
        { priority: 0, type: "URL_DECODE" },
        { priority: 1, type: "NORMALIZE_PATH" },
      ],
    },
  };
}

function withHeader(name: string): CfnWebACL.StatementProperty {
  return {
    sizeConstraintStatement: {
      fieldToMatch: { singleHeader: { Name: name } },
      comparisonOperator: "GT",
      size: 0,
      textTransformations: [{ priority: 0, type: "NONE" }],
    },
  };
}

/** Turns an address away that sends more than `limit` requests in five minutes that match, or more than so many at all. */
function limited(
  name: string,
  priority: number,
  limit: number,
  only?: CfnWebACL.StatementProperty,
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: { customResponse: { responseCode: 429, responseHeaders: [retryAfter] } } },
    visibilityConfig: visible(name),
    statement: {
      rateBasedStatement: {
        aggregateKeyType: "IP",
        evaluationWindowSec: 300,
        limit,
        ...(only !== undefined && { scopeDownStatement: only }),
      },
    },
  };
}

const retryAfter = { name: "retry-after", value: "300" } as const;

function managedRule(set: (typeof managed)[number], priority: number): CfnWebACL.RuleProperty {
  return {
    name: set.name,
    priority,
    overrideAction: { none: {} },
    visibilityConfig: visible(set.name),
    statement: {
      managedRuleGroupStatement: {
        vendorName: "AWS",
        name: set.name,
        ruleActionOverrides: set.counted.map((name) => ({ name, actionToUse: { count: {} } })),
      },
    },
  };
}

function visible(name: string) {
  return { metricName: name, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
