import { describe, expect, test } from "vitest";
import { openChain } from "../../../core/adapter/chain/index.ts";
import { type Hex, HexInput, lower } from "../../../core/chain/hex.ts";
import { post, type VerdictPorts } from "../../../core/verdict/index.ts";
import { startNodeProxy } from "../../support/door.ts";
import {
  actBefore,
  alterNode,
  changeResults,
  loseAnswers,
  loseStoreAnswers,
  raiseGasPrice,
  refuseCalls,
  skipWaits,
  withholdCalls,
} from "../../support/interference.ts";
import { startPart } from "../../support/provide.ts";
import { deleteExpired } from "../../support/table.ts";
import { publisher } from "../mint/works.ts";
import { makeLaterPorts } from "./crashing-ports.ts";
import { auditor, auditorAccount, listVerdicts, makeLivePress, readAuditTx, startDesk } from "./desk.ts";

const desk = startPart(startDesk);

/** Ports whose node receives no transaction. */
const makeMutePorts = () => withholdCalls(skipWaits(desk.ports), /^eth_send/);

/** Ports whose node executes transactions but loses the answers to the broadcasts. */
const makeDeafPorts = () => loseAnswers(skipWaits(desk.ports), /^eth_(send|getTransactionReceipt)/);

/** Reads the outbox's transaction that posts the verdict on the given press. */
async function readStored(id: number) {
  const { verdict, transaction } = desk.room.table.entities;
  const { data: sent } = await verdict.get({ id }).go({ consistent: true });
  const { data } = await transaction.get({ id: sent?.transaction ?? "" }).go({ consistent: true });
  if (sent?.state !== "sent" || data === null) throw new Error(`No verdict on press ${id} is under way`);
  return data;
}

/** Makes a press whose verdict is signed and stored, but has not reached the chain. */
async function storeVerdict() {
  const press = await makeLivePress(desk);
  await expect(post(makeMutePorts(), press)).rejects.toMatchObject({ code: "verdict_pending" });
  expect(await listVerdicts(desk, press.agentId)).toEqual([]);
  return press;
}

async function expectVerdict({ id, agentId }: { readonly id: number; readonly agentId: number }) {
  const verdicts = await listVerdicts(desk, agentId);
  expect(verdicts.map(({ txHash }) => txHash)).toEqual([await readAuditTx(desk, id)]);
  const { data } = await desk.room.table.entities.relayer.get({ address: auditor }).go({ consistent: true });
  expect(data).toEqual({
    address: auditor,
    nextNonce: await desk.client.getTransactionCount({ address: auditor }),
  });
}

test("if a verdict's transaction was stored but not sent, the same transaction is sent later, even after an outage of three days", async () => {
  const press = await storeVerdict();
  const { hashes } = await readStored(press.id);
  expect(hashes).toHaveLength(1);
  await deleteExpired(desk.storage, Date.now() + 3 * 24 * 60 * 60_000);
  expect(await post(desk.ports, press)).toEqual({ status: "posted", txHash: hashes[0] });
  await expectVerdict(press);
});

test("a verdict whose transaction was stored is posted once, even if the table's answer was lost", async () => {
  const press = await makeLivePress(desk);
  await expect(post(loseStoreAnswers(desk.ports), press)).rejects.toMatchObject({ code: "auditor_busy" });
  const { hashes } = await readStored(press.id);
  expect(await post(desk.ports, press)).toEqual({ status: "posted", txHash: hashes[0] });
  await expectVerdict(press);
});

test("the service polls a node for receipts if the node does not wait for receipts itself", async () => {
  const press = await makeLivePress(desk);
  const ports = refuseCalls(desk.ports, /^eth_sendRawTransactionSync$/, -32601);
  expect(await post(ports, press)).toMatchObject({ status: "posted" });
  await expectVerdict(press);
});

test("a verdict is signed again and posted once if another transaction has used its nonce", async () => {
  const press = await storeVerdict();
  const { hashes } = await readStored(press.id);
  await desk.client.sendTransactionSync({ account: auditorAccount, to: auditor, value: 0n });
  const posting = await post(desk.ports, press);
  expect(posting).toMatchObject({ status: "posted" });
  expect(posting).not.toMatchObject({ txHash: hashes[0] });
  await expectVerdict(press);
});

test("a verdict whose gas price is too low is replaced with the same nonce, and posted once", async () => {
  const press = await storeVerdict();
  const { hashes, nonce } = await readStored(press.id);
  const posting = await post(raiseGasPrice(desk.ports, 10n), press);
  expect(posting).toMatchObject({ status: "posted" });
  expect(posting).not.toMatchObject({ txHash: hashes[0] });
  const { data: kept } = await desk.room.table.entities.relayer.get({ address: auditor }).go();
  expect(kept?.nextNonce).toBe(nonce + 1);
  await expectVerdict(press);
});

