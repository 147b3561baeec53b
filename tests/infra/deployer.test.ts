import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { deployerAsks } from "../../bench/rehearsal/deployer.ts";
import { appName, findBoundaries, findSettings } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { account, administrator, type Call, type IamCaller, isAllowed } from "./authority.ts";
import { makeResources } from "./pipeline-roles.ts";
import { makeReader } from "./reading.ts";

/**
 * An attacker who takes over a job of the pipeline has the job's role and, through that role, CloudFormation's role within its boundary.
 * The evaluator of `iam.test.ts` checks that a deployment has the rights that it needs, and that an attacker gets no rights beyond these.
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
const makeArn = (service: string, resource: string) => `arn:aws:${service}:us-east-1:${account}:${resource}`;
const execRole = `arn:aws:iam::${account}:role/cdk-hnb659fds-cfn-exec-role-${account}-us-east-1`;
const makeBoundaryArn = (name: string) => `arn:aws:iam::${account}:policy/${name}`;
const bucket = `arn:aws:s3:::cdk-hnb659fds-assets-${account}-us-east-1`;
const makeStackArn = (name: string) =>
  makeArn("cloudformation", `stack/${name}/0f0e0d0c-0b0a-4908-8706-050403020100`);

function loadStage(stage: string) {
  const made = makeResources({ ...parameters, Stage: stage });
  const findPolicy = (id: string) => {
    const found = made.find((one) => one.id === id);
    return Managed.parse(found?.Properties);
  };
  const deploy = Role.parse(made.find(({ id }) => id === "Deploy")?.Properties);
  const deployer: IamCaller = {
    role: `arn:aws:iam::${account}:role/${deploy.RoleName}`,
    policies: deploy.Policies.map(({ PolicyDocument }) => PolicyDocument),
  };
  return { deploy, deployer, execution: findPolicy("Execution"), functions: findPolicy("Functions") };
}
const { deploy, deployer, execution, functions } = loadStage("prod");

/** CDK gives CloudFormation's role every right, and the boundary takes away all rights that a deployment does not need. */
const cloudFormation = { ...administrator, role: execRole };
/** A key policy for a call to KMS. The policy leaves the decision to IAM, so any refusal comes from the caller's role. */
const openKeyPolicy = (call: Call) => {
  const Principal = { AWS: `arn:aws:iam::${account}:root` };
  const Statement = [{ Effect: "Allow", Principal, Action: "kms:*", Resource: "*" }];
  const isAboutKey = call.action.startsWith("kms:") && call.resource !== "*";
  return isAboutKey ? { ofResource: { Version: "2012-10-17", Statement } as const } : {};
};
const mayMakeResource = (call: Call) =>
  isAllowed({ ...cloudFormation, boundary: execution.PolicyDocument }, call, openKeyPolicy(call));
const mayDeploy = (call: Call) => isAllowed(deployer, call, openKeyPolicy(call));

const makeCall = (action: string, resource: string, context?: Call["context"]): Call => ({
  action,
  resource,
  ...(context !== undefined && { context }),
});

const own = makeStackArn("prod-press-market-api");
const byRole = { "cloudformation:RoleArn": execRole };

/** Returns the AWS calls that one line of `deployerAsks` represents. */
function listCalls(asked: (typeof deployerAsks)[number]): readonly Call[] {
  const [action = "", on = ""] = asked.split(" ");
  if (action === "s3:GET" && on === "bucket")
    return ["s3:GetBucketLocation", "s3:GetEncryptionConfiguration", "s3:ListBucket"].map((one) =>
      makeCall(one, bucket),
    );
  if (action.startsWith("s3:"))
    return [{ action: action === "s3:GET" ? "s3:GetObject" : "s3:PutObject", resource: `${bucket}/a.json` }];
  if (action === "sts:AssumeRole")
    return [
      { action, resource: `arn:aws:iam::${account}:role/cdk-hnb659fds-${on}-role-${account}-us-east-1` },
    ];
  // GetCallerIdentity needs no right.
  if (action === "sts:GetCallerIdentity") return [];
  if (action === "ssm:GetParameter")
    return [{ action, resource: makeArn("ssm", "parameter/cdk-bootstrap/hnb659fds/version") }];
  if (action.startsWith("kms:")) return [{ action, resource: makeArn("kms", "key/one") }];
  if (action.startsWith("dynamodb:")) return [{ action, resource: makeArn("dynamodb", "table/one") }];
  const changes = /:(?:CreateStack|UpdateStack)$/.test(action);
  const resource = on === "stage" ? own : on === "bootstrap" ? makeStackArn("CDKToolkit") : "*";
  return [makeCall(action, action.endsWith("ListImports") ? "*" : resource, changes ? byRole : undefined)];
}

