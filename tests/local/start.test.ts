import { once } from "node:events";
import { rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { parseEther } from "viem";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { testAccount } from "../../local/devnet/accounts.ts";
import { signIn } from "../../local/seed/client.ts";
import { devnetClient, devnetDirectory } from "../support/devnet.ts";
import { awaitGone, launch, launchInVain } from "../support/start.ts";

// A bound against a start that hangs: several of them are in one test, and each takes as long as the machine lets it.
vi.setConfig({ testTimeout: 300_000 });

let directory = "";
// With a chain that has begun: the contracts are compiled once for all tests.
beforeEach(async () => {
  directory = await devnetDirectory();
});
afterEach(() => rm(directory, { recursive: true }));

const signal = new AbortController().signal;

test("a start by npm says where it is and what to do there, goes on when a second one is refused, and ends when npm does", async () => {
  const { origin, output, processes, end } = await launch({ directory, npm: true });
  expect(origin).toMatch(/^http:\/\/localhost:\d+$/);
  const text = output();
  for (let index = 0; index < 10; index++) expect(text).toContain(testAccount(index).address);
  // The first test account's key, as everybody knows it.
  expect(text).toContain("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
  expect(text).toMatch(/public knowledge/);
  expect(text).toContain(`curl ${origin}/api/presses`);
  expect(text).toContain("Simulated on this machine");
  const running = processes();
  expect(running.length).toBeGreaterThan(1);
  const second = await launchInVain({ directory });
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining("LOCAL_DIR") });
  expect((await fetch(`${origin}/api/presses`)).status).toBe(200);
  // npm hands the signal to a shell, which ends without the service.
  await end("SIGTERM");
  await awaitGone(running);
});

test("kill -9 of the service or of npm leaves no process behind and loses nothing that was answered; --fresh forgets it, and nothing else", async () => {
  const note = join(directory, "note.txt");
  await writeFile(note, "mine");
  const first = await launch({ directory });
  const account = testAccount(9);
  const reader = await signIn({ origin: first.origin, signal }, account);
  const press = {
    headline: "What stays when the power goes",
    stock: "AAPL",
    priceUsdg: 1,
    publisherName: "Tester",
    preview:
      "A draft that is saved before the process is killed must be there when it starts again, word for word.",
    body: "Word ".repeat(160),
  };
  const { id } = await reader.post("/api/press/save", press, z.object({ id: z.int() }));
  const to = testAccount(8).address;
  const chain = devnetClient(first.rpcUrl);
  const before = await chain.getBalance({ address: to });
  const hash = await chain.sendTransaction({ account, to, value: parseEther("1") });
  await chain.waitForTransactionReceipt({ hash });
  const ofFirst = first.processes();
  await first.end("SIGKILL");
  await awaitGone(ofFirst);

  const environment = { PORT: new URL(first.origin).port };
  const second = await launch({ directory, npm: true, environment });
  const again = await signIn({ origin: second.origin, signal }, account);
  expect(await again.post("/api/press/save", { ...press, id }, z.object({ id: z.int() }))).toEqual({ id });
  expect(await devnetClient(second.rpcUrl).getBalance({ address: to })).toBe(before + parseEther("1"));
  const ofSecond = second.processes();
  await second.end("SIGKILL");
  await awaitGone(ofSecond);

  const third = await launch({ directory, flags: ["--no-seed", "--fresh"] });
  const fresh = devnetClient(third.rpcUrl);
  expect(await fresh.getTransactionCount({ address: account.address })).toBe(0);
  expect(await fresh.getBalance({ address: to })).toBe(before);
  expect((await stat(note)).isFile()).toBe(true);
  const ofThird = third.processes();
  expect((await third.end("SIGTERM")).code).toBe(0);
  await awaitGone(ofThird);
});

test("a taken port is named with its setting", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const address = holder.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  try {
    for (const name of ["PORT", "ANVIL_PORT"]) {
      // The second one finds the directory free again.
      const { code, output } = await launchInVain({ directory, environment: { [name]: port } });
      expect(code).toBe(1);
      expect(output).toMatch(new RegExp(`Port ${port} is taken.*Set ${name} `));
    }
  } finally {
    holder.close();
  }
});

test("the demo presses are published once", async () => {
  const first = await launch({ directory, flags: [] });
  // Six presses and their votes take about three times as long as a start.
  const timeout = Math.min(200_000, Math.max(60_000, 20 * first.startMs));
  await expect.poll(first.output, { timeout }).toMatch(/Published 6 demo presses|could not be published/);
  expect(first.output()).toContain("Published 6 demo presses");
  expect(first.output()).toContain("Publishing the demo presses");
  const verdicts = async () => {
    const { presses } = await (await fetch(`${first.origin}/api/presses`)).json();
    return presses.filter(({ auditTx }: { auditTx: string | null }) => auditTx !== null);
  };
  // The auditor's word on a press comes a moment after it.
  await expect.poll(verdicts, { timeout }).toHaveLength(6);
  const shelf = await (await fetch(`${first.origin}/api/presses`)).json();
  expect(shelf.presses).toHaveLength(6);
  expect(new Set(shelf.presses.map(({ stock }: { stock: string }) => stock)).size).toBe(5);
  expect(shelf.presses.map(({ votes }: { votes: object }) => votes)).toContainEqual({ up: 3, down: 0 });
  const running = first.processes();
  expect((await first.end("SIGINT")).code).toBe(0);
  await awaitGone(running);

  const second = await launch({ directory, flags: [] });
  const kept = await (await fetch(`${second.origin}/api/presses`)).json();
  expect(kept).toEqual(shelf);
  await second.end("SIGINT");
  expect(second.output()).not.toMatch(/Publish(ed|ing)/);
});

test("an unknown flag ends with 2 and says what there is", async () => {
  const { code, output } = await launchInVain({ directory, flags: ["--frsh"] });
  expect(code).toBe(2);
  expect(output).toContain("--help");
});

test("--help shows the settings", async () => {
  const { code, output } = await launchInVain({ directory, flags: ["--help"] });
  expect(code).toBe(0);
  expect(output).toContain("ANVIL_PORT");
});
