import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { ReadWriteType, Trail } from "aws-cdk-lib/aws-cloudtrail";
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { CfnRule } from "aws-cdk-lib/aws-events";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnHealthCheck } from "aws-cdk-lib/aws-route53";
import { BlockPublicAccess, Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription, UrlSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Duration, RemovalPolicy } from "aws-cdk-lib/core";
import type { MetricName } from "../../functions/metrics.ts";
import { routes } from "../../functions/routes.ts";
import type { Stack } from "../constructs.ts";
import { appName, type StageSettings } from "../stages.ts";
import { listFunctionAlarms, listPlatformAlarms } from "./platform-alarms.ts";
import {
  type AlarmRule,
  listFunctions,
  listMetricAlarms,
  makeMetric,
  makePeriod,
  makeSearchMetric,
  type WatchedParts,
} from "./service-alarms.ts";

/** Adds the dashboard. If the stage has an alarm address, also adds the alarms and the budget. */
export function addMonitoring(stack: Stack, settings: StageSettings, watched: WatchedParts): void {
  makeDashboard(stack, watched);
  if (settings.alarms === undefined) return;
  const { email, onCallUrl, budgetUsd } = settings.alarms;
  const [usual, urgent] = [makeTopic(stack, "alarms"), makeTopic(stack, "urgent-alarms")];
  for (const topic of [usual, urgent]) topic.addSubscription(new EmailSubscription(email));
  if (onCallUrl !== undefined) urgent.addSubscription(new UrlSubscription(onCallUrl));
  // `stage:check` reads the outputs of this stack to see whether the subscriptions are confirmed.
  stack.addOutputs({ AlarmTopic: usual.topicArn, UrgentTopic: urgent.topicArn });
  const rules = [
    ...listMetricAlarms(stack, settings),
    ...listPlatformAlarms(stack, settings, watched, makeHealthCheck(stack, watched)),
    ...listFunctionAlarms(stack, settings, watched),
  ];
  for (const rule of rules) makeAlarm(stack, rule, rule.urgent === true ? urgent : usual);
  // EventBridge cannot publish to a topic whose policy has conditions.
  urgent.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("events.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [urgent.topicArn],
    }),
  );
  makeTrail(stack, settings);
  addKeyUseAlarm(stack, urgent);
  if (settings.backup !== undefined) addBackupAlarm(stack, urgent);
  makeBudget(stack, email, budgetUsd);
}

/**
 * Allows the AWS account's alarms to publish to the topic. The topic's default policy would allow this, but the rule that requires TLS
 * replaces the default policy.
 */
