import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "../../core/chain/hex.ts";
import { read as detail, list } from "../../functions/http/press.ts";
import { handler } from "../../functions/http/votes-record.ts";
import { testAccount } from "../../local/devnet/accounts.ts";
import { register } from "../core/mint/works.ts";
import { publish } from "../core/press/newsroom.ts";
import { calldata, reputationRegistry } from "../core/vote/polls.ts";
import { devnetClient, startTestDevnet, type TestDevnet } from "../support/devnet.ts";
import type { TestTable } from "../support/table.ts";
import { call, requestId } from "./lib/call.ts";
import { roomOf } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const [owner, reader, other] = [testAccount(1), testAccount(2), testAccount(3)];

let devnet: TestDevnet;
let chainStopped: Promise<void> | undefined;
const stopChain = () => {
  chainStopped ??= devnet.stop();
  return chainStopped;
};
let stored: TestTable;
let press: { readonly id: number; readonly slug: string };
const [pressId, unlisted] = [0, 1];

beforeAll(async () => {
  devnet = await startTestDevnet();
  stored = await startStage({ CHAIN_RPC_URL: devnet.rpcUrl });
  await register(devnet, owner, "https://news.example/api/meta/1");
  await register(devnet, owner, "https://news.example/api/meta/2");
  press = await publish(roomOf(stored.table), pressId);
});
afterAll(async () => {
  await Promise.all([stopChain(), stored.stop()]);
});

async function vote(
  account: typeof reader,
  agentId: number,
  said?: Parameters<typeof calldata>[1],
): Promise<Hex> {
  const client = devnetClient(devnet.rpcUrl);
  const data = calldata(agentId, said);
  const { transactionHash } = await client.sendTransactionSync({ account, to: reputationRegistry, data });
  return transactionHash;
}

const record = (txHash: unknown) => call(handler, "votes-record", { body: { txHash } });

test("anybody registers a confirmed vote, from any page, and the list and the press show it", async () => {
  const txHash = await vote(reader, pressId, { tag: "well-sourced" });
  const headers = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
  const answer = await call(handler, "votes-record", { body: { txHash }, headers });
  const votes = { votes: { up: 1, down: 0 }, tags: { "well-sourced": 1 } };
  expect(answer).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
  expect(answer.body).toEqual(votes);

  const shown = await call(detail, "press", { path: { slug: press.slug } });
  expect(shown).toMatchObject({ status: 200, body: { press: votes } });
  expect(await call(list, "presses")).toMatchObject({ status: 200, body: { presses: [votes] } });

  const changed = await vote(reader, pressId, { value: -1n, tag: "nonsense" });
  expect((await record(changed)).body).toEqual({ votes: { up: 0, down: 1 }, tags: {} });
  const { body } = await call(detail, "press", { path: { slug: press.slug } });
  expect(body).toMatchObject({ press: { votes: { up: 0, down: 1 } } });
  expect(JSON.stringify(body)).toContain('"tags":{}');
});

describe("it is refused", () => {
  test.each([
    ["nothing", {}, "txHash"],
    ["a short hash", { txHash: "0x12" }, "txHash"],
    ["a number", { txHash: 12 }, "txHash"],
  ])("with 400 for %s", async (_, body, path) => {
    const answer = await call(handler, "votes-record", { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input", issues: [{ path }] } });
  });

  test("with 400 and a time to come again for a transaction that is not confirmed", async () => {
    const answer = await record(`0x${"12".repeat(32)}`);
    expect(answer).toMatchObject({
      status: 400,
      headers: { "retry-after": "1" },
      body: { code: "transaction_unconfirmed", retryAfter: 1, requestId },
    });
  });

  test("with 400 for a transaction that is no vote, and for a value that is not 1 or -1", async () => {
    const { transactionHash } = await devnetClient(devnet.rpcUrl).sendTransactionSync({
      account: other,
      to: reader.address,
    });
    expect(await record(transactionHash)).toMatchObject({ status: 400, body: { code: "not_a_vote" } });
    const loud = await vote(other, pressId, { value: 2n });
    expect(await record(loud)).toMatchObject({ status: 400, body: { code: "invalid_vote_value" } });
  });

  test("with 404 for a press that is not listed", async () => {
    const txHash = await vote(other, unlisted);
    expect(await record(txHash)).toMatchObject({ status: 404, body: { code: "unknown_press" } });
  });

  test("with 503 and a time to come again while the chain cannot be reached", async () => {
    const txHash = await vote(other, pressId);
    await stopChain();
    expect(await record(txHash)).toMatchObject({
      status: 503,
      headers: { "retry-after": "2" },
      body: { code: "chain_unavailable" },
    });
  });
});
