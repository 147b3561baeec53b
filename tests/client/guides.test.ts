import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { root } from "../boundary/source.ts";
import { buyByTool } from "../support/agent.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { makeFolder, startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { readPrivateKey } from "../support/wallets.ts";

const run = promisify(execFile);

const service = startPart(startTestService);
// A guide's program finds its packages only if the program's folder is below the project's root.
const folder = await makeFolder(join(root, ".local"));
let text: string;
beforeAll(async () => {
  ({ text } = await publishDemoPress(service));
});

/** Finds a guide's code block by name, and fills in the service's URL and the path of this clone. */
function readCodeBlock(guide: string, name: string): string {
  const page = readFileSync(join(root, "docs/guides", `${guide}.md`), "utf8");
  const [, found] =
    new RegExp(`^\`\`\`\\w+ ${name.replace(".", "\\.")}\\n(.*?)^\`\`\``, "ms").exec(page) ?? [];
  if (found === undefined) throw new Error(`${guide} has no block ${name}.`);
  return found
    .replaceAll("http://localhost:3000", service.origin)
    .replaceAll('"./client/', `"${root}/client/`);
}

const makeSettings = (account: number) => ({
  ...process.env,
  PRESSES_KEY: readPrivateKey(getTestAccount(account)),
  PRESSES_ORIGIN: service.origin,
  PRESSES_STATE: join(folder, String(account)),
});

/** Runs a guide's program with a test account, as a reader of the guide would. */
async function runProgram(guide: string, name: string, account: number): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, readCodeBlock(guide, name));
  const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder, env: makeSettings(account) });
  expect(stderr).toBe("");
  return stdout;
}

test("the guides name only keys of the devnet", () => {
  const named = ["pay-from-a-script", "agent-with-mcp", "publish-from-a-program"].map(
    (guide) => /0x[0-9a-f]{64}/.exec(readFileSync(join(root, "docs/guides", `${guide}.md`), "utf8"))?.[0],
  );
  expect(named).toEqual([6, 7, 8].map(getTestAccount).map(readPrivateKey));
});

const Manifest = z.object({ bin: z.strictObject({ presses: z.string() }) });

test("the guide “pay from a script” works in four ways, each with a separate wallet: the one-line command, our client and both official clients", async () => {
  const guide = "pay-from-a-script";
  const [npx, folderOfCommand, ...args] = readCodeBlock(guide, "command").trim().split(" ");
  // Runs the program that npx would find in the clone, because npx itself takes seconds.
  expect([npx, folderOfCommand]).toEqual(["npx", "."]);
  const { bin } = Manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const [line, client, fetched, axios] = await Promise.all([
    run(process.execPath, [join(root, bin.presses), ...args], { cwd: root, env: makeSettings(6) }),
    runProgram(guide, "buy.ts", 7),
    runProgram(guide, "pay-with-fetch.mjs", 5),
    runProgram(guide, "pay-with-axios.mjs", 4),
  ]);
  expect(line.stdout).toBe(`${text}\n`);
  expect(client).toMatch(/^Paid \d+ base units of USDG\.\n/);
  for (const printed of [client, fetched, axios]) expect(printed).toContain(text);
});

test("with the settings in the guide “clients”, other people's clients can buy a press without changes to their code", async () => {
  const [faremeter, agent] = await Promise.all([
    runProgram("clients", "pay-with-faremeter.mjs", 1),
    runProgram("clients", "agent-with-ai-sdk.mjs", 0),
  ]);
  for (const printed of [faremeter, agent]) expect(printed).toContain(text);
});

const Servers = z.object({
  mcpServers: z.object({
    presses: z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
});

test("the guide “an agent with MCP” works over stdio with its configuration, and over HTTP with its program", async () => {
  const guide = "agent-with-mcp";
  const { command, args, env } = Servers.parse(JSON.parse(readCodeBlock(guide, "stdio.json"))).mcpServers
    .presses;
  // The guide's command belongs to the installed package, which `tests/client/package.test.ts` packs and installs.
  const bin = join(folder, "bin");
  await mkdir(bin);
  await symlink(join(root, "cli/main.ts"), join(bin, "presses"));
  const state = {
    PATH: `${bin}:${process.env.PATH}`,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
    PRESSES_STATE: join(folder, "agent"),
    PRESSES_KEY: readPrivateKey(getTestAccount(3)),
  };
  const server = { command, args, cwd: folder, env: { ...env, ...state }, stderr: "ignore" } as const;
  expect((await buyByTool(server)).content).toEqual([{ type: "text", text }]);
  expect(JSON.parse(readCodeBlock(guide, "http.json"))).toEqual({
    mcpServers: { presses: { url: `${service.origin}/mcp` } },
  });
  expect(await runProgram(guide, "agent.mjs", 2)).toContain(text);
});

test("the guide “publish from a program” publishes a live press", async () => {
  const printed = await runProgram("publish-from-a-program", "publish.ts", 8);
  expect(printed).toMatch(/^saved: .*\naudited: approved, .*\nlive: .*\nPress 1 is at http/);
});
