import { keccak256, parseAbi, stringToBytes } from "viem";
import { expect, test } from "vitest";
import type { Chain } from "../../../core/port/chain.ts";
import { save } from "../../../core/press/own.ts";
import { post, readPublishedReport, type VerdictPorts } from "../../../core/verdict/index.ts";
import { toCanonicalJson } from "../../../core/verdict/report.ts";
import { withholdCalls } from "../../support/interference.ts";
import { encodeSale, send } from "../../support/payment.ts";
import { repeatInOrder, startPart } from "../../support/provide.ts";
import { publisher, publisherAccount, registry } from "../mint/works.ts";
import { makeDraft, report } from "../press/newsroom.ts";
import { auditor, listVerdicts, makeLivePress, readAuditTx, startDesk } from "./desk.ts";

const desk = startPart(startDesk);

/** Reads the record of the auditor's key. After a run, the record of the key shows no lease and no pending transaction. */
async function readKey() {
  return (await desk.room.table.entities.relayer.get({ address: auditor }).go({ consistent: true })).data;
}

test("the verdict on a live press is in the registry with the report's address and hash, and the press names the verdict's transaction", async () => {
  const { id, agentId, slug } = await makeLivePress(desk);
  expect(await readPublishedReport(desk.room, String(id))).toEqual({
    text: toCanonicalJson(report),
    final: false,
  });
  const posting = await post(desk.ports, { id });
  const { text, final } = await readPublishedReport(desk.room, String(id));
  expect(final).toBe(true);
  const [verdict, ...others] = await listVerdicts(desk, agentId);
  expect(others).toEqual([]);
  expect(verdict?.args).toMatchObject({
    value: 88n,
    valueDecimals: 0,
    tag1: "audit",
    tag2: "approve",
    endpoint: `https://news.example/press/${slug}`,
    feedbackURI: `https://news.example/api/audit-report/${id}`,
    feedbackHash: keccak256(stringToBytes(text)),
  });
  expect(posting).toEqual({ status: "posted", txHash: verdict?.txHash });
  expect(await readAuditTx(desk, id)).toBe(verdict?.txHash);
  expect(await readKey()).toEqual({ address: auditor, nextNonce: expect.any(Number) });
});

/** Returns today's amount on the given gas account, in USDG base units: the gas cost that no fee has covered. */
async function readSpent(subject: string): Promise<number> {
  const day = new Date(desk.ports.clock.now()).toISOString().slice(0, 10);
  const { data } = await desk.room.table.entities.gas.get({ subject, day }).go({ consistent: true });
  return data?.spent ?? 0;
}

test("a press gets only one verdict, whose gas is charged once to the publisher's gas account, even if several messages about the press arrive at once or one after another", async () => {
  const { id, agentId } = await makeLivePress(desk);
  const account = `payee:${publisher}`;
  const before = await readSpent(account);
  const postings = await Promise.all([1, 2, 3].map(() => post(desk.ports, { id })));
  const posting = await post(desk.ports, { id });
  expect(await listVerdicts(desk, agentId)).toHaveLength(1);
  expect(new Set([...postings, posting].map((one) => JSON.stringify(one))).size).toBe(1);
  if (posting.status !== "posted") throw new Error("The verdict was refused");
  const { gasUsed, effectiveGasPrice } = await desk.client.getTransactionReceipt({ hash: posting.txHash });
  const cost = Number((gasUsed * effectiveGasPrice * 3_000_000_000n + 10n ** 18n - 1n) / 10n ** 18n);
  expect(cost).toBeGreaterThan(0);
  expect(await readSpent(account)).toBe(before + cost);
});

test("presses that go live together get one verdict each, although one key signs all verdicts", async () => {
  const presses = await repeatInOrder(4, () => makeLivePress(desk));
  await Promise.all(presses.map(({ id }) => post(desk.ports, { id })));
  for (const { id, agentId } of presses) {
    const verdicts = await listVerdicts(desk, agentId);
    expect(verdicts.map(({ txHash }) => txHash)).toEqual([await readAuditTx(desk, id)]);
  }
});

