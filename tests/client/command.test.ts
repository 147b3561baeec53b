import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { privateKeyToAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { run } from "../../cli/program.ts";
import { HashInput } from "../../core/chain/hex.ts";
import { publishers } from "../../local/seed/articles.ts";
import { root } from "../boundary/source.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { makeFolder, startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { giveUsdg } from "../support/wallets.ts";

const home = await makeFolder();
const service = startPart(startTestService);
let press: Awaited<ReturnType<typeof publishDemoPress>>;
beforeAll(async () => {
  press = await publishDemoPress(service, { audited: true });
});

/** A command-line user who has a separate state folder. */
function makeUser(environment: Readonly<Record<string, string>> = {}, state = join(home, randomUUID())) {
  const settings = { PRESSES_ORIGIN: service.origin, PRESSES_STATE: state, ...environment };
  return {
    state,
    settings,
    async runPresses(...args: readonly string[]) {
      const out: string[] = [];
      const err: string[] = [];
      const code = await run(args, {
        environment: settings,
        out: (text) => void out.push(text),
        err: (text) => void err.push(text),
      });
      return { code, out: out.join(""), err: err.join("") };
    },
  };
}

/** A user whose fresh wallet has five dollars of USDG and, by default, nothing else. */
async function makeBuyer({ eth = 0n } = {}) {
  const some = makeUser();
  const { out, code } = await some.runPresses("wallet", "--create", "--json");
  expect(code).toBe(0);
  const { address } = z.object({ address: z.templateLiteral(["0x", z.string()]) }).parse(JSON.parse(out));
  await giveUsdg(service, address, 5_000_000n);
  await service.client.setBalance({ address, value: eth });
  return { ...some, address };
}

/**
 * Runs commands in a separate process. For each command, the process's clock is wrong by the given number of minutes. Returns the output of
 * the commands.
 */
async function runWithWrongClocks(
  commands: readonly (readonly [minutes: number, environment: object, args: readonly string[]])[],
): Promise<string> {
  const program = `
    const now = Date.now;
    let wrong = 0;
    Date = class extends Date {
      constructor(...of) { of.length === 0 ? super(Date.now()) : super(...of); }
      static now() { return now() + wrong * 60_000; }
    };
    const { run } = await import(${JSON.stringify(join(root, "cli/program.ts"))});
    const [out, err] = [process.stdout, process.stderr].map((stream) => (text) => stream.write(text));
    for (const [minutes, environment, args] of ${JSON.stringify(commands)}) {
      wrong = minutes;
      await run(args, { environment, out, err });
    }`;
  const command = ["--input-type=module", "--eval", program];
  return (await promisify(execFile)(process.execPath, command, { cwd: root })).stdout;
}

test("a machine whose clock is twenty minutes slow or fast can buy and read a press", async () => {
  const [slow, fast] = [await makeBuyer(), await makeBuyer()];
  const commands = ["buy", "read"].flatMap((command) => [
    [-20, slow.settings, [command, press.slug]] as const,
    [20, fast.settings, [command, press.slug]] as const,
  ]);
  expect(await runWithWrongClocks(commands)).toBe(`${press.text}\n`.repeat(4));
});

// The file guides.test.ts runs the program that `npx .` would start, in a separate process.
test("a purchase by a fresh wallet with only USDG prints the text and stores the receipts", async () => {
  const { runPresses } = await makeBuyer();
  const { out: text, err } = await runPresses("buy", String(press.pressId), "--max-price", "1");
  expect(text).toBe(`${press.text}\n`);
  expect(err).toMatch(/The fee leg is paid: 0x[\s\S]*The publisher leg is paid: 0x[\s\S]*Paid 0\.\d+ USDG\./);
  const again = await runPresses("buy", press.slug);
  expect(again).toMatchObject({ code: 0, out: `${press.text}\n` });
  expect(again.err).toContain("Nothing was charged now.");
  expect(await runPresses("read", press.slug)).toEqual({ code: 0, out: `${press.text}\n`, err: "" });
  const { out } = await runPresses("history", "--json");
  const Kept = z.object({
    receipts: z.array(z.object({ leg: z.string(), settled: z.object({ transaction: HashInput }) })),
  });
  const { receipts } = Kept.parse(JSON.parse(out));
  expect(receipts.map(({ leg }) => leg)).toEqual(["fee", "publisher"]);
  expect(out).not.toContain("signature");
  const [fee, rest] = receipts.map(({ settled }) => settled.transaction);
  const told = (await runPresses("history")).out;
  for (const line of ["bought for", ` ${fee}\n`, ` ${rest}\n`]) expect(told).toContain(line);
  const shown = await runPresses("receipt", rest ?? "");
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out).toMatch(/^\S+Z {2}publisher leg of press 0, paid by 0x[0-9a-fA-F]{40}: verified\n$/);
  expect(JSON.parse((await runPresses("receipt", fee ?? "", "--json")).out)).toMatchObject({
    receipts: [{ leg: "fee", pressId: press.pressId, receipt: { format: "eip712" } }],
  });
  // Without a key, the command shows every receipt. With a key, the command shows only the receipts of payments made by that key, unless
  // `--all` is given.
  expect(await makeUser().runPresses("receipt", rest ?? "")).toEqual(shown);
  const { runPresses: runAsOther } = makeUser({ PRESSES_KEY: `0x${"11".repeat(32)}` });
  expect(await runAsOther("receipt", rest ?? "")).toMatchObject({ code: 7, out: "" });
  expect(await runAsOther("receipt", rest ?? "", "--all")).toEqual(shown);
});

