import { readdirSync, readFileSync } from "node:fs";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { findSettings } from "../../infra/stages.ts";
import { makeResources } from "./pipeline-roles.ts";

const folder = ".github/workflows";
const files = readdirSync(folder);
const stages = ["dev", "staging", "prod"] as const;

const Permissions = z.record(z.string(), z.enum(["read", "write", "none"]));
const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const Job = z.object({
  needs: z.string().optional(),
  environment: z.string().optional(),
  permissions: Permissions.optional(),
  uses: z.string().optional(),
  secrets: z.literal("inherit").optional(),
  with: z.record(z.string(), z.string()).optional(),
  steps: z.array(Step).default([]),
});
const Workflow = z.object({ permissions: Permissions, jobs: z.record(z.string(), Job) });

function readWorkflow(file: string): string {
  return readFileSync(`${folder}/${file}`, "utf8");
}
function listJobs(file: string) {
  return Object.entries(Workflow.parse(parse(readWorkflow(file))).jobs);
}

/**
 * Actions that a workflow names by a tag or a branch. Tags and branches can move to other code. Only our own files and actions named by
 * full commit hashes are safe.
 */
function findUnpinned(workflow: string): readonly string[] {
  const lines = workflow.split("\n").filter((line) => /\buses\s*["']?\s*:/.test(line));
  const pinned = /^\s*(- )?uses: (\.\/[\w./-]+|[\w.-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
  return lines.filter((line) => !pinned.test(line)).map((line) => line.trim());
}

test("an action is refused unless the workflow names it by a full commit hash, with the action's version beside the hash", () => {
  const commit = "fbc6f3992d24b796d5a048ff273f7fcc4a7b6c09";
  const good = [
    `      - uses: actions/checkout@${commit} # v5.1.0`,
    "    uses: ./.github/workflows/deploy-stage.yml",
  ];
  expect(findUnpinned(good.join("\n"))).toEqual([]);
  const bad = [
    "- uses: actions/checkout@v5",
    "- uses: actions/checkout@main",
    `- uses: actions/checkout@${commit}`,
    `- uses: actions/checkout@${commit.slice(0, 12)} # v5.1.0`,
    "- uses: docker://node:24",
    "- { uses: actions/checkout@v5 }",
    '- "uses": actions/checkout@v5',
  ];
  expect(findUnpinned(bad.join("\n"))).toEqual(bad);
});

describe.each(files)("%s", (file) => {
  test("a workflow names other projects' actions only by commit hash", () => {
    expect(findUnpinned(readWorkflow(file))).toEqual([]);
  });

  test("GitHub's own parser accepts the workflow", async () => {
    const { context, value } = parseWorkflow(
      { name: file, content: readWorkflow(file) },
      new NoOperationTraceWriter(),
    );
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
    if (value === undefined) throw new Error("GitHub reads nothing in it");
    const template = await convertWorkflowTemplate(context, value);
    expect(template.errors ?? []).toEqual([]);
  });

  test("a workflow may only read the repository, and only its jobs that call AWS may also get an identity token", () => {
    expect(Workflow.parse(parse(readWorkflow(file))).permissions).toEqual({ contents: "read" });
    for (const [, { permissions, steps, uses }] of listJobs(file)) {
      const meetsAws =
        uses !== undefined || steps.some((step) => step.uses?.startsWith("aws-actions/") === true);
      expect(permissions).toEqual(meetsAws ? { contents: "read", "id-token": "write" } : undefined);
    }
  });

  test("a workflow holds no AWS key, and puts no outside input into a command", () => {
    const secrets = [...readWorkflow(file).matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);
    expect(secrets).toEqual(["deploy-stage.yml", "look.yml"].includes(file) ? ["READER_KEY"] : []);
    expect(readWorkflow(file)).not.toMatch(/aws-access-key-id|aws-secret/);
    for (const [, { steps }] of listJobs(file)) {
      for (const { run = "" } of steps) expect(run).not.toMatch(/\$\{\{\s*(inputs|github\.(event|head))/);
    }
  });

  test("each npm script that a workflow runs exists", () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync("package.json", "utf8")));
    for (const [, name = ""] of readWorkflow(file).matchAll(/npm run (\S+)/g))
      expect(scripts).toHaveProperty([name]);
  });
});

test("each stage is deployed by the role of its own environment, first dev, then staging, then prod", () => {
  const [[, deploy] = []] = listJobs("deploy-stage.yml");
  expect(deploy?.environment).toBe(`$\{{ inputs.stage }}`);
  expect(
    listJobs("deploy.yml").map(([name, { needs, with: given }]) => ({ name, needs, stage: given?.stage })),
  ).toEqual([
    { name: "dev", needs: undefined, stage: "dev" },
    { name: "staging", needs: "dev", stage: "staging" },
    { name: "prod", needs: "staging", stage: "prod" },
  ]);
});

test("a stage's settings are checked before the deployment, and the stage's answers are checked afterwards", () => {
  const [[, deploy] = []] = listJobs("deploy-stage.yml");
  const commands = deploy?.steps.map(({ uses, run }) => uses ?? run ?? "") ?? [];
  const order = [
    "merge-base",
    "npm ci",
    "aws-actions",
    '"$STAGE" --settings-only',
    "npm run deploy",
    ".well-known/x402",
    'stage:check -- --stage "$STAGE" $EMERGENCY\n',
    "npm run stage:read",
  ].map((part) => commands.findIndex((command) => `${command}\n`.includes(part)));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});

test("an emergency deployment skips the checks of nodes and models, and no alarm rolls it back, but approval, the order of the stages and synthesis remain", () => {
  const [[, deploy] = []] = listJobs("deploy-stage.yml");
  const changed = deploy?.steps.filter((step) => JSON.stringify(step).includes("emergency")) ?? [];
  expect(
    changed.map(({ run, env, if: only }) => [run?.replace(/^npm run /, ""), env?.EMERGENCY ?? only]),
  ).toEqual([
    [
      'stage:check -- --stage "$STAGE" --settings-only $EMERGENCY',
      `$\{{ inputs.emergency && '--emergency' || '' }}`,
    ],
    ['deploy -- --stage "$STAGE" $EMERGENCY', `$\{{ inputs.emergency && '--despite-alarms' || '' }}`],
    ['stage:check -- --stage "$STAGE" $EMERGENCY', `$\{{ inputs.emergency && '--emergency' || '' }}`],
    [
      'stage:read -- --stage staging --site "$SITE" --max-usdg 1',
      "inputs.stage == 'staging' && !inputs.emergency",
    ],
  ]);
  for (const [, { with: given, needs }] of listJobs("deploy.yml")) {
    expect(given?.emergency).toBe(`$\{{ inputs.emergency || false }}`);
    expect(JSON.stringify(needs ?? "")).not.toContain("emergency");
  }
});

test("staging's deployment ends with a step that buys and reads a press, and no other stage or step gets this step's key", () => {
  const [[, deploy] = []] = listJobs("deploy-stage.yml");
  const withKey = deploy?.steps.filter(({ env }) => env?.READER_KEY !== undefined);
  expect(withKey).toEqual([deploy?.steps.at(-1)]);
  expect(withKey?.[0]).toMatchObject({
    if: "inputs.stage == 'staging' && !inputs.emergency",
    env: { READER_KEY: `$\{{ secrets.READER_KEY }}` },
    run: 'npm run stage:read -- --stage staging --site "$SITE" --max-usdg 1',
  });
  const handedOn = listJobs("deploy.yml").filter(([, { secrets }]) => secrets !== undefined);
  expect(handedOn.map(([name]) => name)).toEqual(["staging"]);
});

test("a press is bought and read in staging four times a day, and takes no deployment's place in a queue", () => {
  const buys = { run: 'npm run stage:read -- --stage staging --site "$SITE" --max-usdg 1' };
  expect(parse(readWorkflow("look.yml"))).toMatchObject({
    on: { schedule: [{ cron: "17 */6 * * *" }] },
    jobs: {
      read: {
        environment: "staging",
        concurrency: { group: "look-staging", "cancel-in-progress": false },
        steps: expect.arrayContaining([expect.objectContaining(buys)]),
      },
    },
  });
});

const Statement = z.object({ Action: z.unknown(), Resource: z.unknown() });
const Role = z.object({
  RoleName: z.string(),
  ManagedPolicyArns: z.array(z.string()).default([]),
  Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) })).default([]),
  AssumeRolePolicyDocument: z.object({
    Statement: z.tuple([
      z.strictObject({
        Effect: z.literal("Allow"),
        Action: z.literal("sts:AssumeRoleWithWebIdentity"),
        Principal: z.strictObject({ Federated: z.string() }),
        Condition: z.strictObject({
          StringEquals: z.strictObject({
            "token.actions.githubusercontent.com:aud": z.literal("sts.amazonaws.com"),
            "token.actions.githubusercontent.com:sub": z.string(),
          }),
        }),
      }),
    ]),
  }),
});

