import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib/core";
import { afterAll, describe, expect, test, vi } from "vitest";
import { findSettings, type StageSettings } from "../../infra/stages.ts";
import { makeFolder } from "../support/provide.ts";
import { kept, makeAddress, readStacks, synthesize } from "./assembly.ts";
import { explained, explainFinding, watchRules } from "./nag.ts";

const folder = await makeFolder();
afterAll(() => {
  vi.doUnmock("../../infra/constructs.ts");
  vi.resetModules();
});

/**
 * Variables that SST adds to a template, such as the app's name, the stage, and the location of SST's parameters. Our code does not read
 * these variables.
 */
const variables = [
  "AWS_NODEJS_CONNECTION_REUSE_ENABLED",
  "SST_APP",
  "SST_STAGE",
  "SST_SSM_PREFIX",
  "SST_FUNCTION_ID",
];

/**
 * A template without the parts that always differ: the location of code and SST's additions. Version ids are left out too, because they end
 * in a hash of the code and SST's additions.
 */
function removeVaryingParts(template: unknown): unknown {
  const said = JSON.stringify(template, (name, value: unknown) => {
    if (variables.includes(name) || ["EphemeralStorage", "SSTMetadata", "Code", "Handler"].includes(name))
      return undefined;
    if (name === "Metadata" || name === "SourceObjectKeys" || name === "Content") return undefined;
    return value;
  });
  const versions = said.replace(/(CurrentVersion\w{8})[0-9a-f]{32}/g, "$1");
  return JSON.parse(versions);
}

// SST's templates are made before `infra/constructs.ts` is replaced.
const withSst = await synthesize("prod");
vi.resetModules();
vi.doMock("../../infra/constructs.ts", () => import("./plain-cdk.ts"));

/** Makes a CDK app with a stage, without SST. */
async function makeAppWithStage(settings: StageSettings): Promise<App> {
  const { addStacks } = await import("../../infra/index.ts");
  const site = join(folder, "site");
  mkdirSync(join(site, "assets"), { recursive: true });
  writeFileSync(join(site, "index.html"), "");
  const context = { stage: "prod", account: "123456789012", code: site };
  const app = new App({ outdir: join(folder, "out"), context, analyticsReporting: false });
  addStacks(app, settings, site);
  return app;
}

describe("prod is made in an app of plain CDK", async () => {
  const app = await makeAppWithStage(findSettings("prod"));
  const found = watchRules(app, "prod");
  const plain = readStacks("prod", app.synth().stacks);

  test("the stacks make the same templates without SST if one file is replaced", () => {
    expect([...plain.keys()]).toEqual([...withSst.keys()]);
    for (const [name, template] of plain) {
      expect(Object.keys(template.Resources).length).toBeGreaterThan(10);
      expect([name, removeVaryingParts(template)]).toEqual([name, removeVaryingParts(withSst.get(name))]);
    }
  });

  test("every finding of cdk-nag's AwsSolutions rules has an explanation in our list, and every explanation in the list is needed", () => {
    expect([...found].filter((one) => explainFinding(one) === undefined)).toEqual([]);
    expect(new Set([...found].map(explainFinding))).toEqual(new Set(explained));
  });
});

const to = `0x${"12".repeat(20)}` as const;

test.each<[string, Partial<StageSettings>, string]>([
  [
    "more reserved runs than its quota",
    { quotas: { ...findSettings("prod").quotas, concurrency: 100 } },
    "AWS keeps 100 of 100",
  ],
  [
    "a sweep of real money by one approval",
    { sweep: { to, approvers: [to, makeAddress("3")], needed: 1 } },
    "2 people have to approve",
  ],
  [
    "a sweep that one person approves twice",
    { sweep: { to, approvers: [to, to], needed: 2 } },
    "2 have to approve, and 1 can",
  ],
  [
    "another account's key",
    { kept: { ...kept, auditor: "arn:aws:kms:us-east-1:210987654321:key/one" } },
    "no id or name",
  ],
  ["a key that it takes back twice", { kept: { ...kept, receipts: "id-0" } }, "named twice"],
  ["one key for two purposes", { kept: { ...kept, pushes: "id-r" } }, "named twice"],
  [
    "a secret at the edge that functions do not accept",
    { originSecret: { shown: 2, accepted: [1] } },
    "accept the origin secret 2",
  ],
])("a stage with %s is not made", async (_, change, why) => {
  await expect(makeAppWithStage({ ...findSettings("prod"), ...change })).rejects.toThrow(why);
});

test("a handler's file is bundled without SST into a module that exports the handler", async () => {
  const { writeBundle } = await import("./plain-cdk.ts");
  const settings = await import("../../infra/function.ts");
  const made = writeBundle({ handler: "functions/http/documents.robots", nodejs: settings.bundle });
  const { robots } = await import(join(made, "functions/http/documents.mjs"));
  rmSync(made, { recursive: true });
  expect(robots).toBeTypeOf("function");
});
