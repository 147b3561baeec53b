import { parseAbi } from "viem/utils";
import { describe, expect, test } from "vitest";
import { type Address, type Hex, lower } from "../../../core/chain/hex.ts";
import { AppError } from "../../../core/error.ts";
import { makeRefusal, RefusalCode } from "../../../core/mint/claim.ts";
import { settle } from "../../../core/mint/index.ts";
import { publishPress } from "../../../core/mint/publish.ts";
import type { MintOrder } from "../../../core/mint/schema.ts";
import { makeMetaUrl } from "../../../core/press/links.ts";
import { save } from "../../../core/press/own.ts";
import type { VerdictMessage } from "../../../core/verdict/schema.ts";
import { actAfter, alterNode, withholdCalls } from "../../support/interference.ts";
import { encodeRegister } from "../../support/payment.ts";
import { deployContractWallet, execute } from "../../support/wallets.ts";
import { approve, makeDraft } from "../press/newsroom.ts";
import {
  type MintSetup,
  makeApprovedPress,
  makeOrder,
  makeRecordingQueue,
  mint,
  origin,
  provideMints,
  publisher,
  publisherAccount,
  registerUri,
  registry,
  strangerAccount,
} from "./works.ts";

const nowhere: Hex = `0x${"9".repeat(64)}`;

const { devnet, room } = provideMints();

async function readPress(id: number) {
  return (await room.table.entities.press.get({ id }).go({ consistent: true })).data;
}
async function readMintRecord(id: number, txHash: Hex) {
  return (await room.table.entities.mint.get({ id, txHash }).go({ consistent: true })).data;
}
/** Reads the number of the identity that a transaction minted. */
async function readAgent(hash: Hex): Promise<number> {
  const [transfer] = (await devnet.client.getTransactionReceipt({ hash })).logs;
  return Number(transfer?.topics[3]);
}

test("when a press goes live under the byline of another wallet's press, both presses are marked as ambiguous, even if the queue failed and the mint message was repeated", async () => {
  const first = await makeApprovedPress(room);
  await settle(room, makeOrder(first, await mint(devnet, first)));
  const stranger = lower(strangerAccount.address);
  const second = await makeApprovedPress(room, stranger);
  const order = makeOrder(
    second,
    await registerUri(devnet, strangerAccount, makeMetaUrl(origin, second)),
    stranger,
  );
  const fail = async () => {
    throw new Error("The queue is down");
  };
  await expect(settle({ ...room, verdicts: { send: fail } }, order)).rejects.toThrow("The queue is down");
  expect(await readPress(second)).toMatchObject({ status: "live", bylineAmbiguous: true });
  expect((await readPress(first))?.bylineAmbiguous).toBeUndefined();
  await settle(room, order);
  expect((await readPress(first))?.bylineAmbiguous).toBe(true);
});

test("a press goes live even if the message about its verdict cannot be sent, and this message is sent when the mint message is repeated", async () => {
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  const verdicts = makeRecordingQueue<VerdictMessage>(async () => {
    throw new AppError("upstream", "queue_unavailable", "Not now.");
  });
  await expect(settle({ ...room, verdicts }, makeOrder(id, txHash))).rejects.toMatchObject({
    code: "queue_unavailable",
  });
  expect(await readMintRecord(id, txHash)).toMatchObject({ state: "done" });
  await settle(room, makeOrder(id, txHash));
  expect(room.verdicts.sent.at(-1)).toEqual({ order: { id }, delaySeconds: 0 });
});

test("many simultaneous repetitions of a mint message make the press live once, and a later repetition changes nothing", async () => {
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  await Promise.all([1, 2, 3, 4].map(() => settle(room, makeOrder(id, txHash))));
  const first = await readPress(id);
  room.clock.pass(60_000);
  await settle(room, makeOrder(id, txHash));
  expect(await readPress(id)).toEqual(first);
  expect(first?.status).toBe("live");
  expect(await readMintRecord(id, txHash)).toMatchObject({ state: "done" });
});

