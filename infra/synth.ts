import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { App } from "sst/constructs";
import { setProject } from "sst/project.js";
import { useRuntimeHandlers as runtimeHandlers } from "sst/runtime/handlers.js";
import { addStacks } from "./index.ts";
import { appName, findSettings, type StageSettings } from "./stages.ts";

/**
 * Tells SST which project to use. This call is needed because SST's command line does not run here. SST writes its files below the given
 * folder. A process can open only one project of SST. NODE_ENV must be `test`, because SST would otherwise ask AWS for SST's bucket.
 */
export function setSstProject(
  stage: string,
  { region }: Pick<StageSettings, "region">,
  folder: string,
): void {
  process.env.NODE_ENV = "test";
  process.env.JSII_DEPRECATED = "quiet";
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
}

/** An invented account id is enough, because these templates are never deployed. */
const account = "123456789012";

export type SynthOptions = {
  readonly stage: string;
  /** An empty folder. The templates are written to the subfolder `out` of `folder`. */
  readonly folder: string;
  /** The settings for the templates; by default the settings of the stage. */
  readonly settings?: StageSettings;
  /** The function that is called with the finished app, before the templates are written. */
  readonly inspect?: ((app: App) => void) | undefined;
};

/**
 * Writes the templates of a stage without access to AWS and without bundles, so the templates' functions and site are empty. A process can
 * write only one stage's templates at a time, because SST knows only one project.
 */
export async function synthesizeOffline({
  stage,
  folder,
  settings = findSettings(stage),
  inspect = () => {},
}: SynthOptions) {
  const { region } = settings;
  setSstProject(stage, settings, folder);
  const code = makeEmptyFile(join(folder, "code"), "index.mjs");
  makeEmptyFile(join(folder, "site"), "index.html");
  makeEmptyFile(join(folder, "site", "assets"), "index.js");
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

function makeEmptyFile(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), "");
  return folder;
}

if (import.meta.main) await run();

/**
 * `npm run synth -- --stage prod` writes a stage's templates and prints the number of their resources by type. The command needs no AWS
 * account.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({ options: { stage: { type: "string", default: "dev" } } });
  const folder = resolve(".local/synth", values.stage);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { stacks } = await synthesizeOffline({ stage: values.stage, folder });
  for (const { stackName, template, templateFullPath } of stacks) {
    console.log(`\n${stackName}  ${relative(process.cwd(), templateFullPath)}`);
    const types = Object.values<{ Type: string }>(template.Resources).map(({ Type }) => Type);
    const counts = Map.groupBy(types.sort(), (type) => type);
    for (const [type, { length }] of counts) console.log(`${String(length).padStart(5)}  ${type}`);
  }
}
