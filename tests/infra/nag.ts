import { type App, Aspects } from "aws-cdk-lib/core";
import { AwsSolutionsChecks, type INagLogger, type NagLoggerBaseData } from "cdk-nag";

type Explanation = {
  /**
   * A pattern that matches the name of a cdk-nag AwsSolutions rule. If the rule names its findings, the pattern also matches the finding's
   * name.
   */
  readonly finding: RegExp;
  readonly at: RegExp;
  readonly why: string;
};

/** The findings of cdk-nag's rules that we accept, each with our reason. A finding that is not in this list is a fault. */
export const explained: readonly Explanation[] = [
  {
    finding: /^APIG4$/,
    at: /^(?:api|reading)\/.+-route\/Resource$/,
    why: "The caller of a route is a wallet: its function checks the session or the signed payment, as the row says.",
  },
  { finding: /^CFR1$/, at: /^web\/distribution\/Resource$/, why: "Readers are everywhere." },
  {
    finding: /^CFR3$/,
    at: /^web\/distribution\/Resource$/,
    why: "The rule knows the older log, which holds addresses. The newer one is another resource: edge.test.ts.",
  },
  {
    finding: /^S1$/,
    at: /^watch\/trail-bucket\/Resource$/,
    why: "The trail itself records who changes the bucket, and its files sign each other.",
  },
  {
    finding: /^SMG4$/,
    at: /^web\/origin-secret\/Resource$/,
    why: "It is known to CloudFront and the functions from one deployment to the next: the runbook renews it.",
  },
  {
    finding: /^SQS3$/,
    at: /^jobs\/clock-dead\/Resource$/,
    why: "It is itself where what failed goes: the rules know dead letters of queues only.",
  },
  {
    finding: /^IAM5 Resource::\*$/,
    at: /^(api|reading|audit|jobs)\/[a-z0-9-]+-role\/DefaultPolicy\/Resource$/,
    why: "Traces, and a state machine's log deliveries, are rights that AWS gives on everything only: grants.test.ts lists them.",
  },
  {
    finding: /^IAM5 Resource::.*\/\*$/,
    at: /^web\/publisher-role\/DefaultPolicy\/Resource$/,
    why: "Publishing reads and writes objects of two buckets, whose names are hashes.",
  },
  {
    finding: /^IAM5 Resource::<accesslogs[0-9A-F]+\.Arn>\/edge\/\*$/,
    at: /^jobs\/views-count-role\/DefaultPolicy\/Resource$/,
    why: "The edge names its files.",
  },
  {
    finding: /^IAM5 Resource::arn:<AWS::Partition>:bedrock:\*::foundation-model\/[a-z0-9.:-]+$/,
    at: /^(api\/draft-generate|audit\/audit-review)-role\/DefaultPolicy\/Resource$/,
    why: "Bedrock may change the regions of an inference profile; the right holds through that profile only.",
  },
  {
    finding: /^IAM4 .*AWSCodeDeployRoleForLambdaLimited$/,
    at: /^api\/(pay-(treasury|publisher)|mcp|move)-release\/ServiceRole\/Resource$/,
    why: "AWS's own policy for what CodeDeploy does with an alias: it names no function, and may only move aliases.",
  },
  {
    finding: /^IAM4 .*AWSBackupServiceRolePolicyForBackup$/,
    at: /^storage\/backups\/table\/Role\/Resource$/,
    why: "AWS's own policy for what AWS Backup does with what it copies; the boundary leaves of it what a table needs.",
  },
  {
    finding: /^L1$/,
    at: /\/Custom::CDKBucketDeployment\w+\/Resource$/,
    why: "Python is CDK's choice for its publisher, which runs in deployments only: runtimes.test.ts watches its end.",
  },
];

/**
 * Checks an app by cdk-nag's rules when the app is synthesised. Lists findings such as `IAM5 Resource::* at api/me-role/…`, and rules that
 * stopped with an error.
 */
export function watchRules(app: App, stage: string): ReadonlySet<string> {
  const found = new Set<string>();
  const add = ({ ruleId, resource }: NagLoggerBaseData, detail: string) => {
    const place = resource.node.path.replace(`${stage}-press-market-`, "");
    const rule = ruleId.replace("AwsSolutions-", "").replace(/\[.*/, "");
    found.add(`${[rule, detail].filter((part) => part !== "").join(" ")} at ${place}`);
  };
  const logger: INagLogger = {
    onNonCompliance: (data) => add(data, data.findingId),
    onError: (data) => add(data, data.errorMessage),
    onCompliance: () => {},
    onSuppressed: () => {},
    onSuppressedError: () => {},
    onNotApplicable: () => {},
  };
  Aspects.of(app).add(new AwsSolutionsChecks({ reports: false, additionalLoggers: [logger] }));
  return found;
}

export function explainFinding(found: string): Explanation | undefined {
  const [finding = "", at = ""] = found.split(" at ");
  return explained.find((one) => one.finding.test(finding) && one.at.test(at));
}
