import { mkdirSync, rmSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { synthesizeOffline } from "./offline.ts";

/** `npm run synth -- --stage prod`: writes a stage's templates and prints their resources by type. Needs no account. */
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