test("a verdict that is in the registry but has no visible receipt yet is not signed again", async () => {
  const press = await storeVerdict();
  const { hashes, rawTx } = await readStored(press.id);
  // The verdict's transaction is mined between our search for the verdict and our request for the nonce.
  const mined = actBefore(skipWaits(desk.ports), /^eth_getTransactionCount$/, () =>
    desk.client.sendRawTransactionSync({ serializedTransaction: HexInput.parse(rawTx) }),
  );
  const blind = changeResults(mined, "eth_getTransactionReceipt", () => null);
  await expect(post(blind, press)).rejects.toMatchObject({ code: "verdict_pending" });
  expect((await readStored(press.id)).hashes).toEqual(hashes);
  expect(await post(desk.ports, press)).toEqual({ status: "posted", txHash: hashes[0] });
  await expectVerdict(press);
});

test("a lower nonce from a lagging node does not make the service sign a verdict again", async () => {
  const press = await storeVerdict();
  const { hashes, nonce } = await readStored(press.id);
  const makeLowerNonce = () => `0x${(nonce - 1).toString(16)}`;
  const late = changeResults(desk.ports, "eth_getTransactionCount", makeLowerNonce);
  expect(nonce).toBeGreaterThan(0);
  expect(await post(late, press)).toEqual({ status: "posted", txHash: hashes[0] });
  await expectVerdict(press);
});

test("if a verdict's transaction is replaced, only the transaction that is mined counts", async () => {
  const press = await storeVerdict();
  const { hashes } = await readStored(press.id);
  await desk.client.sendTransactionSync({ account: auditorAccount, to: auditor, value: 0n });
  // The verdict is signed again with the next nonce. Like the first transaction, the new transaction is not sent.
  await expect(post(makeMutePorts(), press)).rejects.toMatchObject({ code: "verdict_pending" });
  const next = await readStored(press.id);
  expect(next.hashes.slice(1)).toEqual(hashes);
  expect(await post(desk.ports, press)).toEqual({ status: "posted", txHash: next.hashes[0] });
  await expectVerdict(press);
});

test("a verdict that is missing in the table is found in the registry's log and not posted again", async () => {
  const press = await makeLivePress(desk);
  const posting = await post(desk.ports, press);
  const { verdict, relayer: keys, press: presses, gas } = desk.room.table.entities;
  await verdict.delete({ id: press.id }).go();
  await keys.delete({ address: auditor }).go();
  await presses.patch({ id: press.id }).remove(["auditTx"]).go();
  await gas.delete(computeAccountKey()).go();
  expect(await post(desk.ports, press)).toEqual(posting);
  expect(await listVerdicts(desk, press.agentId)).toHaveLength(1);
  if (posting.status !== "posted") throw new Error("The verdict was refused");
  expect(await readAuditTx(desk, press.id)).toBe(posting.txHash);
  expect(await readSpent()).toBe(await computeCost(posting.txHash));
});

/** Reads the cost of the gas that was charged to the publisher's gas account today, in USDG base units. */
async function readSpent(): Promise<number> {
  const { data } = await desk.room.table.entities.gas.get(computeAccountKey()).go({ consistent: true });
  return data?.spent ?? 0;
}

function computeAccountKey() {
  return { subject: `payee:${publisher}`, day: new Date().toISOString().slice(0, 10) };
}

/** The cost of a transaction at the ETH price in the stage's settings. */
async function computeCost(hash: Hex): Promise<number> {
  const { gasUsed, effectiveGasPrice } = await desk.client.getTransactionReceipt({ hash });
  return Number((gasUsed * effectiveGasPrice * 3_000_000_000n + 10n ** 18n - 1n) / 10n ** 18n);
}

test("if a verdict's log is visible before its receipt, the verdict's gas is still charged to the publisher's account only once", async () => {
  const press = await makeLivePress(desk);
  await expect(post(makeDeafPorts(), press)).rejects.toMatchObject({ code: "verdict_pending" });
  const [hash = "0x"] = (await readStored(press.id)).hashes;
  const before = await readSpent();
  let hidden = 0;
  const late = alterNode(desk.ports, /./, async (calls, ask) => {
    const answers = await ask();
    const index = calls.findIndex(({ params }) => params[0] === hash);
    if (index < 0 || hidden > 0) return answers;
    hidden += 1;
    return answers.with(index, { status: "ok", result: null });
  });
  expect(await post(late, press)).toEqual({ status: "posted", txHash: hash });
  expect(hidden).toBe(1);
  expect(await readSpent()).toBe(before + (await computeCost(lower(`0x${hash.slice(2)}`))));
  await post(desk.ports, press);
  expect(await readSpent()).toBe(before + (await computeCost(lower(`0x${hash.slice(2)}`))));
  await expectVerdict(press);
});

