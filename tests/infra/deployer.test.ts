import { describe, expect, test } from "vitest";
import * as z from "zod";
import { deployerAsks } from "../../bench/rehearsal/deployer.ts";
import { findBoundaries } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { account, administrator, type Call, type IamCaller, isAllowed } from "./authority.ts";
import { makeResources } from "./pipeline-roles.ts";
import { makeReader } from "./reading.ts";

/**
 * An attacker who takes over a job of the pipeline has the job's role and, through that role, CloudFormation's role within its boundary.
 * The evaluator of `iam.test.ts` checks that a deployment has the rights that it needs, and that an attacker gets no further rights.
 */
const Document = z.object({ Version: z.literal("2012-10-17"), Statement: z.array(z.unknown()) });
const Managed = z.object({ ManagedPolicyName: z.string(), PolicyDocument: Document });
const Role = z.object({
  RoleName: z.string(),
  ManagedPolicyArns: z.array(z.string()).optional(),
  Policies: z.array(z.object({ PolicyDocument: Document })),
});

const parameters = {
  Stage: "prod",
  Provider: "",
  Repository: "repo:us/ours",
  "AWS::Partition": "aws",
  "AWS::AccountId": account,
};
const arnOf = (service: string, resource: string) => `arn:aws:${service}:us-east-1:${account}:${resource}`;
const execRole = `arn:aws:iam::${account}:role/cdk-hnb659fds-cfn-exec-role-${account}-us-east-1`;
const boundaryArn = (name: string) => `arn:aws:iam::${account}:policy/${name}`;
const bucket = `arn:aws:s3:::cdk-hnb659fds-assets-${account}-us-east-1`;
const stackArn = (name: string) =>
  arnOf("cloudformation", `stack/${name}/0f0e0d0c-0b0a-4908-8706-050403020100`);

function loadStage(stage: string) {
  const made = makeResources({ ...parameters, Stage: stage });
  const documentOf = (id: string) => {
    const found = made.find((one) => one.id === id);
    return Managed.parse(found?.Properties);
  };
  const deploy = Role.parse(made.find(({ id }) => id === "Deploy")?.Properties);
  const deployer: IamCaller = {
    role: `arn:aws:iam::${account}:role/${deploy.RoleName}`,
    policies: deploy.Policies.map(({ PolicyDocument }) => PolicyDocument),
  };
  return { deploy, deployer, execution: documentOf("Execution"), functions: documentOf("Functions") };
}
const { deploy, deployer, execution, functions } = loadStage("prod");

/** CDK gives CloudFormation's role every right, and the boundary takes away all rights that a deployment does not need. */
const cloudFormation = { ...administrator, role: execRole };
/** A policy of the key that leaves the decision to IAM, so that a refusal comes from the role. */
const opened = (call: Call) => {
  const Principal = { AWS: `arn:aws:iam::${account}:root` };
  const Statement = [{ Effect: "Allow", Principal, Action: "kms:*", Resource: "*" }];
  return call.action.startsWith("kms:") ? { ofResource: { Version: "2012-10-17", Statement } as const } : {};
};
const makes = (call: Call) =>
  isAllowed({ ...cloudFormation, boundary: execution.PolicyDocument }, call, opened(call));
const deploys = (call: Call) => isAllowed(deployer, call, opened(call));

const call = (action: string, resource: string, context?: Call["context"]): Call => ({
  action,
  resource,
  ...(context !== undefined && { context }),
});

const own = stackArn("prod-press-market-api");
const byRole = { "cloudformation:RoleArn": execRole };

