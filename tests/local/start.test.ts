import { once } from "node:events";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { parseEther } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { type Press, PressList } from "../../core/press/schema.ts";
import { findFreePort } from "../../local/database/index.ts";
import {
  awaitReceipt,
  type DemoReporter,
  makePayingFetch,
  makeRelayClient,
  playDemo,
  playPublisher,
} from "../../local/demo/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { askingPrice } from "../../local/seed/articles.ts";
import { signIn } from "../../local/seed/client.ts";
import { makeDevnetDirectory, openDevnetClient } from "../support/devnet.ts";
import { launch, launchFailing, type StartedService } from "../support/start.ts";

// The time limit is long, because a test starts the service several times and the duration of a start depends on the machine. The time
// limit is there only to stop a start that hangs.
vi.setConfig({ testTimeout: 1_800_000 });

/**
 * All tests share this directory. The tests start one service after another in this directory, because a new start with demo presses takes
 * seconds.
 */
let directory = "";
/** The TCP port of a service whose sessions are restored by a later service. */
let environment: { readonly PORT: string };
// All tests copy the data of a started chain, so that the contracts are compiled only once.
beforeAll(async () => {
  directory = await makeDevnetDirectory();
  environment = { PORT: String(await findFreePort()) };
});
afterAll(() => rm(directory, { recursive: true }));

const signal = new AbortController().signal;
const account = getTestAccount(9);
const saved = { ...askingPrice, publisherName: "Tester" };
const Saved = z.object({ id: z.int() });

async function readList(origin: string): Promise<readonly Press[]> {
  return PressList.parse(await (await fetch(`${origin}/api/presses`)).json()).presses;
}

/** The list of presses before the latest stop of the service. */
let shelf: readonly Press[];
/** The values that the demo returned about the press that it published and bought. */
let played: Awaited<ReturnType<typeof playDemo>>;

/**
 * Waits until the list shows the auditor's verdict on each press, and until `isLate` returns `false` for each press in the list. The
 * verdict comes shortly after the press goes live, or three minutes later if the verdict's worker fails once.
 */
async function awaitList(origin: string, isLate: (press: Press) => boolean = () => false): Promise<void> {
  const listLatePresses = async () =>
    (await readList(origin)).filter((press) => press.auditTx === null || isLate(press));
  await expect.poll(listLatePresses, { timeout: 240_000 }).toEqual([]);
  shelf = await readList(origin);
}

const silent: DemoReporter = { part: () => undefined, step: () => undefined, text: () => undefined };

/** Runs the demo as `npm run demo` does, and waits until the list shows every demo press. */
async function runDemo(origin: string): Promise<void> {
  const steps: (readonly [what: string, detail: string])[] = [];
  const texts: string[] = [];
  played = await playDemo(
    { origin, signal },
    {
      ...silent,
      step: (what, detail) => what !== "" && steps.push([what, detail]),
      text: (text) => texts.push(text),
    },
  );
  expect(steps.map(([what]) => what)).toEqual([
    "Devnet account 8",
    "Signed in",
    "Saved a draft",
    "Audited",
    "Minted",
    "Live",
    "A new wallet",
    "Preview",
    "Approved Permit2",
    "Paid the platform fee",
    "Paid the publisher",
    "Read again",
    "Bought again?",
    "Voted",
    "History",
    // A wallet without ETH pays with signed authorizations for USDG's own transfer.
    "A new wallet",
    "Paid the platform fee",
    "Paid the publisher",
    "Reads",
  ]);
  const findDetail = (step: string) => steps.find(([what]) => what === step)?.[1];
  expect(findDetail("Paid the platform fee")).toContain("0.025 USDG");
  expect(findDetail("Paid the publisher")).toContain("0.225 USDG");
  expect(findDetail("Voted")).toBe("1 up, 0 down, insightful");
  expect(findDetail("History")).toBe("1 unlock, 1 vote");
  expect(texts.join()).toContain("A careful reader therefore asks three things.");
  const { slug } = played.press;
  await awaitList(origin, (press) => press.slug === slug && (press.reads < 2 || press.votes.up < 1));
}

/** Expects that a later start has restored every press, and publishes no demo press again. */
async function expectSameList({ origin, output }: StartedService): Promise<void> {
  expect(await readList(origin)).toEqual(shelf);
  expect(output()).not.toMatch(/Publish(ed|ing)/);
}

/** Expects that a later start has restored every press and the reader's session and payments, and that nothing is charged twice. */
async function expectRestored(next: StartedService): Promise<void> {
  const { origin } = next;
  const { press, purchase } = played;
  await expectSameList(next);
  expect(shelf.find(({ slug }) => slug === press.slug)).toMatchObject({ pressId: press.pressId, reads: 2 });
  const read = await fetch(`${origin}/api/presses/${press.slug}`, { headers: { cookie: purchase.cookie } });
  expect(await read.json()).toMatchObject({ unlocked: true, body: purchase.text });
  for (const hash of purchase.transactions) await awaitReceipt(makeRelayClient(origin), hash);
  const again = await makePayingFetch(purchase.account)(`${origin}/api/pay/publisher`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pressId: press.pressId }),
  });
  expect(again.status).toBe(409);
  expect(await again.json()).toMatchObject({ code: "already_unlocked" });
  expect(next.output()).not.toMatch(/Publish(ed|ing)/);
}

