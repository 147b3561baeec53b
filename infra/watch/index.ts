import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { CfnRule } from "aws-cdk-lib/aws-events";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription, UrlSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Stack } from "sst/constructs";
import { appName, type StageSettings } from "../stages.ts";
import { makeDashboard } from "./dashboard.ts";
import { metricAlarms } from "./metric-alarms.ts";
import type { AlarmRule, Watched } from "./metrics.ts";
import { functionAlarms, platformAlarms } from "./platform-alarms.ts";

/** The dashboard, and where somebody listens the alarms and the budget. */
export function watchStack(stack: Stack, settings: StageSettings, watched: Watched): void {
  makeDashboard(stack, watched);
  if (settings.alarms === undefined) return;
  const { email, onCallUrl, budgetUsd } = settings.alarms;
  const [usual, urgent] = [makeTopic(stack, "alarms"), makeTopic(stack, "urgent-alarms")];
  for (const topic of [usual, urgent]) topic.addSubscription(new EmailSubscription(email));
  if (onCallUrl !== undefined) urgent.addSubscription(new UrlSubscription(onCallUrl));
  // `stage:check` looks there whether the subscriptions are confirmed.
  stack.addOutputs({ AlarmTopic: usual.topicArn, UrgentTopic: urgent.topicArn });
  const rules = [
    ...metricAlarms(stack, settings),
    ...platformAlarms(watched),
    ...functionAlarms(settings, watched),
  ];
  for (const rule of rules) makeAlarm(stack, rule, rule.urgent === true ? urgent : usual);
  reportKeyUse(stack, urgent);
  makeBudget(stack, email, budgetUsd);
}

/** Asking for TLS replaces the policy by which the account's alarms may speak to a topic, so that this one says it. */
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
  { name, entry = name, meaning, metric, limit, periods, urgent }: AlarmRule,
  topic: Topic,
): void {
  const beyond =
    "above" in limit
      ? {
          threshold: limit.above,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          treatMissingData: TreatMissingData.NOT_BREACHING,
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
 * Tells whenever anybody but the functions signs with a key in KMS, or changes who may. AWS tells by CloudTrail, so the account
 * needs a trail of management events (docs/operations.md#key-use).
 */
function reportKeyUse(stack: Stack, topic: Topic): void {
  const ours = { wildcard: `arn:aws:iam::*:role/${appName}/*` };
  const identity = (userIdentity: object) => ({ detail: { eventName: ["Sign"], userIdentity } });
  // EventBridge takes no conditions in a topic's policy.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("events.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
    }),
  );
  new CfnRule(stack, "key-use", {
    description: "A signing key was used or changed by hand. What to do: docs/operations.md#key-use",
    // `Sign` only reads, as CloudTrail sees it, and a rule hears of that in no other state.
    state: "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS",
    eventPattern: {
      source: ["aws.kms"],
      "detail-type": ["AWS API Call via CloudTrail"],
      $or: [
        identity({ sessionContext: { sessionIssuer: { arn: [{ "anything-but": ours }] } } }),
        identity({ type: [{ "anything-but": "AssumedRole" }] }),
        { detail: { eventName: ["PutKeyPolicy", "DisableKey", "ScheduleKeyDeletion"] } },
      ],
    },
    targets: [{ id: "urgent", arn: topic.topicArn }],
  });
}

/** The whole account's: costs by tag would stay at nothing until somebody switches the tag on. */
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
      budgetName: stack.stackName,
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount: budgetUsd, unit: "USD" },
    },
    notificationsWithSubscribers: [tell("ACTUAL", 80), tell("FORECASTED", 100)],
  });
}