/** The roles and policies of an account that was set up for a stage. */
function readAccount(Stage: string, Provider = "") {
  const made = makeResources({ Stage, Provider, Repository: "repo:us/ours" });
  const roles = made
    .filter(({ Type }) => Type === "AWS::IAM::Role")
    .map(({ Properties }) => Role.parse(Properties));
  const trusts = roles.map(({ RoleName, AssumeRolePolicyDocument: { Statement } }) => {
    const [{ Condition, Principal }] = Statement;
    const subject = Condition.StringEquals["token.actions.githubusercontent.com:sub"];
    return [RoleName, subject, Principal.Federated];
  });
  return { types: made.map(({ Type }) => Type), roles, trusts };
}

test("in an account, only jobs of the stage's own GitHub environment may deploy, so that nothing reaches prod without approval", () => {
  for (const stage of ["dev", "prod"]) {
    expect(readAccount(stage).trusts).toEqual([
      [`press-market-deploy-${stage}`, `repo:us/ours:environment:${stage}`, "{GitHub}"],
    ]);
  }
  expect(readAccount("staging").trusts).toEqual([
    ["press-market-deploy-staging", "repo:us/ours:environment:staging", "{GitHub}"],
    ["press-market-diff", "repo:us/ours:pull_request", "{GitHub}"],
  ]);
});

