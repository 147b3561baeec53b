import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import ts from "typescript";
import { toHex } from "viem";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { root } from "../boundary/source.ts";
import { buyByTool } from "../support/agent.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { makeFolder, startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

const run = promisify(execFile);
const name = "@somebody/presses";

/** An empty folder outside the repository, in which the package is installed. */
const folder = await makeFolder();
const installed = join(folder, "node_modules", name);
const service = startPart(startTestService);
let text: string;

const pack = (...settings: readonly string[]) =>
  run(process.execPath, [join(root, "cli/pack.ts"), ...settings], { cwd: folder });

beforeAll(async () => {
  await writeFile(join(folder, "licence.txt"), "Do as you like.\n");
  const settings = {
    name,
    license: "MIT",
    "license-file": "licence.txt",
    repository: "https://example.com/presses",
    homepage: "https://presses.example.com/",
  };
  const flags = Object.entries(settings).map(([key, value]) => `--${key}=${value}`);
  const { stdout } = await pack("--out", join(folder, "packed"), ...flags);
  ({ text } = await publishDemoPress(service));
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", stdout.trim(), "-C", installed, "--strip-components=1"]);
});

const makeEnvironment = () => ({
  PATH: process.env.PATH ?? "",
  PRESSES_ORIGIN: service.origin,
  PRESSES_STATE: join(folder, "state"),
  PRESSES_KEY: toHex(getTestAccount(6).getHdKey().privateKey ?? new Uint8Array()),
});

test("the package cannot be packed until the owner has set its name, licence and addresses", async () => {
  const refused = pack("--name=presses", "--license=MIT", "--license-file=licence.txt");
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/--name: a scoped name.*\n.*--repository.*\n.*--homepage/),
  });
});

test("the package's package.json has the fields that registries require", async () => {
  const { messages, pkg } = await publint({ pkgDir: installed });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  const server = z
    .looseObject({
      name: z.string(),
      description: z.string().max(100),
      packages: z.tuple([z.looseObject({})]),
    })
    .parse(JSON.parse(await readFile(join(folder, "packed/server.json"), "utf8")));
  expect(pkg).toMatchObject({
    name,
    license: "MIT",
    mcpName: server.name,
    homepage: "https://presses.example.com/",
  });
  expect(server).toMatchObject({ name: "com.example.presses/presses", packages: [{ identifier: name }] });
  expect(await readFile(join(installed, "LICENSE"), "utf8")).toBe("Do as you like.\n");
  expect(await readFile(join(installed, "dist/third-party.txt"), "utf8")).toContain("viem ");
});

test("the package's command line and MCP server work from an empty folder, without the repository", async () => {
  const command = join(installed, "dist/cli.js");
  const listed = await run(process.execPath, [command, "list", "--json"], {
    cwd: folder,
    env: makeEnvironment(),
  });
  expect(JSON.parse(listed.stdout)).toMatchObject({ presses: [{ pressId: 0 }] });
  const settings = { command: process.execPath, args: [command, "mcp"], cwd: folder, env: makeEnvironment() };
  expect((await buyByTool(settings)).content).toEqual([{ type: "text", text }]);
});

// The package's own sources are checked with the oldest supported version of viem, which the project itself uses.
test("the README sample and the types of the package pass the strictest compiler rules with the newest supported viem", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  const own = JSON.parse(await readFile(join(root, "node_modules/viem/package.json"), "utf8"));
  expect(manifest.dependencies.viem).toBe(`^${own.version}`);
  const [, sample] = /```ts\n(.*?)```/s.exec(await readFile(join(installed, "README.md"), "utf8")) ?? [];
  await symlink(join(root, "node_modules/viem-newest"), join(folder, "node_modules/viem"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "sample.ts"), `${sample}export { text };\n`);
  const program = ts.createProgram([join(folder, "sample.ts")], {
    noEmit: true,
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  });
  // The compiler also checks our declaration files, but not viem's declaration files, whose check would take ten seconds.
  const ours = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.endsWith("/sample.ts") || fileName.includes(`/${name}/`));
  expect(ours.length).toBeGreaterThan(10);
  const faults = ours.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
  expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});
