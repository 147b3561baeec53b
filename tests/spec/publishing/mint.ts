import { size } from "viem/utils";
import { expect } from "vitest";
import { identityAbi } from "../../../core/chain/abi.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { lower } from "../../../core/chain/hex.ts";
import { encodeRegister } from "../../support/payment.ts";
import { prove, proveEach } from "../holds.ts";
import { ask } from "../world/ask.ts";
import { confirm, Minted, register, rival, writer } from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";
import { chain } from "../world/service.ts";
import { approveDraft, desk, readStatus } from "./office.ts";

type ApprovedDraft = Awaited<ReturnType<typeof approveDraft>>;
const { identityRegistry } = mainnet.contracts;

/** The tests of several rows try to confirm the mint of this press, without success. */
const unminted = makeOnce(approveDraft);

/** A mint transaction of the publisher that has failed on the chain. */
async function sendFailingMint({ metaUrl }: ApprovedDraft) {
  const data = encodeRegister(metaUrl);
  // The transaction has enough gas to get into a block, but not enough for the mint.
  return send({ to: identityRegistry, data, gas: 40_000n });
}

/**
 * A publisher's transaction that mints an identity with the press's metaUrl for another owner. This owner is a contract that registers the
 * identity in its constructor. The contract's creation code calls the registry with the calldata that follows this code, and then stops.
 */
async function mintToAnother({ metaUrl }: ApprovedDraft) {
  const call = encodeRegister(metaUrl);
  const length = size(call).toString(16).padStart(4, "0");
  const copied = `61${length}61002d600039`;
  const called = `6000600061${length}6000600073${identityRegistry.slice(2)}5af1`;
  return send({ data: `0x${copied}${called}5000${call.slice(2)}`, gas: 1_000_000n });
}

async function send(request: { to?: `0x${string}`; data: `0x${string}`; gas: bigint }) {
  const { transactionHash } = await (await chain()).sendTransactionSync({ account: writer, ...request });
  return transactionHash;
}

type WrongMint = readonly [mint: (press: ApprovedDraft) => Promise<`0x${string}`>, code: string];
const mintByAnother = ({ metaUrl }: ApprovedDraft) => register(rival, metaUrl);
const mintWithOtherUri = ({ metaUrl }: ApprovedDraft) => register(writer, `${metaUrl}0`);

const failed: WrongMint = [sendFailingMint, "transaction_failed"];
const ofAnotherSender: WrongMint = [mintByAnother, "wrong_sender"];
const forAnotherOwner: WrongMint = [mintToAnother, "no_identity_minted"];
const withOtherUri: WrongMint = [mintWithOtherUri, "wrong_identity_uri"];

proveEach<WrongMint>(
  {
    "3 mint: succeeded": failed,
    "3 mint: sender": ofAnotherSender,
    "3 mint: to the wallet": forAnotherOwner,
    "3 mint: URI": withOtherUri,
    "4.8 minted: succeeded": failed,
    "4.8 minted: sender": ofAnotherSender,
    "4.8 minted: identity": forAnotherOwner,
    "4.8 minted: metaUrl": withOtherUri,
  },
  async ([mint, code]) => {
    const press = await unminted();
    const answer = await confirm(writer, press.id, await mint(press));
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(await readStatus(press.id)).toBe("approved");
  },
);

/** A press before its mint, after the mint, and after the confirmation of the mint. */
const birth = makeOnce(async () => {
  const { id, metaUrl } = await approveDraft();
  const before = await readStatus(id);
  const txHash = await register(writer, metaUrl);
  const minted = await readStatus(id);
  const answer = await confirm(writer, id, txHash);
  const result = Minted.parse(answer.body);
  return { id, metaUrl, before, txHash, minted, answer, result, after: await readStatus(id) };
});

prove("3 mint: live", async () => {
  const { before, after, result } = await birth();
  expect([before, after]).toEqual(["approved", "live"]);
  expect((await ask(`/api/presses/${result.slug}`)).status).toBe(200);
});

prove("3 mint: response", async () => {
  const { answer, result } = await birth();
  expect(answer.status).toBe(200);
  expect(await ask(`/api/presses/${result.slug}`)).toMatchObject({ body: { press: result } });
});

prove("4.8 minted", async () => {
  const { answer, txHash, result } = await birth();
  expect(Object.keys(Object(answer.body)).toSorted()).toEqual(["pressId", "slug"]);
  expect(await ask(`/api/presses/${result.slug}`)).toMatchObject({ body: { press: { mintTx: txHash } } });
});

prove("4.8 minted: only then", async () => {
  const { before, minted, after } = await birth();
  expect([before, minted, after]).toEqual(["approved", "approved", "live"]);
});

async function expectRepeatedConfirmation(): Promise<void> {
  const { id, txHash, result, answer } = await birth();
  for (const again of [await confirm(writer, id, txHash), await confirm(writer, id, txHash)]) {
    expect(again).toMatchObject({ status: 200, body: result });
    expect(again.body).toEqual(answer.body);
  }
  expect(await readStatus(id)).toBe("live");
}

prove("3 mint repeated", expectRepeatedConfirmation);
prove("4.8 minted: repeated", expectRepeatedConfirmation);

prove("4.8 mint", async () => {
  const { live, results } = await desk();
  const registry = { address: identityRegistry, abi: identityAbi } as const;
  const args = [BigInt(live.pressId)] as const;
  const client = await chain();
  const uri = await client.readContract({ ...registry, functionName: "tokenURI", args });
  const owner = await client.readContract({ ...registry, functionName: "ownerOf", args });
  expect([uri, lower(owner)]).toEqual([live.audited.metaUrl, lower(writer.address)]);
  expect(results.approved.metaUrl).not.toBe(uri);
});