test("an account that already has an identity provider for GitHub keeps this provider", () => {
  const known = "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com";
  const { types, trusts } = readAccount("prod", known);
  expect(types).toEqual(["AWS::IAM::ManagedPolicy", "AWS::IAM::ManagedPolicy", "AWS::IAM::Role"]);
  expect(trusts).toEqual([["press-market-deploy-prod", "repo:us/ours:environment:prod", known]]);
});

// The calls that `sst diff --stage staging` needs: calls about the two bootstrap stacks, and about each stack's template. The command
// succeeds with a stand-in for AWS that refuses every call outside this list. GetCallerIdentity needs no right.
test("the role that compares a stage with its templates may read templates and the bootstrap's versions, and may assume no role", () => {
  const diff = readAccount("staging").roles.find(({ RoleName }) => RoleName === "press-market-diff");
  const stacks = `arn:$\{AWS::Partition}:cloudformation:us-east-1:$\{AWS::AccountId}:stack`;
  expect(diff?.ManagedPolicyArns).toEqual([]);
  expect(diff?.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)).toEqual([
    { Action: "cloudformation:GetTemplate", Resource: `${stacks}/staging-press-market-*/*` },
    {
      Action: "cloudformation:DescribeStacks",
      Resource: [`${stacks}/SSTBootstrap/*`, `${stacks}/CDKToolkit/*`],
    },
  ]);
});

test("a stage is deployed by one job at a time, which is never cut off and does not wait for another stage's approval, and only a newer deployment takes the place of one that waits", () => {
  const deployment = parse(readWorkflow("deploy-stage.yml")).jobs.deploy;
  const group = `deploy-$\{{ inputs.stage }}`;
  expect(deployment.concurrency).toEqual({ group, "cancel-in-progress": false });
  expect(parse(readWorkflow("deploy.yml"))).not.toHaveProperty("concurrency");
});

test("the workflows use the same AWS region as the stages", () => {
  for (const file of files) {
    for (const [, region] of readWorkflow(file).matchAll(/aws-region: (\S+)/g)) {
      expect(stages.map((stage) => findSettings(stage).region)).toEqual(stages.map(() => region));
    }
  }
});
