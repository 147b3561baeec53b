import { join } from "node:path";
import { setProject } from "sst/project.js";
import { appName, type StageSettings } from "./stages.ts";

/**
 * Tells SST which project it works on, where its CLI does not. What it writes goes below the folder. One project in a
 * process; and with NODE_ENV `test`, or SST asks AWS for its own bucket.
 */
export function openProject(stage: string, { region }: Pick<StageSettings, "region">, folder: string): void {
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
