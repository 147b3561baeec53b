import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { makeTestnetSettings } from "../../infra/chains.ts";
import { findSettings, type StageSettings } from "../../infra/stages.ts";
import type { SynthOptions } from "../../infra/synth.ts";
import { makeOnce } from "../support/made-once.ts";

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

/** A stage's templates as CloudFormation gets them. The keys are the names of the stage's stacks. */
export type Assembly = ReadonlyMap<string, z.infer<typeof Template>>;

/** The output of a CDK app. */
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

/** A temporary folder outside the project. In the project's folder, SST would keep its log file open until the process ends. */
const workshop = mkdtempSync(join(tmpdir(), "infra-"));
process.on("exit", () => rmSync(workshop, { recursive: true, force: true }));

/** The templates that this process has already read. */
const read = new Map<string, Promise<Assembly>>();

/**
 * A stage's templates, optionally with changed settings. The templates are made once for the current state of the sources, because CDK
 * takes many seconds.
 */
export function synthesize(
  stage: string,
  change: (settings: StageSettings) => StageSettings = (settings) => settings,
): Promise<Assembly> {
  const settings = change(findSettings(stage));
  const name = `${stage}-${createHash("sha256").update(JSON.stringify(settings)).digest("hex").slice(0, 8)}`;
  const made = read.get(name) ?? loadAssembly(name, stage, settings);
  read.set(name, made);
  return made;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
let sources: string | undefined;

/** A hash of all files that can affect a template. */
function hashSources(): string {
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

async function loadAssembly(name: string, stage: string, settings: StageSettings): Promise<Assembly> {
  sources ??= hashSources();
  const path = join(root, ".local", "test-cache", `stage-${name}-${sources}.json`);
  await makeOnce(path, async () => {
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, JSON.stringify([...(await synthesizeInProcess(stage, settings))]));
    await rename(draft, path);
  });
  return new Map(z.array(z.tuple([z.string(), Template])).parse(JSON.parse(await readFile(path, "utf8"))));
}

/** Makes a stage's templates in this process, for tests that look at the app itself. */
export async function synthesizeInProcess(
  stage: string,
  settings = findSettings(stage),
  inspect?: SynthOptions["inspect"],
): Promise<Assembly> {
  const { synthesizeOffline } = await import("../../infra/synth.ts");
  const folder = mkdtempSync(join(workshop, "stage-"));
  const { stacks } = await synthesizeOffline({ stage, folder, settings, inspect });
  return readStacks(stage, stacks);
}

/** The address of one of our own contracts on a test chain. */
export const makeAddress = (digit: string) => `0x${digit.repeat(40)}` as const;
const testChain = makeTestnetSettings({
  issuer: makeAddress("1"),
  usdg: makeAddress("2"),
  usdgFacet: makeAddress("6"),
  usdgImplementation: makeAddress("7"),
  stockImplementation: makeAddress("3"),
  stockBeacon: makeAddress("4"),
  stocks: [
    { symbol: "AAPL", token: makeAddress("5"), feed: makeAddress("6") },
    { symbol: "NVDA", token: makeAddress("7"), feed: makeAddress("8") },
  ],
});

/** The table and the keys that a removed stage has left in its AWS account. */
export const kept = {
  table: "left-table",
  relayers: ["id-0", "id-1"],
  auditor: "id-a",
  receipts: "id-r",
  pushes: "id-p",
};

export const relayNodes = ["https://relay-1.example/key", "https://relay-2.example"] as const;

/** A stage on the test chain with every optional setting, including the settings for a sweep of the retired relayer 0. */
export function makeTestChainSettings(settings: StageSettings) {
  return {
    ...settings,
    chain: { ...testChain, relayRpc: { urls: relayNodes } },
    siblingRelayers: [makeAddress("9")],
    retiredRelayers: [0],
    sweep: { to: makeAddress("1"), approvers: [makeAddress("2"), makeAddress("3")], needed: 2 },
    gas: { ...settings.gas, ethFeed: makeAddress("a") },
  };
}