test("if two concurrent transactions mint one press, only one counts, and both requests get the answer that the press is live", async () => {
  const id = await makeApprovedPress(room);
  const hashes = [await mint(devnet, id), await mint(devnet, id)];
  await Promise.all(hashes.map((txHash) => settle(room, makeOrder(id, txHash))));
  const live = await readPress(id);
  expect(hashes).toContain(live?.mintTx);
  for (const txHash of hashes) expect(await readMintRecord(id, txHash)).toMatchObject({ state: "done" });
  expect((await room.table.entities.agent.scan.go()).data).toHaveLength(1);
  expect((await room.table.entities.minted.scan.go()).data).toEqual([{ txHash: live?.mintTx, id }]);
});

test("a transaction makes at most one press live, even if the minted identity later points to another press", async () => {
  const first = await makeApprovedPress(room);
  const txHash = await mint(devnet, first);
  await settle(room, makeOrder(first, txHash));
  const second = await makeApprovedPress(room);
  await devnet.client.writeContractSync({
    account: publisherAccount,
    address: registry,
    abi: parseAbi(["function setAgentURI(uint256 agentId, string newURI)"]),
    functionName: "setAgentURI",
    args: [BigInt(await readAgent(txHash)), makeMetaUrl(origin, second)],
  });
  await settle(room, makeOrder(second, txHash));
  expect(await readMintRecord(second, txHash)).toMatchObject({
    state: "refused",
    code: "transaction_already_used",
  });
  expect(await readPress(second)).toMatchObject({ status: "approved" });
});

test("only one of two presses goes live when both name the same transaction", async () => {
  const [first, second] = [await makeApprovedPress(room), await makeApprovedPress(room)];
  const txHash = await mint(devnet, first);
  // The node answers for each of the two presses as if the identity pointed to that press.
  const pointTo = (id: number) =>
    alterNode(room, /^eth_call$/, async () => [{ status: "ok", result: encodeUri(makeMetaUrl(origin, id)) }]);
  await Promise.all([first, second].map((id) => settle(pointTo(id), makeOrder(id, txHash))));
  const states = [await readPress(first), await readPress(second)].map((press) => press?.status);
  expect(states.toSorted()).toEqual(["approved", "live"]);
  const loser = states[0] === "approved" ? first : second;
  expect(await readMintRecord(loser, txHash)).toMatchObject({ code: "transaction_already_used" });
});

function encodeUri(uri: string): Hex {
  const text = Buffer.from(uri);
  const encodeWord = (value: number) => value.toString(16).padStart(64, "0");
  const padded = text.toString("hex").padEnd(Math.ceil(text.length / 32) * 64, "0");
  return `0x${encodeWord(32)}${encodeWord(text.length)}${padded}`;
}

test("the mint of an edited press is refused, and the same transaction makes the press live after the press has been approved again", async () => {
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  await save(room, publisher, makeDraft({ id, priceUsdg: 3 }));
  await settle(room, makeOrder(id, txHash));
  expect(await readMintRecord(id, txHash)).toMatchObject({ state: "refused", code: "not_approved" });
  expect(await readPress(id)).toMatchObject({ status: "draft" });

  await approve(room, id);
  await settle(room, makeOrder(id, txHash));
  expect(await readPress(id)).toMatchObject({ status: "live", priceUnits: "3000000" });
});

test("if a press is edited and approved again while the worker reads the chain, the press goes live with its newest text", async () => {
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  let edited = false;
  const ports = actAfter(room, /./, async () => {
    if (edited) return;
    edited = true;
    await save(room, publisher, makeDraft({ id, priceUsdg: 3, headline: "Another headline altogether" }));
    await approve(room, id);
  });
  await settle(ports, makeOrder(id, txHash));
  const pressId = await readAgent(txHash);
  const now = { priceUnits: "3000000", headline: "Another headline altogether" };
  expect(await readPress(id)).toMatchObject({ ...now, status: "live", pressId });
  const { data: agent } = await room.table.entities.agent.get({ pressId }).go();
  expect(agent).toMatchObject({ ...now, slug: `another-headline-altogether-${id.toString(36)}` });
});

