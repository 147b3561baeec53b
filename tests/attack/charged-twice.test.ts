import type { HDAccount } from "viem/accounts";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../core/adapter/system.ts";
import { type Hex, lower } from "../../core/chain/hex.ts";
import { settleCalldata } from "../../core/chain/permit2.ts";
import { filings } from "../../local/seed/article/filings.ts";
import { signIn } from "../../local/seed/client.ts";
import { publish } from "../../local/seed/publish.ts";
import { Terms } from "../functions/lib/visitor.ts";
import { devnetClient } from "../support/devnet.ts";
import { type Door, startDoor } from "../support/door.ts";
import { hidden, hider, placeHider } from "../support/hider.ts";
import { transfers } from "../support/ledger.ts";
import {
  approve,
  exactProxy,
  headerFor,
  permitFor,
  send,
  signPermit,
  testAccount,
  usdg,
} from "../support/payment.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** What the parts of a press for 0.25 USDG cost. */
const parts = { treasury: 25_000n, publisher: 225_000n } as const;
const [issuer, stranger] = [testAccount(0), testAccount(1)];

let service: TestService;
let door: Door;
let client: ReturnType<typeof devnetClient>;
let pressId: number;

beforeAll(async () => {
  service = await startTestService({
    detours: {
      chain: async (node) => {
        door = await startDoor(node);
        return door.endpoint;
      },
    },
  });
  client = devnetClient(service.rpcUrl);
  await placeHider(service.rpcUrl);
  const account = testAccount(4);
  const publisher = await signIn({ origin: service.origin, signal: AbortSignal.timeout(30_000) }, account);
  const article = { ...filings, priceUsdg: 0.25 };
  ({ pressId } = await publish(
    { client: publisher, account, publisherName: "P", rpcUrl: service.rpcUrl },
    article,
  ));
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await service.stop();
  await door.stop();
});

/** Time passes, for the chain and for the service. */
async function wait(seconds: number): Promise<void> {
  await client.increaseTime({ seconds });
  const ahead = systemClock.now() + seconds * 1000 - Date.now();
  vi.spyOn(systemClock, "now").mockImplementation(() => Date.now() + ahead);
}

async function request(leg: keyof typeof parts, header?: string) {
  const response = await fetch(`${service.origin}/api/pay/${leg}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(header !== undefined && { "payment-signature": header }),
    },
    body: JSON.stringify({ pressId }),
  });
  const body: unknown = await response.json();
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body };
}

/** A payment for the leg's terms of now: its header, and the call by which anybody can settle it. */
async function signed(account: HDAccount, leg: keyof typeof parts) {
  const [entry] = Terms.parse((await request(leg)).body).accepts;
  const deadline = BigInt(Math.floor(systemClock.now() / 1000) + 300);
  const permit = permitFor(account, entry, { deadline });
  const signature = await signPermit(account, permit);
  return { permit, header: headerFor(entry, permit, signature), call: settleCalldata(permit, signature) };
}

/** A reader who has paid the fee. */
async function reader(index: number) {
  const account = testAccount(index);
  await approve({ client }, account);
  const fee = await request("treasury", (await signed(account, "treasury")).header);
  expect(fee.status).toBe(200);
  return { account, wallet: lower(account.address) };
}

const pause = (paused: boolean) =>
  send(
    { client },
    issuer,
    usdg,
    encodeFunctionData({
      abi: parseAbi(["function pause()", "function unpause()"]),
      functionName: paused ? "pause" : "unpause",
    }),
  );

/** Our settlement of this payment reverts: the token is paused for a moment. Everybody has seen the permit then. */
async function reverted(payment: Awaited<ReturnType<typeof signed>>): Promise<void> {
  door.before("eth_sendRawTransactionSync", () => pause(true));
  const answer = await request("publisher", payment.header);
  expect(answer).toMatchObject({ status: 402, body: { code: "permit2_simulation_failed" } });
  await pause(false);
}

const settle = (call: Hex) => send({ client }, stranger, exactProxy, call);
const settleHidden = (call: Hex) => send({ client }, stranger, hider, hidden(call));

/** USDG that the wallet has paid for the press's text. */
async function charged(wallet: Hex): Promise<readonly bigint[]> {
  const moved = await transfers({ client }, { from: wallet });
  return moved.map(({ value }) => value).filter((value) => value === parts.publisher);
}

describe("a settlement of ours reverts, its permit lives, and somebody settles it later", () => {
  test("through a contract that hides the nonce: a fresh payment is not charged, and gets the text", async () => {
    const { account, wallet } = await reader(5);
    const payment = await signed(account, "publisher");
    await reverted(payment);
    const { transactionHash } = await settleHidden(payment.call);
    const answer = await request("publisher", (await signed(account, "publisher")).header);
    expect(await charged(wallet)).toEqual([parts.publisher]);
    expect(answer).toMatchObject({ status: 200, body: { tx: transactionHash, body: filings.body } });
  });

  test("and 10,001 blocks pass: a fresh payment is not charged, and gets the text", async () => {
    const { account, wallet } = await reader(6);
    const payment = await signed(account, "publisher");
    await reverted(payment);
    const { transactionHash } = await settle(payment.call);
    await door.leap(10_001);
    await wait(1_001);
    const answer = await request("publisher", (await signed(account, "publisher")).header);
    expect(await charged(wallet)).toEqual([parts.publisher]);
    expect(answer).toMatchObject({ status: 200, body: { tx: transactionHash, body: filings.body } });
  });
});