test("a service that npm starts prints its address, publishes the demo presses, keeps running when a second start is refused, and ends when npm gets SIGTERM", async () => {
  const { origin, output, processes, startMs, end } = await launch({
    directory,
    npm: true,
    flags: [],
    environment,
  });
  expect(origin).toMatch(/^http:\/\/localhost:\d+$/);
  const text = output();
  for (let index = 0; index < 10; index++) expect(text).toContain(getTestAccount(index).address);
  // The publicly known private key of the first test account.
  expect(text).toContain("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
  expect(text).toMatch(/public knowledge/);
  expect(text).toContain(`curl ${origin}/api/presses`);
  expect(text).toContain("Simulated on this machine");
  expect(processes().length).toBeGreaterThan(1);
  const second = await launchFailing({ directory });
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining("LOCAL_DIR") });

  // Publishing six presses and voting on them takes about three times as long as a start.
  const timeout = Math.min(200_000, Math.max(60_000, 20 * startMs));
  await expect.poll(output, { timeout }).toMatch(/Published 6 demo presses|could not be published/);
  expect(output()).toContain("Published 6 demo presses");
  await awaitList(origin);
  expect(shelf).toHaveLength(6);
  expect(new Set(shelf.map(({ stock }) => stock)).size).toBe(5);
  expect(shelf.map(({ votes }) => votes)).toContainEqual({ up: 3, down: 0 });
  // npm passes the signal to a shell, which ends without ending the service.
  await end("SIGTERM");
});

let draft: number;
let balance: bigint;
const to = getTestAccount(8).address;

test("after an orderly stop, every press and the chain are restored, no demo press is published again, and the demo can be played", async () => {
  const next = await launch({ directory, flags: [], environment });
  await expectSameList(next);
  const chain = openDevnetClient(next.rpcUrl);
  const { address } = getTestAccount(4);
  expect(await chain.getTransactionCount({ address })).toBeGreaterThan(0);
  await runDemo(next.origin);
  expect(shelf).toHaveLength(7);
  await expectSameList(next);
  const reader = await signIn({ origin: next.origin, signal }, account);
  balance = await chain.getBalance({ address: to });
  await chain.sendTransactionSync({ account, to, value: parseEther("1") });
  draft = (await reader.post("/api/press/save", saved, Saved)).id;
  await next.end("SIGKILL");
});

test("after a kill -9, every press, session, payment and answered write is restored, and the demo's publisher can publish again; a kill -9 of the service and of npm leaves no process behind", async () => {
  const next = await launch({ directory, npm: true, flags: [], environment });
  await expectRestored(next);
  const again = await signIn({ origin: next.origin, signal }, account);
  expect(await again.post("/api/press/save", { ...saved, id: draft }, Saved)).toEqual({ id: draft });
  expect(await openDevnetClient(next.rpcUrl).getBalance({ address: to })).toBe(balance + parseEther("1"));
  // On a busy machine, an audit may take longer than the function's time limit. In this case the gateway answers with 500, as API Gateway
  // does.
  const play = () => playPublisher({ origin: next.origin, signal }, makeRelayClient(next.origin), silent);
  await play().catch((error: unknown) => {
    if (!String(error).includes("/api/press/audit answered with 500")) throw error;
    return play();
  });
  expect(await readList(next.origin)).toHaveLength(8);
  await next.end("SIGKILL");
});

test("the flag --fresh deletes only the service's own data in its folder, and Ctrl-C shuts the service down cleanly", async () => {
  const [note, index] = [join(directory, "note.txt"), join(directory, "search", "presses.db")];
  await writeFile(note, "mine");
  await mkdir(dirname(index), { recursive: true });
  await writeFile(index, "presses that no longer exist");
  const fresh = await launch({ directory, flags: ["--no-seed", "--fresh"] });
  expect(await readList(fresh.origin)).toEqual([]);
  expect(await openDevnetClient(fresh.rpcUrl).getTransactionCount({ address: account.address })).toBe(0);
  expect((await stat(note)).isFile()).toBe(true);
  await expect(stat(index)).rejects.toThrow("ENOENT");
  expect((await fresh.end("SIGINT")).code).toBe(0);
});

test("a start on a taken port fails, and the message names the port and the port's setting", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const address = holder.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  try {
    for (const name of ["PORT", "ANVIL_PORT"]) {
      // The second start must find that the directory is not in use any more.
      const { code, output } = await launchFailing({ directory, environment: { [name]: port } });
      expect(code).toBe(1);
      expect(output).toMatch(new RegExp(`Port ${port} is taken.*Set ${name} `));
    }
  } finally {
    holder.close();
  }
});

test("an unknown flag ends the program with code 2 and lists the known flags", async () => {
  const { code, output } = await launchFailing({ directory, flags: ["--frsh"] });
  expect(code).toBe(2);
  expect(output).toContain("--help");
});
