import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "sst/constructs";
import { useRuntimeHandlers as runtimeHandlers } from "sst/runtime/handlers.js";
import { addStacks } from "./index.ts";
import { openProject } from "./project.ts";
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
 * process, because SST knows one project only.
 */
export async function synthesizeOffline({
  stage,
  folder,
  settings = settingsOf(stage),
  inspect = () => {},
}: Offline) {
  const { region } = settings;
  openProject(stage, settings, folder);
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
