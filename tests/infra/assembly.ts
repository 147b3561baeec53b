import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { type StageSettings, settingsOf } from "../../infra/stages.ts";
import { type Offline, synthesizeOffline } from "../../infra/synth.ts";

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DeletionPolicy: z.string().optional(),
  DependsOn: z.array(z.string()).optional(),
  UpdatePolicy: z.unknown().optional(),
});
export type Resource = z.infer<typeof Resource>;

const Output = z.object({ Value: z.unknown(), Export: z.object({ Name: z.string() }).optional() });
const Template = z.object({
  Resources: z.record(z.string(), Resource),
  Outputs: z.record(z.string(), Output).default({}),
});

/** A stage as CloudFormation would be given it, by the names of its stacks. */
export type Assembly = ReadonlyMap<string, z.infer<typeof Template>>;

/** SST keeps its log open in the project's folder until the process ends. */
const workshop = mkdtempSync(join(tmpdir(), "infra-"));
process.on("exit", () => rmSync(workshop, { recursive: true, force: true }));

/** The stages as they are, which several test files of one process read. */
const asTheyAre = new Map<string, Promise<Assembly>>();

/** Makes a stage's templates offline, if need be with other settings. */
export function synthesize(
  stage: string,
  change?: (settings: StageSettings) => StageSettings,
  inspect?: Offline["inspect"],
): Promise<Assembly> {
  if (change !== undefined || inspect !== undefined) return make(stage, change, inspect);
  const made = asTheyAre.get(stage) ?? make(stage);
  asTheyAre.set(stage, made);
  return made;
}

async function make(
  stage: string,
  change: (settings: StageSettings) => StageSettings = (settings) => settings,
  inspect?: Offline["inspect"],
): Promise<Assembly> {
  const { stacks } = await synthesizeOffline({
    stage,
    folder: mkdtempSync(join(workshop, "stage-")),
    settings: change(settingsOf(stage)),
    inspect,
  });
  return new Map(
    stacks.map(({ stackName, template }) => [
      stackName.replace(`${stage}-press-market-`, ""),
      Template.parse(template),
    ]),
  );
}
