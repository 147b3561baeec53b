import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CloudFormationClient,
  ListImportsCommand,
  type Output,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import * as z from "zod";
import { builtStacks } from "./stacks.ts";

const Template = z.looseObject({
  Outputs: z
    .record(z.string(), z.looseObject({ Export: z.looseObject({ Name: z.string() }).optional() }))
    .default({}),
});
const Assets = z.object({
  files: z.record(z.string(), z.object({ source: z.object({ path: z.string() }) })),
});

/**
 * Keeps exports in built templates that the version leaves out and other stacks still use: their turn comes after, and
 * CloudFormation deletes no export in use. The next deployment lets them go.
 *
 * SST does so too, and then uploads the template under its former hash, which it leaves out where that lies there
 * already. So no rollback would work that takes something away.
 */
export async function keepExportsInUse(
  client: CloudFormationClient,
  folder: string,
  stacks: readonly Stack[],
): Promise<void> {
  const built = builtStacks(folder);
  for (const { StackName = "", Outputs = [] } of stacks) {
    if (!built.includes(StackName)) continue;
    const file = join(folder, `${StackName}.template.json`);
    const template = Template.parse(JSON.parse(readFileSync(file, "utf8")));
    const exported = new Set(Object.values(template.Outputs).map(({ Export }) => Export?.Name));
    const missing = Outputs.filter(({ ExportName }) => ExportName !== undefined && !exported.has(ExportName));
    const used: Output[] = [];
    for (const output of missing) {
      if (await isImported(client, output.ExportName)) used.push(output);
    }
    if (used.length === 0) continue;
    const kept = used.map(({ OutputKey = "", OutputValue, ExportName }) => [
      OutputKey,
      { Value: OutputValue, Export: { Name: ExportName } },
    ]);
    const text = JSON.stringify({
      ...template,
      Outputs: { ...template.Outputs, ...Object.fromEntries(kept) },
    });
    writeFileSync(file, text);
    rename(folder, StackName, createHash("sha256").update(text).digest("hex"));
  }
}

async function isImported(client: CloudFormationClient, name: string | undefined): Promise<boolean> {
  try {
    const { Imports = [] } = await client.send(new ListImportsCommand({ ExportName: name }));
    return Imports.length > 0;
  } catch (error) {
    if (error instanceof Error && /is not imported by any stack/.test(error.message)) return false;
    throw error;
  }
}

/** Gives a template its new hash, wherever the assembly names the one before. */
function rename(folder: string, stackName: string, hash: string): void {
  const list = join(folder, `${stackName}.assets.json`);
  const { files } = Assets.parse(JSON.parse(readFileSync(list, "utf8")));
  const [former] =
    Object.entries(files).find(([, { source }]) => source.path === `${stackName}.template.json`) ?? [];
  if (former === undefined) throw new Error(`${list} does not name the template`);
  for (const file of [list, join(folder, "manifest.json")]) {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(former, hash));
  }
}