test("a wallet that has approved Permit2 by the command line buys a press by Permit2", async () => {
  const { runPresses } = await makeBuyer({ eth: 10n ** 17n });
  const buy = () => runPresses("buy", "0", "--method", "permit2");
  expect(await buy()).toMatchObject({ code: 3, err: expect.stringContaining("presses approve") });
  expect((await runPresses("approve")).out).toMatch(/transaction 0x[0-9a-f]{64}\n$/);
  expect(await buy()).toMatchObject({ code: 0, out: `${press.text}\n` });
});

test("a dry run of a purchase shows who would be paid, and signs nothing", async () => {
  const { runPresses, state } = await makeBuyer();
  const dry = await runPresses("buy", "0", "--dry-run");
  expect(dry.code).toBe(0);
  expect(dry.out).toMatch(
    /fee +0\.\d+ USDG to 0x[\s\S]+publisher +0\.\d+ USDG to 0x[\s\S]+Nothing was signed or charged\./,
  );
  expect((await runPresses("vote", "0", "up", "--dry-run")).out).toContain("Nothing was sent.");
  expect(await readdir(state)).toEqual(["key"]);
});

test("the command line lists, searches and shows presses without a key, for people and as JSON", async () => {
  const { runPresses } = makeUser();
  const [word = ""] = press.slug.split("-");
  for (const args of [["list"], ["list", "--stock", "aapl", "--limit", "5"], ["search", word]]) {
    expect(await runPresses(...args)).toMatchObject({ code: 0, out: expect.stringContaining(" USDG ") });
    const { out } = await runPresses(...args, "--json");
    expect(JSON.parse(out)).toMatchObject({ presses: [{ pressId: press.pressId }] });
  }
  expect((await runPresses("search", "no", "such", "words")).out).toBe("No presses.\n");
  expect((await runPresses("show", "0")).out).toMatch(/Audit +approve, \d+ of 100/);
  expect(JSON.parse((await runPresses("show", press.slug, "--json")).out)).toMatchObject({ body: null });
});