test("a press is not published if it was edited and approved again after the worker read it", async () => {
  const id = await makeApprovedPress(room);
  const read = await readPress(id);
  if (read === null) throw new Error("The press is gone");
  await save(room, publisher, makeDraft({ id, priceUsdg: 4 }));
  await approve(room, id);
  expect(await publishPress(room, read, { txHash: nowhere, agentId: 4711, mark: 1 })).toBeUndefined();
  expect(await readPress(id)).toMatchObject({ status: "approved", priceUnits: "4000000" });
  expect((await room.table.entities.agent.get({ pressId: 4711 }).go()).data).toBeNull();
});

test("a press that is edited between the chain read and the publication does not go live", async () => {
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  let edited = false;
  const ports = actAfter(room, /./, async () => {
    if (!edited) await save(room, publisher, makeDraft({ id, headline: "Another headline altogether" }));
    edited = true;
  });
  await settle(ports, makeOrder(id, txHash));
  expect(await readPress(id)).toMatchObject({ status: "draft", headline: "Another headline altogether" });
  expect(await readMintRecord(id, txHash)).toMatchObject({ state: "refused", code: "not_approved" });
});

/** A contract wallet that the publisher owns. */
const deployWallet = () => deployContractWallet({ client: devnet.client, devnet }, publisherAccount);

/** Registers the press's identity through the publisher's contract wallet, and returns the transaction's hash. */
async function mintPress(wallet: Address, id: number): Promise<Hex> {
  const call = { to: registry, data: encodeRegister(makeMetaUrl(origin, id)) };
  return (await execute(devnet, publisherAccount, wallet, call)).transactionHash;
}

test("a contract wallet can publish although its owner sends the transaction", async () => {
  const wallet = await deployWallet();
  const id = await makeApprovedPress(room, wallet);
  await settle(room, makeOrder(id, await mintPress(wallet, id), wallet));
  expect(await readPress(id)).toMatchObject({ status: "live", publisher: wallet });
});

describe("an identity that was registered for another owner does not publish a press", () => {
  test("for a press of a contract wallet, only the identity's owner is checked, and an identity that was registered for another owner does not publish the press", async () => {
    const wallet = await deployWallet();
    const id = await makeApprovedPress(room, wallet);
    for (const account of [strangerAccount, publisherAccount]) {
      const txHash = await registerUri(devnet, account, makeMetaUrl(origin, id));
      await settle(room, makeOrder(id, txHash, wallet));
      expect(await readMintRecord(id, txHash)).toMatchObject({
        state: "refused",
        code: "no_identity_minted",
      });
    }
    expect(await readPress(id)).toMatchObject({ status: "approved" });
  });

  test("a plain account cannot publish its press with an identity that it registered for another owner", async () => {
    const id = await makeApprovedPress(room);
    const txHash = await mintPress(await deployWallet(), id);
    await settle(room, makeOrder(id, txHash));
    expect(await readMintRecord(id, txHash)).toMatchObject({ state: "refused", code: "no_identity_minted" });
    expect(await readPress(id)).toMatchObject({ status: "approved" });
  });
});

/** Handles a message and all its follow-up messages when they are due, and returns the seconds between the messages. */
async function settleMint(order: MintOrder, ports: MintSetup = room): Promise<readonly number[]> {
  const pauses: number[] = [];
  for (let next: MintOrder | undefined = order; next !== undefined; ) {
    await settle(ports, next);
    const sent = ports.mints.sent.pop();
    next = sent?.order;
    if (sent === undefined) continue;
    pauses.push(sent.delaySeconds);
    room.clock.pass(sent.delaySeconds * 1000);
  }
  return pauses;
}

test("the worker looks for an unseen transaction at growing intervals, and refuses it within two minutes", async () => {
  const id = await makeApprovedPress(room);
  const pauses = await settleMint(makeOrder(id, nowhere));
  expect(pauses).toEqual([1, 2, 4, 8, 15, 15, 15, 15, 15, 15, 5]);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(120);
  expect(await readMintRecord(id, nowhere)).toMatchObject({
    state: "refused",
    code: "transaction_not_found",
  });
});

