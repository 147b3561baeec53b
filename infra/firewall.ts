import { CfnIPSet, CfnLoggingConfiguration, CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { ArnFormat } from "aws-cdk-lib/core";
import { cors, signedReadHeader } from "../functions/browser.ts";
import type { Stack } from "./constructs.ts";
import type { StageSettings } from "./stages.ts";
import { makeLogs } from "./storage.ts";

/**
 * The rules of AWS's common set that only count requests and block no request, because these rules match honest callers too. Request bodies
 * are articles, which may be longer than 8 kB and contain markup and web addresses (a schema parses every body). A program that pays may
 * send its requests without a user agent.
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

/** A caller that buys and reads a text sends four requests over HTTP, or two requests over MCP. */
const paying = makePathStatement("^/(mcp|api/pay)(/|$)");
const relaying = makePathStatement("^/api/rpc$");
const costly = makePathStatement("^/api/(press|draft|votes|move|push|me/(follows|feed|profile|push))(/|$)");
const signingIn = makePathStatement("^/api/(auth/|me/sessions/end)");

/** The firewall of the CloudFront distribution. AWS requires a distribution's firewall to be in the region us-east-1. */
export function makeFirewall(stack: Stack, settings: StageSettings): CfnWebACL {
  const { edge } = settings.limits;
  const firewall = new CfnWebACL(stack, "firewall", {
    scope: "CLOUDFRONT",
    defaultAction: { allow: {} },
    visibilityConfig: makeVisibilityConfig("all"),
    customResponseBodies: bodies,
    rules: [
      encodedPath,
      makeRateRule("rate-sign-in", edge.signIn, excludePreflight(signingIn)),
      makeRateRule("rate-pay", edge.pay, excludePreflight(paying)),
      makeRateRule("rate-rpc", edge.rpc, excludePreflight(relaying)),
      makeRateRule("rate-costly", edge.costly, excludePreflight(costly)),
      // For each signed request to read a text, a node may have to run the code of the signer's contract wallet.
      makeRateRule("rate-signed-reads", edge.costly, makeHeaderStatement(signedReadHeader)),
      makeRateRule("rate-others", edge.others, negate(excludePreflight(makeOrStatement(paying, relaying)))),
      makeRateRule(
        "rate-ipv6-network",
        edge.network,
        makeAndStatement(
          makeIpv6Statement(stack),
          excludePreflight(makeOrStatement(paying, relaying, costly, signingIn)),
        ),
        byNetwork,
      ),
      ...managed.map(makeManagedRule),
    ].map((rule, priority) => ({ ...rule, priority, visibilityConfig: makeVisibilityConfig(rule.name) })),
  });
  // AWS's firewall writes only to log groups with this prefix.
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
    // The query of a URL may contain the secret token of a private feed, or a reader's search.
    redactedFields: [
      { queryString: {} },
      ...["cookie", "referer", "payment-signature", "x-payment", "sign-in-with-x", "session-wallet"].map(
        (name) => ({
          singleHeader: { Name: name },
        }),
      ),
    ],
    // Requests that pass the firewall are in the gateway's own log.
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

/**
 * The headers of every answer of the API, so that pages of other origins may read the answer. The edge's refusals have the API's headers
 * too.
 */
export const readable = [
  { name: "access-control-allow-origin", value: cors.allowOrigins.join(", ") },
  { name: "access-control-expose-headers", value: cors.exposeHeaders.join(", ") },
  { name: "cache-control", value: "no-store" },
] as const;

/**
 * The number of seconds over which the firewall counts requests. If an IP address sends no requests during this number of seconds, the
 * firewall certainly allows this IP address again.
 */
const windowSeconds = 300;

const makeBody = (content: object) => ({ contentType: "APPLICATION_JSON", content: JSON.stringify(content) });

/** The firewall's refusals have the same error codes as those of the edge's function and of the local front. */
const bodies = {
  "unknown-route": makeBody({ error: "There is nothing at this address.", code: "unknown_route" }),
  "too-many-requests": makeBody({
    error: `Too many requests come from your network address. This request was not carried out, and no money moved. Try again in ${windowSeconds / 60} minutes.`,
    code: "too_many_requests",
    retryAfter: windowSeconds,
  }),
};

type Rule = Omit<CfnWebACL.RuleProperty, "priority" | "visibilityConfig">;

function makeBlockAction(responseCode: number, key: keyof typeof bodies, retryAfter?: number) {
  const after = retryAfter === undefined ? [] : [{ name: "retry-after", value: String(retryAfter) }];
  const responseHeaders = [...after, ...readable];
  return { block: { customResponse: { responseCode, customResponseBodyKey: key, responseHeaders } } };
}

/**
 * Paths of this service contain no percent sign. The gateway, the firewall and the caches decode a path with a percent sign differently, so
 * without this rule they could see different paths.
 */
const encodedPath: Rule = {
  name: "encoded-path",
  action: makeBlockAction(404, "unknown-route"),
  statement: makeByteMatch({ uriPath: {} }, "CONTAINS", "%"),
};

function makeByteMatch(
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
  positionalConstraint: "CONTAINS" | "EXACTLY",
  searchString: string,
): CfnWebACL.StatementProperty {
  const textTransformations = [{ priority: 0, type: "NONE" }];
  return { byteMatchStatement: { fieldToMatch, positionalConstraint, searchString, textTransformations } };
}

function makePathStatement(regexString: string): CfnWebACL.StatementProperty {
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

function makeHeaderStatement(name: string): CfnWebACL.StatementProperty {
  return {
    sizeConstraintStatement: {
      fieldToMatch: { singleHeader: { Name: name } },
      comparisonOperator: "GT",
      size: 0,
      textTransformations: [{ priority: 0, type: "NONE" }],
    },
  };
}

type FirewallStatement = CfnWebACL.StatementProperty;

const negate = (statement: FirewallStatement): FirewallStatement => ({ notStatement: { statement } });
const makeOrStatement = (...statements: FirewallStatement[]): FirewallStatement => ({
  orStatement: { statements },
});
const makeAndStatement = (...statements: FirewallStatement[]): FirewallStatement => ({
  andStatement: { statements },
});

/** Excludes preflight requests from a rule, because a browser cannot read the refusal of a preflight request. */
function excludePreflight(path: FirewallStatement): FirewallStatement {
  return makeAndStatement(path, negate(isPreflight));
}

const isPreflight = makeByteMatch({ method: {} }, "EXACTLY", "OPTIONS");

/** All IPv6 addresses as two ranges, because the firewall does not accept one range of all addresses. */
function makeIpv6Statement(stack: Stack): FirewallStatement {
  const { attrArn: arn } = new CfnIPSet(stack, "ipv6", {
    scope: "CLOUDFRONT",
    ipAddressVersion: "IPV6",
    addresses: ["::/1", "8000::/1"],
  });
  return { ipSetReferenceStatement: { arn } };
}

/**
 * The firewall counts each IPv6 address separately, but one internet connection has 2^64 addresses. The firewall cannot count the requests
 * of each IPv6 network (a /64 prefix), only those of a whole operator (ASN). The service's own limits treat all addresses with the same
 * first 64 bits as one caller (`core/rpc`).
 */
const byNetwork = { aggregateKeyType: "CUSTOM_KEYS", customKeys: [{ asn: {} }] };

/** Blocks an IP address or a network that sends more than `limit` matching requests in five minutes. */
function makeRateRule(
  name: string,
  limit: number,
  scopeDownStatement: FirewallStatement,
  aggregation: Pick<CfnWebACL.RateBasedStatementProperty, "aggregateKeyType" | "customKeys"> = {
    aggregateKeyType: "IP",
  },
): Rule {
  return {
    name,
    action: makeBlockAction(429, "too-many-requests", windowSeconds),
    statement: {
      rateBasedStatement: { ...aggregation, evaluationWindowSec: windowSeconds, limit, scopeDownStatement },
    },
  };
}

function makeManagedRule(ruleSet: (typeof managed)[number]): Rule {
  return {
    name: ruleSet.name,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: "AWS",
        name: ruleSet.name,
        ruleActionOverrides: ruleSet.counted.map((name) => ({ name, actionToUse: { count: {} } })),
      },
    },
  };
}

function makeVisibilityConfig(name: string) {
  return { metricName: name, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
