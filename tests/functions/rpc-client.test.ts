import { createClient, http, maxUint256, publicActions, walletActions } from "viem";
import { robinhood } from "viem/chains";
import { parseAbi } from "viem/utils";
import { afterEach, expect, test, vi } from "vitest";
import { erc20Abi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { type Fault, startFaultyNode } from "../support/faulty-node.ts";
import { startPart } from "../support/provide.ts";
import { startServiceBehind } from "../support/service.ts";

const { usdg, permit2, identityRegistry } = mainnet.contracts;
const account = getTestAccount(6);

/** The service with two nodes, and viem's client for the service. The first node can be made to fail. */
const service = startPart(() =>
  startServiceBehind("chain", async (direct) => {
    const first = await startFaultyNode(direct);
    return { ...first, endpoint: `${first.url}, ${direct}` };
  }),
);
const { now } = Date;
let later = 0;
vi.spyOn(Date, "now").mockImplementation(() => now() + later);
afterEach(() => {
  service.proxy.setFault({ kind: "none" });
  // Moving the clock by 31 seconds ends the first node's cooldown, even if the node has failed many times.
  later += 31_000;
});

function makeRpcClient(batchSize = 25) {
  const transport = http(`${service.origin}/api/rpc`, {
    batch: { batchSize },
    retryCount: 0,
    timeout: 120_000,
  });
  return createClient({ account, chain: robinhood, transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);
}

const makeApproval = (amount: bigint) =>
  ({ address: usdg, abi: erc20Abi, functionName: "approve", args: [permit2, amount] }) as const;

test("the relay answers viem's batches of 25 calls when viem makes sixty calls at once", async () => {
  const viem = makeRpcClient();
  const wallets = Array.from(
    { length: 60 },
    (_, index) => `0x${index.toString(16).padStart(40, "0")}` as const,
  );
  const balances = await Promise.all(wallets.map((address) => viem.getBalance({ address })));
  expect(balances).toHaveLength(60);
  expect(balances[59]).toBe(0n);
  expect(await viem.getChainId()).toBe(4663);
});

test("viem decodes a contract's revert reason through the relay", async () => {
  const abi = parseAbi([
    "function ownerOf(uint256 id) view returns (address)",
    "error ERC721NonexistentToken(uint256 tokenId)",
  ]);
  const read = makeRpcClient().readContract({
    address: identityRegistry,
    abi,
    functionName: "ownerOf",
    args: [1_000_000n],
  });
  await expect(read).rejects.toThrow(/ERC721NonexistentToken/);
});

const lost: Fault = { kind: "hang up", forwarded: true };
const dead: Fault = { kind: "hang up", forwarded: false };
const limited: Fault = { kind: "body", status: 429, body: () => "rate limited" };

test.each<[string, Fault]>([
  ["while a node takes what it is sent and gives no answer", { ...lost, only: /eth_send/ }],
  ["while a node loses what it is sent", { ...dead, only: /eth_send/ }],
  ["while a node is dead", dead],
  ["while a node is limited", limited],
  ["while a node says that it knows nothing", { kind: "body", status: 503, body: () => "no backend" }],
])("a wallet approves Permit2 through the relay %s", async (_, fault) => {
  const viem = makeRpcClient();
  const amount = maxUint256 - BigInt(Math.ceil(performance.now() * 1000));
  const nonce = await viem.getTransactionCount({ address: account.address });
  service.proxy.setFault(fault);
  const hash = await viem.writeContract(makeApproval(amount));
  const receipt = await viem.waitForTransactionReceipt({ hash });
  expect(receipt).toMatchObject({ status: "success", transactionHash: hash });
  expect(await viem.getTransactionCount({ address: account.address })).toBe(nonce + 1);
  const allowance = { address: usdg, abi: erc20Abi, functionName: "allowance" } as const;
  expect(await viem.readContract({ ...allowance, args: [account.address, permit2] })).toBe(amount);
});

test("a transaction that a wallet sends twice through the relay is refused with the chain's message", async () => {
  const viem = makeRpcClient();
  const signed = await account.signTransaction({
    type: "eip1559",
    chainId: 4663,
    to: account.address,
    gas: 21_000n,
    nonce: await viem.getTransactionCount({ address: account.address }),
    ...(await viem.estimateFeesPerGas()),
  });
  const hash = await viem.sendRawTransaction({ serializedTransaction: signed });
  await viem.waitForTransactionReceipt({ hash });
  await expect(viem.sendRawTransaction({ serializedTransaction: signed })).rejects.toThrow(/nonce too low/i);
});
