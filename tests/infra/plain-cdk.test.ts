import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib/core";
import { afterAll, expect, test, vi } from "vitest";
import { settingsOf } from "../../infra/stages.ts";
import { readStacks, synthesize } from "./assembly.ts";

const folder = mkdtempSync(join(tmpdir(), "plain-"));
afterAll(() => {
  vi.doUnmock("../../infra/constructs.ts");
  vi.resetModules();
  rmSync(folder, { recursive: true, force: true });
});

/** What SST adds to a template of its own: what it calls itself, its stage, and where its parameters are, which nothing reads. */
const variables = [
  "AWS_NODEJS_CONNECTION_REUSE_ENABLED",
  "SST_APP",
  "SST_STAGE",
  "SST_SSM_PREFIX",
  "SST_FUNCTION_ID",
];

/** A template without what differs by nature: where code lies, and what SST adds. Ids of versions end in a digest of both. */
function comparable(template: unknown): unknown {
  const said = JSON.stringify(template, (name, value: unknown) => {
    if (variables.includes(name) || ["EphemeralStorage", "SSTMetadata", "Code", "Handler"].includes(name))
      return undefined;
    if (name === "Metadata" || name === "SourceObjectKeys" || name === "Content") return undefined;
    return value;
  });
  const versions = said.replace(/(CurrentVersion\w{8})[0-9a-f]{32}/g, "$1");
  return JSON.parse(versions);
}

test("the stacks are plain CDK but for one file: with another in its place they make the same templates without SST", async () => {
  const withSst = await synthesize("prod");
  vi.resetModules();
  vi.doMock("../../infra/constructs.ts", () => import("./plain-cdk.ts"));
  const { addStacks } = await import("../../infra/index.ts");
  const site = join(folder, "site");
  mkdirSync(join(site, "assets"), { recursive: true });
  writeFileSync(join(site, "index.html"), "");
  const context = { stage: "prod", account: "123456789012", code: site };
  const app = new App({ outdir: join(folder, "out"), context, analyticsReporting: false });
  addStacks(app, settingsOf("prod"), site);
  const plain = readStacks("prod", app.synth().stacks);
  expect([...plain.keys()]).toEqual([...withSst.keys()]);
  for (const [name, template] of plain) {
    expect(Object.keys(template.Resources).length).toBeGreaterThan(10);
    expect([name, comparable(template)]).toEqual([name, comparable(withSst.get(name))]);
  }
});

test("a handler bundles without SST into a module that exports it", async () => {
  const { bundle } = await import("./plain-cdk.ts");
  const settings = await import("../../infra/function.ts");
  const made = bundle({ handler: "functions/http/documents.robots", nodejs: settings.bundle });
  const { robots } = await import(join(made, "functions/http/documents.mjs"));
  rmSync(made, { recursive: true });
  expect(robots).toBeTypeOf("function");
});