const setApprovalForAll = parseAbi(["function setApprovalForAll(address operator, bool approved)"]);

test("if an owner makes the auditor an operator of the identity, only the verdict is blocked; the verdict is posted when the auditor is no longer an operator", async () => {
  const { id, agentId } = await makeLivePress(desk);
  const setOperator = (approved: boolean) =>
    desk.client.writeContractSync({
      account: publisherAccount,
      address: registry,
      abi: setApprovalForAll,
      functionName: "setApprovalForAll",
      args: [auditor, approved],
    });
  await setOperator(true);
  const before = await desk.client.getTransactionCount({ address: auditor });
  expect(await post(desk.ports, { id })).toEqual({
    status: "refused",
    reason: "Self-feedback not allowed",
  });
  expect(await readAuditTx(desk, id)).toBeUndefined();
  expect(await desk.client.getTransactionCount({ address: auditor })).toBe(before);
  expect(await readKey()).not.toHaveProperty("lease");

  await setOperator(false);
  expect(await post(desk.ports, { id })).toMatchObject({ status: "posted" });
  expect(await listVerdicts(desk, agentId)).toHaveLength(1);
});

test("an identity that was transferred to the auditor gets no verdict from the auditor", async () => {
  const { id, agentId } = await makeLivePress(desk);
  await send(desk, publisherAccount, registry, encodeSale(publisher, auditor, agentId));
  expect(await post(desk.ports, { id })).toMatchObject({ status: "refused" });
  expect(await listVerdicts(desk, agentId)).toEqual([]);
});

/** A node that has not seen the mint yet and therefore does not know the identity. */
function makeLaggingNode(agentId: number): Chain {
  return {
    batch: (calls) =>
      desk.ports.chain.batch(
        calls.map((call) => {
          const text = JSON.stringify(call);
          const word = agentId.toString(16).padStart(64, "0");
          return call.method === "eth_estimateGas"
            ? JSON.parse(text.replace(word, "f".repeat(8).padStart(64, "0")))
            : call;
        }),
      ),
  };
}

test.each([
  ["the chain is silent", () => withholdCalls(desk.ports, /./), "chain_unavailable"],
  [
    "the node has not seen the mint",
    (agentId: number) => ({ chain: makeLaggingNode(agentId) }),
    "chain_unavailable",
  ],
] as const)(
  "a verdict is not sent while %s, and is posted when the next message is handled",
  async (_trouble, faulty, code) => {
    const { id, agentId } = await makeLivePress(desk);
    const ports: VerdictPorts = { ...desk.ports, ...faulty(agentId) };
    await expect(post(ports, { id })).rejects.toMatchObject({ kind: "upstream", code });
    expect(await readKey()).not.toHaveProperty("lease");
    expect(await readKey()).not.toHaveProperty("inFlight");
    expect(await post(desk.ports, { id })).toMatchObject({ status: "posted" });
    expect(await listVerdicts(desk, agentId)).toHaveLength(1);
  },
);

test("a run reports that the auditor's key has no ETH for gas, and sends no transaction", async () => {
  const { id, agentId } = await makeLivePress(desk);
  const value = await desk.client.getBalance({ address: auditor });
  await desk.client.setBalance({ address: auditor, value: 1n });
  await expect(post(desk.ports, { id })).rejects.toMatchObject({ code: "auditor_without_gas" });
  await desk.client.setBalance({ address: auditor, value });
  expect(await post(desk.ports, { id })).toMatchObject({ status: "posted" });
  expect(await listVerdicts(desk, agentId)).toHaveLength(1);
});

test("a message about a press that is missing or not live is treated as a programming error, and goes to the dead-letter queue", async () => {
  const { id } = await save(desk.room, publisher, makeDraft());
  for (const unknown of [id, 999_999]) {
    await expect(post(desk.ports, { id: unknown })).rejects.toThrow("which is not live");
  }
});
