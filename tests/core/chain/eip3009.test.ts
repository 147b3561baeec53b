import { encodeFunctionData, multicall3Abi, numberToHex, parseAbi } from "viem";
import { sign } from "viem/accounts";
import { expect, test } from "vitest";
import {
  type Authorization,
  decodeRevert,
  encodeSettleCall,
  encodeStateCall,
  findUsedLogs,
  hashAuthorization,
  makeUsedFilter,
} from "../../../core/chain/eip3009.ts";
import { type Hex, toAddress } from "../../../core/chain/hex.ts";
import { Receipt } from "../../../core/chain/receipt.ts";
import { devnetContracts as at, getTestAccount } from "../../../local/devnet/accounts.ts";
import { readRevertData, startTestDevnet } from "../../support/devnet.ts";
import { startPart } from "../../support/provide.ts";
import { readPrivateKey, setOlderForm } from "../../support/wallets.ts";

const payer = getTestAccount(5);
const payee = toAddress(getTestAccount(6).address);
const stranger = getTestAccount(8);
const chainId = 4663;

const devnet = startPart(startTestDevnet);

let lastNonce = 0n;
const makeAuthorization = (change: Partial<Authorization> = {}): Authorization => ({
  from: toAddress(payer.address),
  token: at.usdg,
  amount: 250_000n,
  to: payee,
  validAfter: 0n,
  validBefore: 4_000_000_000n,
  nonce: ++lastNonce,
  ...change,
});

const signTransfer = (authorization: Authorization) =>
  sign({ hash: hashAuthorization(chainId, authorization), privateKey: readPrivateKey(payer), to: "hex" });
const makeSettleCall = async (authorization: Authorization) => ({
  target: at.usdg,
  allowFailure: true,
  callData: encodeSettleCall(authorization, await signTransfer(authorization)),
});

/** Sends calldata from a stranger's account, and returns the receipt in the form that the service reads. */
async function send(to: Hex, data: Hex): Promise<Receipt> {
  const hash = await devnet.client.sendTransaction({ account: stranger, to, data, gas: 2_000_000n });
  await devnet.client.waitForTransactionReceipt({ hash });
  const raw = await devnet.client.request({ method: "eth_getTransactionReceipt", params: [hash] });
  return Receipt.parse(raw);
}

const aggregate = (calls: readonly Awaited<ReturnType<typeof makeSettleCall>>[]) =>
  send(at.multicall3, encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] }));

async function readRefusal(data: Hex): Promise<string | undefined> {
  const revert = await readRevertData(devnet.client.call({ account: stranger, to: at.usdg, data }));
  return revert && decodeRevert(revert);
}

test("any account can send a signed EIP-3009 transfer, and the transfer is found by its nonce alone", async () => {
  const one = makeAuthorization();
  const receipt = await send(at.usdg, (await makeSettleCall(one)).callData);
  const [proof] = findUsedLogs(receipt, one);
  const used = receipt.logs.find(({ logIndex }) => logIndex === Number(proof));
  expect(used?.topics[2]).toContain(payee.slice(2));

  const { blockNumber } = receipt;
  const logs = await devnet.client.request({
    method: "eth_getLogs",
    params: [{ ...makeUsedFilter(one), fromBlock: "0x0", toBlock: numberToHex(blockNumber) }],
  });
  expect(logs.map(({ transactionHash }) => transactionHash)).toEqual([receipt.transactionHash]);
  const { data } = await devnet.client.call({ to: at.usdg, data: encodeStateCall(one.from, one.nonce) });
  expect(BigInt(data ?? "0x")).toBe(1n);
});

test("in a batch, a nonce that was spent earlier proves no payment, and the other payment of the batch is proved as usual", async () => {
  const [spent, fresh] = [makeAuthorization(), makeAuthorization({ amount: 7n })];
  await send(at.usdg, (await makeSettleCall(spent)).callData);
  const receipt = await aggregate([await makeSettleCall(spent), await makeSettleCall(fresh)]);
  expect(receipt.status).toBe("0x1");
  expect(findUsedLogs(receipt, spent)).toEqual([]);
  expect(findUsedLogs(receipt, fresh)).toHaveLength(1);
});

test("a nonce that was spent for another payee or amount proves no payment, whatever other transfers happen in the same transaction", async () => {
  const one = makeAuthorization();
  await devnet.client.writeContractSync({
    account: payer,
    address: at.usdg,
    abi: parseAbi(["function approve(address, uint256)"]),
    functionName: "approve",
    args: [at.multicall3, one.amount],
  });
  const transferFrom = encodeFunctionData({
    abi: parseAbi(["function transferFrom(address, address, uint256)"]),
    functionName: "transferFrom",
    args: [one.from, one.to, one.amount],
  });
  const receipt = await aggregate([
    await makeSettleCall({ ...one, amount: 1n }),
    { target: at.usdg, allowFailure: true, callData: transferFrom },
    await makeSettleCall(one),
  ]);
  expect(receipt.logs).toHaveLength(4);
  expect(findUsedLogs(receipt, one)).toEqual([]);
  expect(findUsedLogs(receipt, { ...one, amount: 1n })).toHaveLength(1);
});

test("if one transaction contains two payments of the same payer and amount, each payment has its own proof", async () => {
  const [first, second] = [makeAuthorization(), makeAuthorization()];
  const receipt = await aggregate([await makeSettleCall(first), await makeSettleCall(second)]);
  const proofs = [first, second].flatMap((one) => findUsedLogs(receipt, one));
  expect(new Set(proofs).size).toBe(2);
});

test("events from a contract other than the token prove no payment", async () => {
  const one = makeAuthorization();
  const receipt = await send(at.usdg, (await makeSettleCall(one)).callData);
  const logs = receipt.logs.map((log) => ({ ...log, address: at.multicall3 }));
  expect(findUsedLogs({ ...receipt, logs }, one)).toEqual([]);
  expect(findUsedLogs({ ...receipt, status: "0x0" }, one)).toEqual([]);
});

test("an EIP-3009 authorization is valid only between its start and its end, and each known revert of the token is translated to a name", async () => {
  const late = makeAuthorization({ validBefore: 1n });
  expect(await readRefusal(encodeSettleCall(late, await signTransfer(late)))).toBe("AuthorizationExpired");
  const early = makeAuthorization({ validAfter: 3_999_999_999n });
  expect(await readRefusal(encodeSettleCall(early, await signTransfer(early)))).toBe("AuthorizationInvalid");
  const dear = makeAuthorization({ amount: 10n ** 18n });
  expect(await readRefusal(encodeSettleCall(dear, await signTransfer(dear)))).toBe("InsufficientFunds");
  expect(decodeRevert("0xdeadbeef")).toBeUndefined();
});

test("a contract wallet's signature is passed to the transfer function that accepts signatures of any length, and only the newest version of the token has this function", async () => {
  const one = makeAuthorization();
  const long = encodeSettleCall(one, `${await signTransfer(one)}00`);
  expect(await readRefusal(long)).toBe("InvalidSignature");
  await setOlderForm(devnet, true);
  expect(await readRefusal(long)).toBe("FacetNotFound");
  expect(await readRefusal(encodeSettleCall(one, await signTransfer(one)))).toBeUndefined();
});