/** The AWS calls that one line in the stand-in's list of calls represents. */
function listCalls(asked: (typeof deployerAsks)[number]): readonly Call[] {
  const [action = "", on = ""] = asked.split(" ");
  if (action === "s3:GET" && on === "bucket")
    return ["s3:GetBucketLocation", "s3:GetEncryptionConfiguration", "s3:ListBucket"].map((one) => ({
      action: one,
      resource: bucket,
    }));
  if (action.startsWith("s3:"))
    return [{ action: action === "s3:GET" ? "s3:GetObject" : "s3:PutObject", resource: `${bucket}/a.json` }];
  if (action === "sts:AssumeRole")
    return [
      { action, resource: `arn:aws:iam::${account}:role/cdk-hnb659fds-${on}-role-${account}-us-east-1` },
    ];
  // Needs no right.
  if (action === "sts:GetCallerIdentity") return [];
  if (action === "ssm:GetParameter")
    return [{ action, resource: arnOf("ssm", "parameter/cdk-bootstrap/hnb659fds/version") }];
  if (action.startsWith("kms:")) return [{ action, resource: arnOf("kms", "key/one") }];
  if (action.startsWith("dynamodb:")) return [{ action, resource: arnOf("dynamodb", "table/one") }];
  const changes = /:(?:CreateStack|UpdateStack)$/.test(action);
  const resource = on === "stage" ? own : on === "bootstrap" ? stackArn("CDKToolkit") : "*";
  return [
    {
      action,
      resource: action.endsWith("ListImports") ? "*" : resource,
      ...(changes && { context: byRole }),
    },
  ];
}

describe("the pipeline's role may only deploy", () => {
  test("the pipeline's role is no administrator, and may make each call of a rehearsed deployment", async () => {
    expect(deploy.ManagedPolicyArns).toBeUndefined();
    const refused: string[] = [];
    for (const call of [...deployerAsks.flatMap(listCalls), passes("cloudformation.amazonaws.com")])
      if (!(await deploys(call))) refused.push(`${call.action} ${call.resource}`);
    expect(refused).toEqual([]);
  });

  const passes = (service: string): Call => ({
    action: "iam:PassRole",
    resource: execRole,
    context: { "iam:PassedToService": service },
  });

  test.each<[string, Call]>([
    [
      "update a stack with another role",
      call("cloudformation:UpdateStack", own, {
        "cloudformation:RoleArn": `arn:aws:iam::${account}:role/Administrator`,
      }),
    ],
    ["update a stack with its own rights", call("cloudformation:UpdateStack", own)],
    ["delete a stack", call("cloudformation:DeleteStack", own)],
    ["change CDK's own stack", call("cloudformation:UpdateStack", stackArn("CDKToolkit"), byRole)],
    ["change its own stack", call("cloudformation:UpdateStack", stackArn("press-market-pipeline"), byRole)],
    [
      "change another stage",
      call("cloudformation:UpdateStack", stackArn("staging-press-market-api"), byRole),
    ],
    ["give CDK's role to a function", passes("lambda.amazonaws.com")],
    ["become CDK's role", call("sts:AssumeRole", execRole)],
    ["make a user's key", call("iam:CreateAccessKey", `arn:aws:iam::${account}:user/admin`)],
    ["make a role", call("iam:CreateRole", `arn:aws:iam::${account}:role/prod-press-market-x`)],
    ["read presses", call("dynamodb:Scan", arnOf("dynamodb", "table/prod-press-market-storage-table"))],
    ["sign", call("kms:Sign", arnOf("kms", "key/one"))],
    ["run a function", call("lambda:InvokeFunction", arnOf("lambda", "function:one"))],
    [
      "change a function's code past CloudFormation",
      call("lambda:UpdateFunctionCode", arnOf("lambda", "function:one")),
    ],
    [
      "read the edge's secret",
      call("secretsmanager:GetSecretValue", arnOf("secretsmanager", "secret:originsecret-AbCdEf")),
    ],
    ["stop the trail", call("cloudtrail:StopLogging", arnOf("cloudtrail", "trail/one"))],
  ])("may not %s", async (_, call) => {
    expect(await deploys(call)).toBe(false);
  });
});

