import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "sst/constructs";
import { setProject } from "sst/project.js";
import { useRuntimeHandlers as runtimeHandlers } from "sst/runtime/handlers.js";
import { addStacks } from "./index.ts";
import { appName, type StageSettings, settingsOf } from "./stages.ts";

/** An account that nobody has, for what is only looked at. */
const account = "123456789012";

export type Offline = {
  readonly stage: string;
  /** Empty: templates go to `out` below it, beside what SST and CDK write besides. */
  readonly folder: string;
  /** The stage's own unless told. */
  readonly settings?: StageSettings;
  /** Called with the finished app, before it is written. */
  readonly inspect?: ((app: App) => void) | undefined;
};

/**
 * Writes the templates of a stage without AWS and without bundling: functions and site are empty. One at a time in a
 * process, because SST knows one project only; and with NODE_ENV `test`, or SST asks AWS for its own bucket.
 */
export async function synthesizeOffline({
  stage,
  folder,
  settings = settingsOf(stage),
  inspect = () => {},
}: Offline) {
  process.env.NODE_ENV = "test";
  process.env.JSII_DEPRECATED = "quiet";
  const { region } = settings;
  setProject({
    version: "2.49.8",
    cdkVersion: "2.224.0",
    constructsVersion: "10.3.0",
    config: { name: appName, stage, region, ssmPrefix: `/sst/${appName}/${stage}/` },
    paths: {
      root: process.cwd(),
      config: join(process.cwd(), "sst.config.ts"),
      out: folder,
      artifacts: join(folder, "artifacts"),
    },
    metafile: { inputs: {}, outputs: {} },
    stacks: () => {},
  });
  const code = emptyFile(join(folder, "code"), "index.mjs");
  emptyFile(join(folder, "site"), "index.html");
  emptyFile(join(folder, "site", "assets"), "index.js");
  runtimeHandlers().build = async () => ({
    type: "success",
    out: code,
    handler: "index.handler",
    sourcemap: undefined,
  });
  const app = new App(
    { mode: "deploy", stage, region, name: appName, account },
    { outdir: join(folder, "out") },
  );
  addStacks(app, settings, join(folder, "site"));
  await app.finish();
  inspect(app);
  return app.synth();
}

function emptyFile(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), "");
  return folder;
}