/** The AWS calls of `stage:check` in one stage, keyed by the SDK's name of the call. */
function listCheckCalls(stage: string): Readonly<Record<string, readonly Call[]>> {
  const { model, fallbackModel, chain } = findSettings(stage);
  const models = [model, fallbackModel];
  const secrets = [chain.rpc, chain.relayRpc ?? chain.rpc].flatMap((nodes) =>
    "secretName" in nodes ? [makeArn("secretsmanager", `secret:${nodes.secretName}-AbCdEf`)] : [],
  );
  const stacks = ["storage", "watch"].map((name) => makeStackArn(`${stage}-${appName}-${name}`));
  return {
    Converse: models.flatMap(({ inferenceProfile, foundationModel }) => {
      const profile = makeArn("bedrock", `inference-profile/${inferenceProfile}`);
      const context = { "bedrock:InferenceProfileArn": profile };
      return [
        makeCall("bedrock:InvokeModel", profile),
        ...["us-east-1", "us-west-2"].map((region) =>
          makeCall(
            "bedrock:InvokeModel",
            `arn:aws:bedrock:${region}::foundation-model/${foundationModel}`,
            context,
          ),
        ),
      ];
    }),
    DescribeStacks: stacks.map((stack) => makeCall("cloudformation:DescribeStacks", stack)),
    DescribeTable: [makeCall("dynamodb:DescribeTable", makeArn("dynamodb", "table/one"))],
    GetFoundationModel: models.map(({ foundationModel }) =>
      makeCall(
        "bedrock:GetFoundationModel",
        `arn:aws:bedrock:us-east-1::foundation-model/${foundationModel}`,
      ),
    ),
    GetHostedZone: [makeCall("route53:GetHostedZone", "arn:aws:route53:::hostedzone/Z1")],
    GetPublicKey: [makeCall("kms:GetPublicKey", makeArn("kms", "key/one"))],
    GetSecretValue: secrets.map((secret) => makeCall("secretsmanager:GetSecretValue", secret)),
    GetServiceQuota: [
      makeCall("servicequotas:GetServiceQuota", makeArn("servicequotas", "lambda/L-B99A9384")),
    ],
    ListServiceQuotas: [makeCall("servicequotas:ListServiceQuotas", "*")],
    ListSubscriptionsByTopic: [makeCall("sns:ListSubscriptionsByTopic", makeArn("sns", "alarms"))],
  };
}

/** The SDK's names of the calls in the code of `stage:check`, including the call in the models' adapter. */
function readCheckSource(): readonly string[] {
  const files = readdirSync("infra/check").map((name) => `infra/check/${name}`);
  const calls = [...files, "core/adapter/model/ask.ts"].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bnew (\w+)Command\(|\bpaginate(\w+)\(/g)].map(
      ([, command, pages]) => command ?? pages ?? "",
    ),
  );
  return [...new Set(calls)].sort();
}