/** The calls with which CloudFormation makes, changes or rolls back a resource, keyed by the resource's service. */
const handlers: Readonly<Record<string, readonly string[]>> = {
  ApiGatewayV2: ["apigateway:GET", "apigateway:POST", "apigateway:PATCH", "apigateway:DELETE"],
  Backup: [
    "backup:CreateBackupPlan",
    "backup:CreateBackupSelection",
    "backup:CreateBackupVault",
    "backup-storage:MountCapsule",
  ],
  Budgets: ["budgets:ModifyBudget", "budgets:ViewBudget"],
  CDK: [],
  CertificateManager: ["acm:RequestCertificate", "acm:DescribeCertificate", "acm:DeleteCertificate"],
  CloudFormation: [],
  CloudFront: [
    "cloudfront:CreateDistribution",
    "cloudfront:UpdateDistribution",
    "cloudfront:DeleteDistribution",
    "cloudfront:PublishFunction",
  ],
  CloudTrail: ["cloudtrail:CreateTrail", "cloudtrail:StartLogging", "cloudtrail:PutEventSelectors"],
  CloudWatch: ["cloudwatch:PutMetricAlarm", "cloudwatch:PutDashboard", "cloudwatch:DeleteAlarms"],
  CodeDeploy: ["codedeploy:CreateDeploymentGroup", "codedeploy:CreateDeployment", "codedeploy:GetDeployment"],
  DynamoDB: ["dynamodb:CreateTable", "dynamodb:UpdateTable", "dynamodb:UpdateContinuousBackups"],
  Events: ["events:PutRule", "events:PutTargets", "events:RemoveTargets", "events:DeleteRule"],
  IAM: ["iam:CreateRole", "iam:PutRolePolicy", "iam:AttachRolePolicy", "iam:DeleteRole", "iam:PassRole"],
  KMS: ["kms:CreateKey", "kms:DescribeKey", "kms:TagResource", "kms:ScheduleKeyDeletion"],
  Lambda: [
    "lambda:CreateFunction",
    "lambda:UpdateFunctionCode",
    "lambda:PublishVersion",
    "lambda:UpdateAlias",
    "lambda:AddPermission",
    "lambda:PutFunctionConcurrency",
    "lambda:CreateEventSourceMapping",
    "lambda:DeleteFunction",
  ],
  Logs: ["logs:CreateLogGroup", "logs:PutRetentionPolicy", "logs:DeleteLogGroup"],
  Route53: ["route53:ChangeResourceRecordSets", "route53:CreateHealthCheck", "route53:GetChange"],
  S3: ["s3:CreateBucket", "s3:PutBucketPolicy", "s3:PutLifecycleConfiguration", "s3:DeleteBucket"],
  SNS: ["sns:CreateTopic", "sns:Subscribe", "sns:SetTopicAttributes", "sns:DeleteTopic"],
  SQS: ["sqs:CreateQueue", "sqs:SetQueueAttributes", "sqs:DeleteQueue"],
  SecretsManager: [
    "secretsmanager:CreateSecret",
    "secretsmanager:GetRandomPassword",
    "secretsmanager:GetSecretValue",
  ],
  StepFunctions: ["states:CreateStateMachine", "states:UpdateStateMachine", "states:DeleteStateMachine"],
  WAFv2: ["wafv2:CreateWebACL", "wafv2:UpdateWebACL", "wafv2:CreateIPSet", "wafv2:PutLoggingConfiguration"],
};

const role = (name: string) => `arn:aws:iam::${account}:role/${name}`;
const ownRole = role("prod-press-market-api-one");
const boundedBy = (name: string) => ({ "iam:PermissionsBoundary": boundaryArn(name) });

/** A call of CloudFormation's handler on one of the stage's own resources. */
function makeHandlerCall(action: string): Call {
  if (action.startsWith("s3:")) return { action, resource: "arn:aws:s3:::prod-press-market-web-site" };
  if (!action.startsWith("iam:")) return { action, resource: "*" };
  const changesRights = /^iam:(?:CreateRole|PutRolePolicy|AttachRolePolicy)$/.test(action);
  return {
    action,
    resource: ownRole,
    ...(changesRights && { context: boundedBy(functions.ManagedPolicyName) }),
  };
}

