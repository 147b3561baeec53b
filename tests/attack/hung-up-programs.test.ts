import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Hex, lower } from "../../core/chain/hex.ts";
import { root } from "../boundary/source.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { readByProof, sendAndHangUp } from "../support/hang-up.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { authorize, readBalance } from "../support/payment.ts";
import { makeFolder, startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { makeFundedKey } from "../support/wallets.ts";

/**
 * In these tests our client programs and an agent over MCP lose the connection or die at some moment after they have sent a signed payment.
 * A program that loses its connection has no cookie, and a program that starts again after its death has only the wallet's key.
 */
let press: Awaited<ReturnType<typeof publishDemoPress>>;
let price: bigint;
const funds = 5_000_000n;

const home = await makeFolder();
const service = startPart(startTestService);
beforeAll(async () => {
  press = await publishDemoPress(service);
  price = await makeHttpClient(service.origin).readPrice(press.slug);
});

const legs = ["treasury", "publisher"] as const;
type Leg = (typeof legs)[number];
/** The number of milliseconds after which a program loses its connection or dies. */
const moment = 25;

async function expectOneCharge(key: Hex): Promise<void> {
  const { address } = privateKeyToAccount(key);
  expect(funds - (await readBalance(service, lower(address)))).toBe(price);
}

/** The environment of a process that loses the connection or dies soon after its first payment to the given payee. */
function makeFailingEnvironment(key: Hex, leg: Leg, failure: "hangs up" | "dies") {
  const stop = failure === "dies" ? "process.exit(9)" : "line.abort()";
  const preload = `
    const real = globalThis.fetch;
    let isOver = false;
    globalThis.fetch = (to, init = {}) => {
      const isPayment = new Headers(init.headers).has("payment-signature");
      if (isOver || !isPayment || !String(to).includes("/api/pay/${leg}")) return real(to, init);
      isOver = true;
      const line = new AbortController();
      setTimeout(() => ${stop}, ${moment});
      return real(to, { ...init, signal: AbortSignal.any([line.signal, ...(init.signal ? [init.signal] : [])]) });
    };`;
  return {
    ...makeProgramEnvironment(key),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
  };
}

/** The environment of a process that has its own state folder. */
function makeProgramEnvironment(key: Hex) {
  const state = join(home, randomUUID());
  return {
    PATH: process.env.PATH ?? "",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
    PRESSES_ORIGIN: service.origin,
    PRESSES_KEY: key,
    PRESSES_STATE: state,
  };
}

/** Runs `npx . buy` as a process. Returns the process's output and exit code. */
function buy(env: Readonly<Record<string, string>>) {
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number; readonly out: string }>();
  const args = ["cli/main.ts", "buy", String(press.pressId), "--max-price", "1"];
  const child = execFile(process.execPath, args, { cwd: root, env }, (_, out) =>
    resolve({ code: child.exitCode ?? -1, out }),
  );
  return promise;
}

describe("the command-line program loses its connection or dies", () => {
  test("if the command-line program loses its connection during the payment to the publisher, it still gets the text and is charged once", async () => {
    const key = await makeFundedKey(service, funds);
    const { code, out } = await buy(makeFailingEnvironment(key, "publisher", "hangs up"));
    expect(code).toBe(0);
    expect(out).toContain(press.text.slice(0, 200));
    await expectOneCharge(key);
  });

  test.each(legs)(
    "if the command-line program dies in the %s leg of a purchase and only its key is left, its next run gets the text, and the wallet is charged once",
    async (leg) => {
      const key = await makeFundedKey(service, funds);
      expect((await buy(makeFailingEnvironment(key, leg, "dies"))).code).toBe(9);
      const { code, out } = await buy(makeProgramEnvironment(key));
      expect(code).toBe(0);
      expect(out).toContain(press.text.slice(0, 200));
      await expectOneCharge(key);
    },
  );
});

const Result = z.object({
  isError: z.boolean().optional(),
  content: z.tuple([z.object({ text: z.string() })]),
});

describe("the MCP server over stdio loses its connection or dies", () => {
  test("if the MCP server loses its connection during the payment to the treasury, it still answers the same call with the text, and the wallet is charged once", async () => {
    const key = await makeFundedKey(service, funds);
    const client = new Client({ name: "a test", version: "1" });
    const env = makeFailingEnvironment(key, "treasury", "hangs up");
    const args = [join(root, "cli/main.ts"), "mcp"];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: "inherit" }),
    );
    try {
      const call = { name: "buy_press", arguments: { id: press.pressId, maxPriceUsdg: "1" } };
      const { isError, content } = Result.parse(await client.callTool(call));
      expect([isError, content[0].text]).toEqual([undefined, press.text]);
      await expectOneCharge(key);
    } finally {
      await client.close();
    }
  });
});

const Answer = z.object({
  result: z.object({ isError: z.boolean().optional(), structuredContent: z.looseObject({}) }),
});
const Entry = z.looseObject({ amount: z.string(), payTo: z.templateLiteral(["0x", z.string()]) });
const Offer = z.object({ accepts: z.tuple([Entry]) });
const toolLeg = { treasury: "fee", publisher: "publisher" } as const;

describe("an agent without state calls the MCP endpoint over HTTP and hangs up", () => {
  const makeOrder = (leg: Leg, payment?: unknown) => {
    const order = { id: press.pressId, maxPriceUsdg: 1, leg: toolLeg[leg] };
    const params = { name: "buy_press", arguments: order, _meta: { "x402/payment": payment } };
    return { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  };

  async function call(leg: Leg, payment?: unknown) {
    const { body } = await makeHttpClient(service.origin).ask("/mcp", { body: makeOrder(leg, payment) });
    return Answer.parse(body).result.structuredContent;
  }

  /** Requests the payment terms and signs a payment according to these terms. */
  async function sign(account: PrivateKeyAccount, leg: Leg) {
    const [entry] = Offer.parse(await call(leg)).accepts;
    const { said, signature } = await authorize(account, entry);
    return { x402Version: 2, accepted: entry, payload: { signature, authorization: said } };
  }

  const payAndHangUp = (leg: Leg, payment: unknown) =>
    sendAndHangUp(`${service.origin}/mcp`, {}, makeOrder(leg, payment), moment);

  /** Pays with fresh signatures until an answer reports the result of the payment. */
  async function pay(account: PrivateKeyAccount, leg: Leg) {
    for (let tries = 0; tries < 20; tries += 1) {
      const content = await call(leg, await sign(account, leg));
      if (typeof content.retryAfter !== "number") return content;
      await sleep(content.retryAfter * 250);
    }
    throw new Error("The tool never said how the payment ended.");
  }

  test.each(legs)(
    "if an agent hangs up during the payment to the %s, the tool's next answers tell the agent how to get the text, and the agent's wallet is charged once",
    async (leg) => {
      const key = await makeFundedKey(service, funds);
      const account = privateKeyToAccount(key);
      if (leg === "publisher") expect(await pay(account, "treasury")).toMatchObject({ paid: true });
      await payAndHangUp(leg, await sign(account, leg));
      expect(await pay(account, "treasury")).toMatchObject({ paid: true });
      const paid = await pay(account, "publisher");
      const ways = z.object({
        code: z.literal("already_unlocked"),
        read: z.looseObject({ "sign-in-with-x": z.url() }),
      });
      const text = paid.text ?? (await readByProof(account, ways.parse(paid).read["sign-in-with-x"]));
      expect(text).toBe(press.text);
      await expectOneCharge(key);
    },
  );
});