describe("the pipeline's role may only deploy", () => {
  test("the pipeline's role is no administrator, and may make each call of a rehearsed deployment", async () => {
    expect(deploy.ManagedPolicyArns).toBeUndefined();
    const refused: string[] = [];
    for (const call of [...deployerAsks.flatMap(listCalls), passes("cloudformation.amazonaws.com")])
      if (!(await mayDeploy(call))) refused.push(`${call.action} ${call.resource}`);
    expect(refused).toEqual([]);
  });

  test.each(["dev", "staging", "prod"])(
    "the pipeline's role may make each call of `stage:check` in %s",
    async (name) => {
      const calls = listCheckCalls(name);
      expect(readCheckSource()).toEqual(Object.keys(calls).sort());
      const role = loadStage(name).deployer;
      const refused: string[] = [];
      for (const call of Object.values(calls).flat())
        if (!(await isAllowed(role, call, openKeyPolicy(call))))
          refused.push(`${call.action} ${call.resource}`);
      expect(refused).toEqual([]);
    },
  );

  const passes = (service: string) => makeCall("iam:PassRole", execRole, { "iam:PassedToService": service });

  test.each<[string, Call]>([
    [
      "update a stack with another role",
      makeCall("cloudformation:UpdateStack", own, {
        "cloudformation:RoleArn": `arn:aws:iam::${account}:role/Administrator`,
      }),
    ],
    ["update a stack with its own rights", makeCall("cloudformation:UpdateStack", own)],
    ["delete a stack", makeCall("cloudformation:DeleteStack", own)],
    ["change CDK's own stack", makeCall("cloudformation:UpdateStack", makeStackArn("CDKToolkit"), byRole)],
    [
      "change its own stack",
      makeCall("cloudformation:UpdateStack", makeStackArn("press-market-pipeline"), byRole),
    ],
    [
      "change another stage",
      makeCall("cloudformation:UpdateStack", makeStackArn("staging-press-market-api"), byRole),
    ],
    ["give CDK's role to a function", passes("lambda.amazonaws.com")],
    ["become CDK's role", makeCall("sts:AssumeRole", execRole)],
    ["make a user's key", makeCall("iam:CreateAccessKey", `arn:aws:iam::${account}:user/admin`)],
    ["make a role", makeCall("iam:CreateRole", `arn:aws:iam::${account}:role/prod-press-market-x`)],
    ["read presses", makeCall("dynamodb:Scan", makeArn("dynamodb", "table/prod-press-market-storage-table"))],
    ["sign", makeCall("kms:Sign", makeArn("kms", "key/one"))],
    ["run a function", makeCall("lambda:InvokeFunction", makeArn("lambda", "function:one"))],
    [
      "change a function's code past CloudFormation",
      makeCall("lambda:UpdateFunctionCode", makeArn("lambda", "function:one")),
    ],
    [
      "read the edge's secret",
      makeCall("secretsmanager:GetSecretValue", makeArn("secretsmanager", "secret:originsecret-AbCdEf")),
    ],
    ["stop the trail", makeCall("cloudtrail:StopLogging", makeArn("cloudtrail", "trail/one"))],
  ])("the pipeline's role may not %s", async (_, call) => {
    expect(await mayDeploy(call)).toBe(false);
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
    "kms:CreateGrant",
    "kms:DescribeKey",
    "kms:RetireGrant",
    "kms:Decrypt",
    "kms:GenerateDataKey",
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
    "kms:CreateGrant",
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

const makeRoleArn = (name: string) => `arn:aws:iam::${account}:role/${name}`;
const ownRole = makeRoleArn("prod-press-market-api-one");
const makeBoundContext = (name: string) => ({ "iam:PermissionsBoundary": makeBoundaryArn(name) });

const makeViaContext = (service: string) => ({ "kms:ViaService": `${service}.us-east-1.amazonaws.com` });

/**
 * A call that CloudFormation makes when it creates, changes or deletes one of the stage's own resources. AWS Backup and Lambda call KMS
 * with the caller's permissions, to use the keys that encrypt the account's vaults and functions.
 */
function makeHandlerCall(service: string, action: string): Call {
  if (service === "Backup" && action.startsWith("kms:"))
    return makeCall(action, makeArn("kms", "key/backup"), makeViaContext("backup"));
  if (service === "Lambda" && action.startsWith("kms:"))
    return makeCall(action, makeArn("kms", "key/lambda"), makeViaContext("lambda"));
  if (action.startsWith("s3:")) return { action, resource: "arn:aws:s3:::prod-press-market-web-site" };
  if (!action.startsWith("iam:")) return { action, resource: "*" };
  const changesRights = /^iam:(?:CreateRole|PutRolePolicy|AttachRolePolicy)$/.test(action);
  return makeCall(action, ownRole, changesRights ? makeBoundContext(functions.ManagedPolicyName) : undefined);
}

test.each(["dev", "staging", "prod"])(
  "with CDK's role and its boundary, CloudFormation may make everything in the stacks of %s",
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
      for (const call of actions.map((action) => makeHandlerCall(service, action))) {
        const inStage = JSON.parse(JSON.stringify(call).replaceAll("prod", name));
        if (!(await isAllowed({ ...cloudFormation, boundary }, inStage, openKeyPolicy(inStage))))
          refused.push(`${service} ${call.action}`);
      }
    }
    expect(refused).toEqual([]);
  },
);

describe("CloudFormation uses CDK's role within its boundary", () => {
  const table = makeArn("dynamodb", "table/prod-press-market-storage-table");
  const key = makeArn("kms", "key/one");
  const administrators = makeBoundaryArn("AdministratorAccess");
  const nodes = makeArn("secretsmanager", "secret:press-market/prod/chain-rpc-urls-AbCdEf");

  test.each<[string, Call]>([
    ["make a role without the functions' boundary", makeCall("iam:CreateRole", ownRole)],
    [
      "make a role with another boundary",
      makeCall("iam:CreateRole", ownRole, makeBoundContext("AdministratorAccess")),
    ],
    ["give a role more rights than its boundary has", makeCall("iam:PutRolePolicy", ownRole)],
    ["take a role's boundary away", makeCall("iam:DeleteRolePermissionsBoundary", ownRole)],
    [
      "give the pipeline's role a policy",
      makeCall(
        "iam:PutRolePolicy",
        makeRoleArn("press-market-deploy-prod"),
        makeBoundContext(functions.ManagedPolicyName),
      ),
    ],
    ["pass an administrator's role", makeCall("iam:PassRole", makeRoleArn("Administrator"))],
    [
      "let somebody else become an administrator",
      makeCall("iam:UpdateAssumeRolePolicy", makeRoleArn("Administrator")),
    ],
    ["change a boundary", makeCall("iam:CreatePolicyVersion", makeBoundaryArn(functions.ManagedPolicyName))],
    ["make a policy", makeCall("iam:CreatePolicy", administrators)],
    ["make a user", makeCall("iam:CreateUser", `arn:aws:iam::${account}:user/one`)],
    ["become somebody else", makeCall("sts:AssumeRole", makeRoleArn("Administrator"))],
    ["sign", makeCall("kms:Sign", key)],
    ["give a key away", makeCall("kms:CreateGrant", key)],
    ["give a key away through a database", makeCall("kms:CreateGrant", key, makeViaContext("dynamodb"))],
    ["say anew who signs with a key", makeCall("kms:PutKeyPolicy", key)],
    ["delete the table", makeCall("dynamodb:DeleteTable", table)],
    ["read drafts", makeCall("dynamodb:Scan", table)],
    ["export the table", makeCall("dynamodb:ExportTableToPointInTime", table)],
    ["write an unlock", makeCall("dynamodb:PutItem", table)],
    ["read the nodes' addresses", makeCall("secretsmanager:GetSecretValue", nodes)],
    ["stop the trail", makeCall("cloudtrail:StopLogging", makeArn("cloudtrail", "trail/one"))],
    ["write to a bucket that is not the stage's", makeCall("s3:PutObject", "arn:aws:s3:::somebody-elses/a")],
    ["start a machine", makeCall("ec2:RunInstances", "*")],
  ])("the pipeline's role may not %s", async (_, call) => {
    expect(await mayMakeResource(call)).toBe(false);
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
      expect([...boundaries]).toEqual([wanted && makeBoundaryArn(wanted.functions)]);
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
