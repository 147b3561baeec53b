import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Stack } from "sst/constructs";
import type { StageSettings } from "../stages.ts";
import { makeDashboard } from "./dashboard.ts";
import { metricAlarms } from "./metric-alarms.ts";
import type { AlarmRule, Watched } from "./metrics.ts";
import { functionAlarms, platformAlarms } from "./platform-alarms.ts";

/** The dashboard, and where somebody listens the alarms and the budget. */
export function watchStack(stack: Stack, settings: StageSettings, watched: Watched): void {
  makeDashboard(stack, watched);
  if (settings.alarms === undefined) return;
  const { email, budgetUsd } = settings.alarms;
  const topic = makeTopic(stack);
  topic.addSubscription(new EmailSubscription(email));
  // For whoever looks whether the address has confirmed (`stage:check`).
  stack.addOutputs({ AlarmTopic: topic.topicArn });
  const rules = [...metricAlarms(stack, settings), ...platformAlarms(watched), ...functionAlarms(watched)];
  for (const rule of rules) makeAlarm(stack, rule, topic);
  makeBudget(stack, email, budgetUsd);
}

/** Asking for TLS replaces the policy by which the account's alarms may speak to a topic, so that this one says it. */
function makeTopic(stack: Stack): Topic {
  const topic = new Topic(stack, "alarms", { enforceSSL: true });
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
  { name, entry = name, meaning, metric, limit, periods }: AlarmRule,
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
    alarmDescription: `${meaning} What to do: docs/operations.md#${entry}`,
    metric,
    evaluationPeriods: periods,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
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