test("each kind of outcome of a command has a separate exit code", async () => {
  const { runPresses, settings } = await makeBuyer();
  const ends = [
    [["--help"], 0],
    [["bay", "0"], 2],
    [["buy"], 2],
    [["buy", "0", "--method", "cash"], 2],
    [["buy", "0", "--max-price", "cheap"], 2],
    [["vote", "0", "sideways"], 2],
    [["list", "--limit", "0"], 2],
    [["publish", join(home, "nothing.json")], 2],
    [["show", "no-such-press"], 3],
    [["buy", "999"], 3],
    [["buy", "0", "--max-price", "0.01"], 3],
    [["buy", "0", "--method", "permit2"], 3],
    [["read", press.slug], 3],
    [["receipt", "0x17"], 2],
    [["receipt", `0x${"7".repeat(64)}`], 3],
    [["list", "--origin", "http://localhost:1"], 4],
  ] as const;
  for (const [args, code] of ends) expect([args, (await runPresses(...args)).code]).toEqual([args, code]);

  const refused = await runPresses("buy", "0", "--max-price", "0.01", "--json");
  expect(JSON.parse(refused.err)).toMatchObject({ code: "price_above_cap", money: "none" });
  expect(refused.out).toBe("");

  // The service is unreachable when the second payment is sent, and a repeat of the same command finishes the purchase.
  const { fetch } = globalThis;
  async function buyWithAnswer(answerPayment: (send: () => Promise<Response>) => Promise<Response>) {
    globalThis.fetch = (input, init) => {
      const send = () => fetch(input, init);
      const isPaid =
        new Headers(init?.headers).has("payment-signature") && String(input).includes("publisher");
      return isPaid ? answerPayment(send) : send();
    };
    return runPresses("buy", "0").finally(() => {
      globalThis.fetch = fetch;
    });
  }
  const half = await buyWithAnswer(async () =>
    Response.json({ code: "invalid", error: "No." }, { status: 402 }),
  );
  expect(half).toMatchObject({ code: 5, out: "" });
  expect(half.err).toContain("sends the same signature and signs nothing new");
  expect(await runPresses("buy", "0", "--origin", "http://localhost:1")).toMatchObject({ code: 5 });
  expect((await runPresses("buy", "0", "--dry-run")).out).toMatch(/publisher .*, signed earlier\n/);
  // The service charges the payment, and says that the wallet had the press already.
  const denied = await buyWithAnswer(async (send) => {
    await send();
    return Response.json({ code: "already_unlocked", error: "No." }, { status: 409 });
  });
  expect([denied.code, denied.err.includes("may still be charged")]).toEqual([0, true]);
  expect(denied.err).not.toContain("Nothing was charged");
  expect(await makeUser({}, settings.PRESSES_STATE).runPresses("buy", "0")).toMatchObject({ code: 0 });
});

test("the command line reads a key from the environment or a private file, and never shows the key", async () => {
  const key = `0x${"5".repeat(64)}` as const;
  const { address } = privateKeyToAccount(key);
  const { runPresses, state } = makeUser({ PRESSES_KEY: key });
  const shown = await runPresses("wallet");
  expect(shown.out).toBe(`${address}\n0 USDG, 0 ETH\n`);
  expect(await makeUser().runPresses("wallet")).toMatchObject({
    code: 3,
    err: expect.stringContaining("no_key"),
  });
  const wrong = await makeUser({ PRESSES_KEY: `${key}00` }).runPresses("wallet");
  expect(wrong.err).toContain("invalid_key");
  expect(wrong.err + shown.err).not.toContain("55555");

  const created = await runPresses("wallet", "--create");
  expect(created.code).toBe(0);
  const file = join(state, "key");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const made = await readFile(file, "utf8");
  // People send money to the printed address.
  const digits = z.templateLiteral(["0x", z.string()]).parse(made.trim());
  expect(created.out).toBe(`${privateKeyToAccount(digits).address}\n0 USDG, 0 ETH\n`);
  expect(created.err).toContain("PRESSES_KEY is set");
  expect((await runPresses("wallet", "--create")).err).toContain("key_exists");
  expect(await readFile(file, "utf8")).toBe(made);
  expect((await runPresses("wallet", "--key-file", file)).out).toContain("0 USDG");
  await chmod(file, 0o644);
  expect((await runPresses("wallet", "--key-file", file)).err).toContain("open_key");
});

