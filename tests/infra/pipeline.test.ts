import { readdirSync, readFileSync } from "node:fs";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { settingsOf } from "../../infra/stages.ts";

const folder = ".github/workflows";
const files = readdirSync(folder);
const stages = ["dev", "staging", "prod"] as const;

const Permissions = z.record(z.string(), z.enum(["read", "write", "none"]));
const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const Job = z.object({
  needs: z.string().optional(),
  environment: z.string().optional(),
  permissions: Permissions.optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.string()).optional(),
  steps: z.array(Step).default([]),
});
const Workflow = z.object({ permissions: Permissions, jobs: z.record(z.string(), Job) });

function text(file: string): string {
  return readFileSync(`${folder}/${file}`, "utf8");
}
function jobs(file: string) {
  return Object.entries(Workflow.parse(parse(text(file))).jobs);
}

describe.each(files)("%s", (file) => {
  test("is a workflow to GitHub's own parser", async () => {
    const { context, value } = parseWorkflow(
      { name: file, content: text(file) },
      new NoOperationTraceWriter(),
    );
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
    if (value === undefined) throw new Error("GitHub reads nothing in it");
    const template = await convertWorkflowTemplate(context, value);
    expect(template.errors ?? []).toEqual([]);
  });

  test("may only read, but for tokens of those jobs that meet AWS", () => {
    expect(Workflow.parse(parse(text(file))).permissions).toEqual({ contents: "read" });
    for (const [, { permissions, steps, uses }] of jobs(file)) {
      const meetsAws =
        uses !== undefined || steps.some((step) => step.uses?.startsWith("aws-actions/") === true);
      expect(permissions).toEqual(meetsAws ? { contents: "read", "id-token": "write" } : undefined);
    }
  });

  test("holds no key of AWS, and puts nothing from outside into a command", () => {
    expect(text(file)).not.toMatch(/secrets\.|aws-access-key-id|aws-secret/);
    for (const [, { steps }] of jobs(file)) {
      for (const { run = "" } of steps) expect(run).not.toMatch(/\$\{\{\s*(inputs|github\.(event|head))/);
    }
  });

  test("runs scripts that exist", () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync("package.json", "utf8")));
    for (const [, name = ""] of text(file).matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty([name]);
  });
});

test("each stage is deployed by its own environment's role, prod after staging after dev", () => {
  const [[, deploy] = []] = jobs("deploy-stage.yml");
  expect(deploy?.environment).toBe(`$\{{ inputs.stage }}`);
  expect(
    jobs("deploy.yml").map(([name, { needs, with: given }]) => ({ name, needs, stage: given?.stage })),
  ).toEqual([
    { name: "dev", needs: undefined, stage: "dev" },
    { name: "staging", needs: "dev", stage: "staging" },
    { name: "prod", needs: "staging", stage: "prod" },
  ]);
});

test("a stage is deployed after its settings were checked, and asked afterwards", () => {
  const [[, deploy] = []] = jobs("deploy-stage.yml");
  const commands = deploy?.steps.map(({ uses, run }) => uses ?? run ?? "") ?? [];
  const order = [
    "merge-base",
    "npm ci",
    "aws-actions",
    '"$STAGE" --settings-only',
    "npm run deploy",
    ".well-known/x402",
    'stage:check -- --stage "$STAGE"\n',
  ].map((part) => commands.findIndex((command) => `${command}\n`.includes(part)));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});

const Role = z.object({
  Type: z.literal("AWS::IAM::Role"),
  Properties: z.object({
    RoleName: z.string(),
    AssumeRolePolicyDocument: z.object({
      Statement: z.tuple([
        z.object({
          Action: z.literal("sts:AssumeRoleWithWebIdentity"),
          Condition: z.object({
            StringEquals: z.strictObject({
              "token.actions.githubusercontent.com:aud": z.literal("sts.amazonaws.com"),
              "token.actions.githubusercontent.com:sub": z.object({ "Fn::Sub": z.string() }),
            }),
          }),
        }),
      ]),
    }),
  }),
});

test("a role is assumed by one environment, or by pull requests to look, and by nobody else", () => {
  const { Resources } = z
    .object({ Resources: z.record(z.string(), z.object({ Type: z.string() }).loose()) })
    .parse(parse(readFileSync("infra/pipeline-roles.yaml", "utf8")));
  const roles = Object.values(Resources)
    .filter(({ Type }) => Type === "AWS::IAM::Role")
    .map((resource) => Role.parse(resource).Properties);
  const subjects = roles.map(({ RoleName, AssumeRolePolicyDocument }) => [
    RoleName,
    AssumeRolePolicyDocument.Statement[0].Condition.StringEquals["token.actions.githubusercontent.com:sub"][
      "Fn::Sub"
    ],
  ]);
  expect(Object.fromEntries(subjects)).toEqual({
    "press-market-diff": `$\{Repository}:pull_request`,
    ...Object.fromEntries(
      stages.map((stage) => [`press-market-deploy-${stage}`, `$\{Repository}:environment:${stage}`]),
    ),
  });
});

test("a stage is deployed by one job at a time, which is not cut off, and waits for no other stage's approval", () => {
  const Line = z.object({
    jobs: z.object({
      deploy: z.object({
        concurrency: z.object({ group: z.string(), "cancel-in-progress": z.literal(false) }),
      }),
    }),
  });
  const { jobs: found } = Line.parse(parse(text("deploy-stage.yml")));
  expect(found.deploy.concurrency.group).toBe(`deploy-$\{{ inputs.stage }}`);
  expect(parse(text("deploy.yml"))).not.toHaveProperty("concurrency");
});

test("the workflows work where the stages are", () => {
  for (const file of files) {
    for (const [, region] of text(file).matchAll(/aws-region: (\S+)/g)) {
      expect(stages.map((stage) => settingsOf(stage).region)).toEqual(stages.map(() => region));
    }
  }
});