test("a transaction that a node has shown once is awaited for half an hour, even if no node shows the transaction any more", async () => {
  const id = await makeApprovedPress(room);
  let looks = 0;
  const ports = alterNode(room, /./, async (calls) => {
    looks += 1;
    const shown = looks === 3 ? { hash: nowhere } : null;
    return calls.map(({ method }) => ({
      status: "ok",
      result: method === "eth_getTransactionByHash" ? shown : null,
    }));
  });
  const pauses = await settleMint(makeOrder(id, nowhere), ports);
  expect(pauses.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
  const waited = pauses.reduce((sum, pause) => sum + pause, 0);
  expect(waited).toBeGreaterThan(29 * 60);
  expect(waited).toBeLessThan(31 * 60);
  expect(await readMintRecord(id, nowhere)).toMatchObject({
    state: "refused",
    code: "transaction_not_found",
  });
});

/** Ports whose node has the transaction's receipt, but still shows the state of the block before the transaction. */
const makeLaggingPorts = () =>
  alterNode(room, /^eth_call$/, async (calls) =>
    calls.map(() => ({ status: "reverted", code: 3, message: "execution reverted", data: undefined })),
  );

test.each([
  ["the chain is silent", () => withholdCalls(room, /./)],
  ["the node lags behind its own receipt", makeLaggingPorts],
])(
  "a press does not go live while %s, but goes live when the worker tries again afterwards",
  async (_trouble, ports) => {
    const id = await makeApprovedPress(room);
    const txHash = await mint(devnet, id);
    await settle(ports(), makeOrder(id, txHash));
    expect(await readMintRecord(id, txHash)).toBeNull();
    const [again] = room.mints.sent;
    if (again === undefined) throw new Error("Nothing was sent");
    await settle(room, again.order);
    expect(await readPress(id)).toMatchObject({ status: "live" });
  },
);

test("if the chain is silent for half an hour, a mint is refused with the code confirmation_timed_out, and the publisher may try again", async () => {
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  const since = room.clock.now() - 30 * 60_000;
  await settle(withholdCalls(room, /./), { ...makeOrder(id, txHash), since });
  expect(await readMintRecord(id, txHash)).toMatchObject({
    state: "refused",
    code: "confirmation_timed_out",
  });
  expect(room.mints.sent).toEqual([]);
  await settle(room, makeOrder(id, txHash));
  expect(await readPress(id)).toMatchObject({ status: "live" });
});

test("every refusal of a mint has a text of its own, and the type of the refusal shows whether a retry may help", () => {
  const refusals = [...RefusalCode.values].map(makeRefusal);
  expect(new Set(refusals.map(({ message }) => message)).size).toBe(refusals.length);
  expect(refusals.map(({ code, kind }) => `${code} ${kind}`)).toEqual([
    "not_approved conflict",
    "transaction_failed input",
    "wrong_sender input",
    "no_identity_minted input",
    "wrong_identity_uri input",
    "transaction_already_used input",
    "transaction_not_found input",
    "confirmation_timed_out upstream",
  ]);
});

test("a press goes live only when its stock's price is known", async () => {
  const id = await makeApprovedPress(room);
  const txHash = await mint(devnet, id);
  room.price.now = undefined;
  await settle(room, makeOrder(id, txHash));
  expect(await readPress(id)).toMatchObject({ status: "approved" });
  room.price.now = 330.5;
  room.clock.pass(60_000);
  const [again] = room.mints.sent;
  if (again === undefined) throw new Error("Nothing was sent");
  await settle(room, again.order);
  expect(await readPress(id)).toMatchObject({ status: "live", priceAtPublish: 330.5 });
});

test("a mint message that names another wallet's press is treated as a programming error, and goes to the dead-letter queue", async () => {
  const id = await makeApprovedPress(room);
  const order = makeOrder(id, nowhere, lower(strangerAccount.address));
  await expect(settle(room, order)).rejects.toThrow("does not own");
});