function makeTopic(stack: Stack, id: string): Topic {
  const topic = new Topic(stack, id, { enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  );
  return topic;
}

function makeAlarm(
  stack: Stack,
  { name, entry = name, meaning, metric, limit, periods = 1, urgent, isSilenceBad }: AlarmRule,
  topic: Topic,
): void {
  const beyond =
    "above" in limit
      ? {
          threshold: limit.above,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          treatMissingData:
            isSilenceBad === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
        }
      : {
          threshold: limit.below,
          comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
          treatMissingData: TreatMissingData.BREACHING,
        };
  const alarm = new Alarm(stack, name, {
    ...beyond,
    alarmName: `${stack.stackName}-${name}`,
    alarmDescription: `${urgent === true ? "URGENT. " : ""}${meaning} What to do: docs/operations.md#${entry}`,
    metric,
    evaluationPeriods: periods,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
}

/**
 * A health check requests the description of the MCP endpoint every half minute, from several places in the world, without any rights. The
 * edge does not cache this answer, so each request reaches the gateway and a function.
 */
function makeHealthCheck(stack: Stack, { web }: WatchedParts): CfnHealthCheck {
  return new CfnHealthCheck(stack, "outside", {
    healthCheckConfig: {
      type: "HTTPS_STR_MATCH",
      fullyQualifiedDomainName: web.host,
      port: 443,
      enableSni: true,
      // Route 53 requires at least three regions. All eight regions would send 1.3 million requests a month.
      regions: ["us-east-1", "eu-west-1", "ap-southeast-1"],
      resourcePath: "/mcp",
      searchString: '"streamable-http"',
      requestInterval: 30,
      failureThreshold: 3,
    },
  });
}

/**
 * Makes the trail that records every action in the AWS account, including signatures. The trail's records are deleted after as many days as
 * the logs. Without a trail, EventBridge gets no events for signatures.
 */
function makeTrail(stack: Stack, settings: StageSettings): void {
  const isKept = settings.removal === "retain";
  const bucket = new Bucket(stack, "trail-bucket", {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    lifecycleRules: [{ expiration: Duration.days(settings.logDays) }],
    removalPolicy: isKept ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    autoDeleteObjects: !isKept,
  });
  new Trail(stack, "trail", {
    bucket,
    managementEvents: ReadWriteType.ALL,
    isMultiRegionTrail: false,
    enableFileValidation: true,
  });
}

/** Raises an alarm when the table could not be copied to the backup account. */
function addBackupAlarm(stack: Stack, topic: Topic): void {
  const failed = ["FAILED", "EXPIRED", "ABORTED", "PARTIAL"];
  new CfnRule(stack, "backup-failed", {
    description: "A copy of the table was not made. What to do: docs/operations.md#backup-failed",
    eventPattern: {
      source: ["aws.backup"],
      "detail-type": ["Backup Job State Change", "Copy Job State Change"],
      detail: { state: failed },
    },
    targets: [{ id: "urgent", arn: topic.topicArn }],
  });
}

/**
 * Raises an alarm if anybody except the service's functions signs with a key in KMS, or if somebody changes a key's policy, disables a key
 * or schedules a key's deletion. The events for the alarms on keys come from the AWS account's trail in CloudTrail.
 */
function addKeyUseAlarm(stack: Stack, topic: Topic): void {
  const ours = { wildcard: `arn:aws:iam::*:role/${appName}/*` };
  const makeSignPattern = (userIdentity: object) => ({ detail: { eventName: ["Sign"], userIdentity } });
  new CfnRule(stack, "key-use", {
    description: "A signing key was used or changed by hand. What to do: docs/operations.md#key-use",
    // CloudTrail counts `Sign` as a read, and a rule gets read events only in the state `ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS`.
    state: "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS",
    eventPattern: {
      source: ["aws.kms"],
      "detail-type": ["AWS API Call via CloudTrail"],
      $or: [
        makeSignPattern({ sessionContext: { sessionIssuer: { arn: [{ "anything-but": ours }] } } }),
        makeSignPattern({ type: [{ "anything-but": "AssumedRole" }] }),
        { detail: { eventName: ["PutKeyPolicy", "DisableKey", "ScheduleKeyDeletion"] } },
      ],
    },
    targets: [{ id: "urgent", arn: topic.topicArn }],
  });
}

/** The budget covers the whole AWS account, because costs by tag stay 0 until somebody activates the tag. */
function makeBudget(stack: Stack, email: string, budgetUsd: number): void {
  const tell = (notificationType: "ACTUAL" | "FORECASTED", threshold: number) => ({
    notification: {
      notificationType,
      threshold,
      thresholdType: "PERCENTAGE",
      comparisonOperator: "GREATER_THAN",
    },
    subscribers: [{ subscriptionType: "EMAIL", address: email }],
  });
  new CfnBudget(stack, "budget", {
    budget: {
      // The budget has no name of its own: a change of the address replaces the budget, and two budgets cannot have the same name.
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount: budgetUsd, unit: "USD" },
    },
    notificationsWithSubscribers: [tell("ACTUAL", 80), tell("FORECASTED", 100)],
  });
}

const fiveMinutes = makePeriod(5);

/** A graph: some lines use the left scale, and other lines use the right scale. */
type Graph = {
  readonly title: string;
  readonly left: readonly IMetric[];
  readonly right?: readonly IMetric[];
};

/** The dashboard to look at first: money, publishing, requests, errors and queues. */
function makeDashboard(stack: Stack, watched: WatchedParts): void {
  const rows = [...makeBusinessGraphs(stack), ...makePlatformGraphs(watched)];
  new Dashboard(stack, "dashboard", {
    dashboardName: stack.stackName,
    widgets: rows.map((row) => row.map((graph) => makeWidget(graph, Math.floor(24 / row.length)))),
  });
}

/** Graphs of all metrics in `metrics.ts`: the service's results and its usage. */
function makeBusinessGraphs(stack: Stack): readonly (readonly Graph[])[] {
  const sum = { statistic: Stats.SUM, every: 5 };
  const highest = { statistic: Stats.MAXIMUM, every: 5 };
  const lowest = { statistic: Stats.MINIMUM, every: 5 };
  const makeMetrics = (...names: readonly MetricName[]) => names.map((name) => makeMetric(stack, name, sum));
  const makeSearchMetrics = (...names: readonly MetricName[]) =>
    names.map((name) => makeSearchMetric(stack, name, sum));
  return [
    [
      {
        title: "Payments: legs settled and texts delivered",
        left: [...makeSearchMetrics("LegSettled"), ...makeMetrics("TextDelivered")],
      },
      { title: "Payments: answers with status 402, by reason", left: makeSearchMetrics("PaymentRefused") },
      {
        title: "Payments: settlements without a payment, by reason, and the gas that they burned",
        left: makeSearchMetrics("SettlementFailed"),
        right: makeSearchMetrics("GasBurned"),
      },
    ],
    [
      {
        title: "Unfinished payments: their number and their age (s)",
        left: [
          makeMetric(stack, "SettlementsUnderWay", highest),
          makeMetric(stack, "SettledNotDelivered", highest),
        ],
        right: [makeMetric(stack, "SettlementAge", highest)],
      },
      {
        title: "Relayers: settlements for which the keys have gas, and refused payments",
        left: [makeSearchMetric(stack, "RelayerRunway", lowest), makeMetric(stack, "AuditorRunway", lowest)],
        right: makeMetrics("RelayersBusy"),
      },
      {
        title: "Answers with 503 (by reason) and with 500",
        left: [...makeSearchMetrics("Unavailable"), ...makeMetrics("Postponed", "Defects")],
      },
    ],
    [
      { title: "Wallets: signed in, voted", left: makeMetrics("SignIn", "VoteRecorded") },
      {
        title: "Publishing: drafts, audits, generations",
        left: [
          ...makeMetrics("DraftSaved", "AuditRefused"),
          ...makeSearchMetrics("AuditEnded", "GenerationEnded"),
        ],
      },
      {
        title: "Publishing: mints, live presses, verdicts",
        left: [
          ...makeMetrics("MintConfirmed", "WentLive"),
          ...makeSearchMetrics("MintRefused", "VerdictPosted"),
        ],
      },
    ],
    [
      {
        title: "Chain: time of a round trip (p99, ms), failures, calls relayed",
        left: [makeSearchMetric(stack, "RpcTime", { ...sum, statistic: "p99" })],
        right: [...makeSearchMetrics("RpcErrors"), ...makeMetrics("RelayErrors", "RelayedCalls")],
      },
      {
        title: "Model: tokens, failures, misquotes",
        left: makeSearchMetrics("ModelTokens"),
        right: [...makeSearchMetrics("ModelErrors"), ...makeMetrics("Misquotes")],
      },
      {
        title: "Model: cost of an hour (USD)",
        left: [makeSearchMetric(stack, "ModelCost", { ...sum, every: 60 })],
      },
    ],
  ];
}

function makePlatformGraphs(watched: WatchedParts): readonly (readonly Graph[])[] {
  const { web, audit, work, stored } = watched;
  const paid = routes.filter(({ caller }) => caller === "payer").map(({ id }) => id);
  const functions = [...listFunctions(watched).values()];
  const p99 = { ...fiveMinutes, statistic: Stats.percentile(99) };
  return [
    [
      {
        title: "API: calls and refusals",
        left: [
          web.gateway.metricCount(fiveMinutes),
          web.gateway.metricClientError(fiveMinutes),
          web.gateway.metricServerError(fiveMinutes),
        ],
      },
      {
        title: "API: latency",
        left: [
          web.gateway.metricLatency({ ...fiveMinutes, statistic: Stats.percentile(50) }),
          web.gateway.metricLatency(p99),
        ],
      },
      {
        title: "Payments: calls and time (p99)",
        left: paid.flatMap((id) => watched.endpoints.get(id)?.metricInvocations(fiveMinutes) ?? []),
        right: paid.flatMap((id) => watched.endpoints.get(id)?.metricDuration(p99) ?? []),
      },
    ],
    [
      { title: "Functions: errors", left: functions.map((made) => made.metricErrors(fiveMinutes)) },
      { title: "Functions: throttles", left: functions.map((made) => made.metricThrottles(fiveMinutes)) },
      { title: "Functions: time (p99)", left: functions.map((made) => made.metricDuration(p99)) },
    ],
    [
      {
        title: "Queues: waiting messages and abandoned messages",
        left: [...work.queues.values(), ...work.deadLetters].map((queue) =>
          queue.metricApproximateNumberOfMessagesVisible(fiveMinutes),
        ),
        right: [...work.queues.values()].map((queue) =>
          queue.metricApproximateAgeOfOldestMessage(fiveMinutes),
        ),
      },
      {
        title: "Audits",
        left: [
          audit.machine.metricStarted(fiveMinutes),
          audit.machine.metricSucceeded(fiveMinutes),
          audit.machine.metricFailed(fiveMinutes),
          audit.machine.metricTimedOut(fiveMinutes),
        ],
      },
      {
        title: "Table: capacity used",
        left: [
          stored.table.metricConsumedReadCapacityUnits(fiveMinutes),
          stored.table.metricConsumedWriteCapacityUnits(fiveMinutes),
        ],
      },
    ],
  ];
}

/**
 * The type of a widget is CDK's interface, because CDK's classes do not match that interface under TypeScript's option
 * exactOptionalPropertyTypes.
 */
function makeWidget({ title, left, right = [] }: Graph, width: number): IWidget {
  const size = { width, height: 6 };
  const made = new GraphWidget({ title, left: [...left], right: [...right], ...size });
  return {
    ...size,
    position: (x, y) => made.position(x, y),
    toJson: () => made.toJson(),
  };
}
