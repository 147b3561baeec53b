import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { seedPresses } from "../../local/seed/index.ts";
import { startTestService } from "../support/service.ts";

const root = join(import.meta.dirname, "../..");

test("the README's program pays both legs of press 0 and prints the text", async () => {
  const program = /```js\n(.*?)```/s.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1];
  if (program === undefined) throw new Error("The README holds no program");
  const folder = join(root, ".local", `readme-${process.pid}`);
  await using service = await startTestService();
  await seedPresses({ ...service, signal: AbortSignal.timeout(20_000) });
  try {
    await mkdir(folder, { recursive: true });
    const file = join(folder, "pay.mjs");
    await writeFile(file, program.replace("http://localhost:3000", service.origin));
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout.match(/^200 /gm)).toHaveLength(2);
    expect(stdout).toContain("paid: true");
    expect(stdout).toContain("body: ");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