describe("the verdict on a press that was minted long ago is found", () => {
  /**
   * Posts a verdict and deletes it in the table. Returns ports whose node limits log requests as a provider's node does, on a chain that
   * has grown by 130,000 blocks.
   */
  async function makeForgottenVerdict() {
    const press = await makeLivePress(desk);
    const posting = await post(desk.ports, press);
    const { verdict, relayer: keys, press: presses } = desk.room.table.entities;
    await verdict.delete({ id: press.id }).go();
    await keys.delete({ address: auditor }).go();
    await presses.patch({ id: press.id }).remove(["auditTx"]).go();
    const door = await startNodeProxy(desk.devnet.rpcUrl);
    await door.addEmptyBlocks(130_000);
    return { press, posting, door, ports: { ...desk.ports, chain: openChain([door.endpoint]) } };
  }

  test("the verdict on a press minted long ago is found by searching block ranges that a provider accepts", async () => {
    const { press, posting, door, ports } = await makeForgottenVerdict();
    try {
      expect(await post(ports, press)).toEqual(posting);
      expect(await listVerdicts(desk, press.agentId)).toHaveLength(1);
    } finally {
      await door.stop();
    }
  });

  test("a lagging node without the verdict's log does not prove that there is no verdict", async () => {
    const { press, posting, door, ports } = await makeForgottenVerdict();
    try {
      door.withholdLogs(true);
      await expect(post(ports, press)).rejects.toMatchObject({ code: "chain_unavailable" });
      expect(await listVerdicts(desk, press.agentId)).toHaveLength(1);
      door.withholdLogs(false);
      expect(await post(ports, press)).toEqual(posting);
    } finally {
      await door.stop();
    }
  });
});

test("if no run has received the receipt of a verdict's transaction, the run for the next message finds the receipt", async () => {
  const press = await makeLivePress(desk);
  await expect(post(makeDeafPorts(), press)).rejects.toMatchObject({ code: "verdict_pending" });
  expect(await listVerdicts(desk, press.agentId)).toHaveLength(1);
  expect(await readAuditTx(desk, press.id)).toBeUndefined();
  expect(await post(desk.ports, press)).toMatchObject({ status: "posted" });
  await expectVerdict(press);
});

test("a run that has lost its lease on the auditor's key does not end the new holder's transaction", async () => {
  const press = await makeLivePress(desk);
  const waiting = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const slow: VerdictPorts = {
    ...desk.ports,
    auditor: {
      ...desk.ports.auditor,
      async sign(...order) {
        reached.resolve();
        await waiting.promise;
        return desk.ports.auditor.sign(...order);
      },
    },
  };
  const late = post(slow, press);
  await reached.promise;
  expect(await post(makeLaterPorts(desk.ports), press)).toMatchObject({ status: "posted" });
  waiting.resolve();
  await expect(late).rejects.toMatchObject({ code: "auditor_busy" });
  await expectVerdict(press);
});

test("a run waits a while for the auditor's leased key, and then leaves the verdict to the holder of the lease", async () => {
  const press = await makeLivePress(desk);
  const { relayer: keys } = desk.room.table.entities;
  await keys
    .patch({ address: auditor })
    .set({ lease: "theirs", leaseUntil: Date.now() + 30_000 })
    .go();
  await expect(post(skipWaits(desk.ports), press)).rejects.toMatchObject({
    kind: "upstream",
    code: "auditor_busy",
  });
  await keys.patch({ address: auditor }).remove(["lease", "leaseUntil"]).go();
  expect(await post(desk.ports, press)).toMatchObject({ status: "posted" });
  await expectVerdict(press);
});

test("an auditor wallet does not post a verdict a second time while another auditor wallet's transaction with the verdict is pending", async () => {
  const press = await makeLivePress(desk);
  const { verdict } = desk.room.table.entities;
  const theirs = {
    id: press.id,
    state: "sent",
    auditor: "0x00000000000000000000000000000000000000ee",
    file: "{}",
    transaction: "theirs",
    changedAt: "2026-11-20T12:00:00.000Z",
  } as const;
  await verdict.put(theirs).go();
  await expect(post(desk.ports, press)).rejects.toThrow(
    `already being sent by the auditor ${theirs.auditor}`,
  );
  expect(await listVerdicts(desk, press.agentId)).toEqual([]);
});