test("an empty environment variable counts as not set", async () => {
  const XDG_STATE_HOME = join(home, randomUUID());
  const empty = { PRESSES_KEY: "", PRESSES_KEY_FILE: "", PRESSES_RPC_URL: "", PRESSES_STATE: "" };
  const { runPresses } = makeUser({ ...empty, XDG_STATE_HOME });
  expect(await runPresses("wallet", "--create")).toMatchObject({ code: 0 });
  expect(await readdir(join(XDG_STATE_HOME, "presses"))).toEqual(["key"]);
});

test("the command line publishes a draft from a file, and another wallet votes on the press", async () => {
  const [other] = publishers.flatMap(({ articles }) => articles).slice(1);
  const file = join(home, "draft.json");
  await writeFile(file, JSON.stringify({ ...other, publisherName: "A program" }));
  const { runPresses } = await makeBuyer({ eth: 10n ** 17n });
  expect((await runPresses("publish", file, "--dry-run")).out).toContain("Nothing was sent.");
  const live = await runPresses("publish", file);
  expect(live).toMatchObject({ code: 0, out: expect.stringMatching(/^Live as press 1: http/) });
  expect(live.err).toContain("audited: approved");
  const body = `${other?.body}\n\nBuy AAPL now: it is guaranteed to double, you cannot lose.`;
  await writeFile(file, JSON.stringify({ ...other, body, publisherName: "A program" }));
  expect(await runPresses("publish", file)).toMatchObject({
    code: 3,
    err: expect.stringContaining("not_approved"),
  });

  expect(await runPresses("confirm", "one", "0x12")).toMatchObject({
    code: 2,
    err: expect.stringContaining("invalid_draft"),
  });
  expect(await runPresses("confirm", "1", "0x12")).toMatchObject({
    code: 2,
    err: expect.stringContaining("invalid_transaction"),
  });

  await writeFile(file, JSON.stringify({ ...other, headline: "Short", preview: "Short" }));
  const { code, err } = await runPresses("publish", file);
  expect([code, err.includes("headline: "), err.includes("; preview: ")]).toEqual([3, true, true]);

  const reader = await makeBuyer({ eth: 10n ** 17n });
  const voted = await reader.runPresses("vote", "1", "down", "--tag", "biased", "--json");
  expect(JSON.parse(voted.out)).toMatchObject({ votes: { up: 0, down: 1 }, tags: { biased: 1 } });
  const poor = await makeBuyer();
  expect(await poor.runPresses("vote", "1", "up")).toMatchObject({
    code: 3,
    err: expect.stringContaining("transaction_refused"),
  });
});

test("other people's text cannot control the terminal, in plain output or in JSON", async () => {
  const { fetch } = globalThis;
  const steering = "\u001b[2J\u202e\u009b2J";
  let status = 200;
  globalThis.fetch = async (input, init) => {
    const text = await (await fetch(input, init)).text();
    const hostile = text.replaceAll('"headline":"', `"headline":${JSON.stringify(steering).slice(0, -1)}`);
    return status === 200
      ? new Response(hostile)
      : new Response(JSON.stringify({ error: steering, code: steering }), { status });
  };
  try {
    const told = await makeUser().runPresses("list");
    const json = await makeUser().runPresses("list", "--json");
    expect(told.out).toContain("[2J");
    const { presses } = z.object({ presses: z.array(z.looseObject({})) }).parse(JSON.parse(json.out));
    expect(presses[0]).toMatchObject({ headline: expect.stringContaining(steering) });
    status = 400;
    const refused = [await makeUser().runPresses("list"), await makeUser().runPresses("list", "--json")];
    expect(refused.map(({ err }) => err)).toMatchObject([
      expect.stringContaining("[2J"),
      expect.stringContaining("[2J"),
    ]);
    for (const { out, err } of [told, json, ...refused]) {
      expect((out + err).replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
    }
  } finally {
    globalThis.fetch = fetch;
  }
});
