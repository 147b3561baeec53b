import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { type StageSettings, settingsOf } from "../../infra/stages.ts";
import type { Offline } from "../../infra/synth.ts";
import { madeOnce } from "../support/made-once.ts";

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
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

/** What an app of CDK has made. */
export function readStacks(
  stage: string,
  stacks: readonly { stackName: string; template: unknown }[],
): Assembly {
  const read = stacks.map(({ stackName, template }) => {
    const name = stackName.replace(`${stage}-press-market-`, "");
    return [name, Template.parse(template)] as const;
  });
  return new Map(read);
}

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
  const made = asTheyAre.get(stage) ?? kept(stage);
  asTheyAre.set(stage, made);
  return made;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
let sources: string | undefined;

/** A digest of whatever a template may say. */
function sourcesOf(): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const folder of ["core", "functions", "infra", "web"]) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      hash.update(path).update(readFileSync(path));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

/** A stage as it is, made once for the present sources: to load the CDK takes each process seconds of a core. */
async function kept(stage: string): Promise<Assembly> {
  sources ??= sourcesOf();
  const path = join(root, ".local", "test-cache", `stage-${stage}-${sources}.json`);
  await madeOnce(path, async () => {
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, JSON.stringify([...(await make(stage))]));
    await rename(draft, path);
  });
  return new Map(z.array(z.tuple([z.string(), Template])).parse(JSON.parse(await readFile(path, "utf8"))));
}

async function make(
  stage: string,
  change: (settings: StageSettings) => StageSettings = (settings) => settings,
  inspect?: Offline["inspect"],
): Promise<Assembly> {
  const { synthesizeOffline } = await import("../../infra/synth.ts");
  const { stacks } = await synthesizeOffline({
    stage,
    folder: mkdtempSync(join(workshop, "stage-")),
    settings: change(settingsOf(stage)),
    inspect,
  });
  return readStacks(stage, stacks);
}