test.each(["dev", "staging", "prod"])(
  "CloudFormation, with CDK's role and its boundary, may make everything in the stacks of %s",
  async (name) => {
    const stage = makeReader(await synthesize(name));
    const boundary = loadStage(name).execution.PolicyDocument;
    const services = new Set(
      stage.all.map(({ resource: { Type } }) =>
        Type.startsWith("AWS::") ? (Type.split("::")[1] ?? "") : "Lambda",
      ),
    );
    const refused: string[] = [];
    for (const service of services) {
      const actions = handlers[service];
      if (actions === undefined)
        throw new TypeError(`Nobody has said what CloudFormation does for ${service}`);
      for (const call of actions.map(makeHandlerCall)) {
        const inStage = JSON.parse(JSON.stringify(call).replaceAll("prod", name));
        if (!(await isAllowed({ ...cloudFormation, boundary }, inStage)))
          refused.push(`${service} ${call.action}`);
      }
    }
    expect(refused).toEqual([]);
  },
);

describe("CloudFormation uses CDK's role within its boundary", () => {
  const table = arnOf("dynamodb", "table/prod-press-market-storage-table");
  const key = arnOf("kms", "key/one");
  const administrators = boundaryArn("AdministratorAccess");
  const nodes = arnOf("secretsmanager", "secret:press-market/prod/chain-rpc-urls-AbCdEf");

  test.each<[string, Call]>([
    ["make a role without the functions' boundary", call("iam:CreateRole", ownRole)],
    ["make a role with another boundary", call("iam:CreateRole", ownRole, boundedBy("AdministratorAccess"))],
    ["give a role more rights than its boundary has", call("iam:PutRolePolicy", ownRole)],
    ["take a role's boundary away", call("iam:DeleteRolePermissionsBoundary", ownRole)],
    [
      "give the pipeline's role a policy",
      call("iam:PutRolePolicy", role("press-market-deploy-prod"), boundedBy(functions.ManagedPolicyName)),
    ],
    ["pass an administrator's role", call("iam:PassRole", role("Administrator"))],
    ["let somebody else become an administrator", call("iam:UpdateAssumeRolePolicy", role("Administrator"))],
    ["change a boundary", call("iam:CreatePolicyVersion", boundaryArn(functions.ManagedPolicyName))],
    ["make a policy", call("iam:CreatePolicy", administrators)],
    ["make a user", call("iam:CreateUser", `arn:aws:iam::${account}:user/one`)],
    ["become somebody else", call("sts:AssumeRole", role("Administrator"))],
    ["sign", call("kms:Sign", key)],
    ["give a key away", call("kms:CreateGrant", key)],
    ["say anew who signs with a key", call("kms:PutKeyPolicy", key)],
    ["delete the table", call("dynamodb:DeleteTable", table)],
    ["read drafts", call("dynamodb:Scan", table)],
    ["export the table", call("dynamodb:ExportTableToPointInTime", table)],
    ["write an unlock", call("dynamodb:PutItem", table)],
    ["read the nodes' addresses", call("secretsmanager:GetSecretValue", nodes)],
    ["stop the trail", call("cloudtrail:StopLogging", arnOf("cloudtrail", "trail/one"))],
    ["write to a bucket that is not the stage's", call("s3:PutObject", "arn:aws:s3:::somebody-elses/a")],
    ["start a machine", call("ec2:RunInstances", "*")],
  ])("may not %s", async (_, call) => {
    expect(await makes(call)).toBe(false);
  });

  test("CloudFormation makes roles in a pipeline's stage only with the functions' boundary, and in a personal stage without a boundary", async () => {
    for (const name of ["dev", "staging", "prod", "jane"]) {
      const stage = makeReader(await synthesize(name));
      const boundaries = new Set(
        stage.ofType("AWS::IAM::Role").map(({ stack, resource }) => {
          const { PermissionsBoundary } = resource.Properties;
          return PermissionsBoundary === undefined ? undefined : stage.text(PermissionsBoundary, stack);
        }),
      );
      const wanted = findBoundaries(name);
      expect([...boundaries]).toEqual([wanted && boundaryArn(wanted.functions)]);
    }
    expect(findBoundaries("prod")).toEqual({
      functions: functions.ManagedPolicyName,
      execution: execution.ManagedPolicyName,
    });
  });
});

/** A managed policy may have at most 6,144 characters, not counting spaces (IAM's quotas). */
test("each boundary fits into one managed policy of IAM", () => {
  for (const { PolicyDocument } of [functions, execution])
    expect(JSON.stringify(PolicyDocument).length).toBeLessThan(6_144);
});
