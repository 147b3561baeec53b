import { rm } from "node:fs/promises";
import { join } from "node:path";
import { encodeFunctionData, numberToHex, parseAbi } from "viem/utils";
import * as z from "zod";
import { identityAbi } from "../../../../core/chain/abi.ts";
import { Quantity } from "../../../../core/chain/call.ts";
import { mainnet } from "../../../../core/chain/deployment.ts";
import { type Address, HashInput, type Hex, lower, toAddress } from "../../../../core/chain/hex.ts";
import { testAccount } from "../../../../local/devnet/accounts.ts";
import { compileContracts } from "../../../../local/devnet/compile.ts";
import { wallet1271InitCode } from "../../../../local/devnet/deploy.ts";
import {
  callRpc,
  openJournal,
  RpcError,
  setNextGasPrice,
  startAnvil,
} from "../../../../local/devnet/node.ts";
import { devnetDirectory } from "../../../support/devnet.ts";
import { hider, hiderCode } from "../../../support/hider.ts";
import { griefers, layGriefers } from "./griefer-wallets.ts";

export const { contracts } = mainnet;
export const usdgAbi = parseAbi([
  "function mint(address to, uint256 amount)",
  "function transfer(address to, uint256 amount) returns (bool)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
  "function freeze(address account)",
  "function unfreeze(address account)",
  "function pause()",
  "function unpause()",
]);
/** The older form of Multicall3, which no service of ours sends. */
export const aggregateAbi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "function aggregate(Call[] calls) payable returns (uint256 blockNumber, bytes[] returnData)",
]);
export const maxUint = 2n ** 256n - 1n;

const address = (index: number): Address => lower(testAccount(index).address);
/** Who issues USDG, who owns the presses, who takes what is moved away, and who settles other people's permits. */
export const issuer = address(0);
/** Two pay from plain accounts, one from a contract that stands by its owner's signatures (EIP-1271). */
export const payers = [
  { wallet: address(1), key: testAccount(1) },
  { wallet: address(2), key: testAccount(2) },
  { wallet: toAddress("0x1271000000000000000000000000000000001271"), key: testAccount(3) },
] as const;
export const owners = [address(4), address(5)] as const;
export const vault = address(6);
export const stranger = address(7);

/** Unix seconds at which every run begins. */
export const beginning = 2_000_000_000;

/** How many presses there are. The first two cost the same and belong to the same owner. */
export const pressOwners = [owners[0], owners[0], owners[1]] as const;

/** A change of the chain by somebody who is not the service. */
export type Change = { readonly from: Address; readonly to: Address; readonly data: Hex };

const Block = z.object({
  number: Quantity,
  timestamp: Quantity,
  baseFeePerGas: Quantity,
  transactions: z.array(HashInput),
});

/** Wei a gas unit at least: gas budgets are money, and the model counts gas. */
export const leastGasPrice = 10_000_000n;
const Receipt = z.object({ status: z.string() });

/**
 * The devnet's own node, mining on demand only. `reset` brings back the moment in which everybody owns USDG that
 * Permit2 may move, and the presses are minted.
 */
export async function openGround() {
  const directory = await devnetDirectory();
  const journal = await openJournal(join(directory, "chain"));
  const anvil = await startAnvil({ chainId: mainnet.chainId, statePath: journal.statePath() });
  const rpc = (method: string, params: readonly unknown[] = []) => callRpc(anvil.url, method, params);
  /** The service's transactions that the node holds and has not mined, in the order in which they came. */
  const pool = new Map<Hex, Hex>();
  let head = { number: 0n, timestamp: BigInt(beginning) };
  await rpc("anvil_setLoggingEnabled", [false]);
  await setNextGasPrice(anvil.url, leastGasPrice);

  async function mine(now: number): Promise<void> {
    const seconds = BigInt(Math.floor(now / 1000));
    const timestamp = seconds > head.timestamp ? seconds : head.timestamp;
    await rpc("evm_mine", [{ timestamp: Number(timestamp) }]);
    const block = Block.parse(await rpc("eth_getBlockByNumber", ["latest", false]));
    for (const hash of block.transactions) pool.delete(lower(hash));
    // anvil lets it sink by an eighth with every block that is nearly empty.
    if (block.baseFeePerGas < 2n * leastGasPrice) await setNextGasPrice(anvil.url, leastGasPrice);
    head = block;
  }

  /** Does the changes in a block of their own, before everything that waits to be mined. */
  async function change(changes: readonly Change[], now: number): Promise<readonly boolean[]> {
    const held = [...pool];
    for (const [hash] of held) await rpc("anvil_dropTransaction", [hash]);
    const hashes: Hex[] = [];
    for (const one of changes) hashes.push(HashInput.parse(await rpc("eth_sendTransaction", [fees(one)])));
    await mine(now);
    for (const [hash, raw] of held) {
      const kept = await rpc("eth_sendRawTransaction", [raw]).catch(refusal);
      if (kept instanceof RpcError) pool.delete(hash);
    }
    const receipts = hashes.map(async (hash) => rpc("eth_getTransactionReceipt", [hash]));
    return (await Promise.all(receipts)).map((receipt) => Receipt.parse(receipt).status === "0x1");
  }

  const [, , contractWallet] = payers;
  const artifacts = await compileContracts(join(directory, "contracts.json"));
  const data = wallet1271InitCode(artifacts, lower(contractWallet.key.address));
  await rpc("anvil_setCode", [contractWallet.wallet, await rpc("eth_call", [{ data }, "latest"])]);
  await rpc("anvil_setCode", [hider, hiderCode]);
  await rpc("anvil_setBalance", [contractWallet.wallet, numberToHex(10n ** 20n)]);
  await layGriefers(rpc, artifacts);
  await mine(beginning * 1000);
  const begun = await change(
    [
      ...payers.map(({ wallet }) => approval(wallet, maxUint)),
      transferOf(issuer, contractWallet.wallet, 100_000_000n),
      ...griefers.flatMap(({ wallet }) => [
        transferOf(issuer, wallet, 100_000_000n),
        approval(wallet, maxUint),
      ]),
      ...pressOwners.map((from) => ({
        from,
        to: contracts.identityRegistry,
        data: encodeFunctionData({
          abi: identityAbi,
          functionName: "register",
          args: ["https://example.com"],
        }),
      })),
    ],
    beginning * 1000,
  );
  if (begun.includes(false)) throw new Error("The ground could not be laid.");
  const base = head;
  let snapshot = await rpc("evm_snapshot");

  return {
    url: anvil.url,
    rpc,
    pool,
    mine,
    change,
    base: base.number,
    head: () => head,
    /** Mines what waits when a second has passed, as a chain does that never stands still. */
    async produce(now: number): Promise<void> {
      if (BigInt(Math.floor(now / 1000)) > head.timestamp) await mine(now);
    },
    /** Hands a transaction of the service to the node. Throws RpcError where the node refuses. */
    async accept(raw: Hex): Promise<Hex> {
      const hash = lower(HashInput.parse(await rpc("eth_sendRawTransaction", [raw])));
      pool.set(hash, raw);
      return hash;
    },
    /** The node loses a transaction. */
    async forget(hash: Hex): Promise<void> {
      await rpc("anvil_dropTransaction", [hash]);
      pool.delete(hash);
    },
    async reset(): Promise<void> {
      pool.clear();
      await rpc("anvil_dropAllTransactions");
      await rpc("evm_revert", [snapshot]);
      snapshot = await rpc("evm_snapshot");
      head = base;
    },
    async stop(): Promise<void> {
      await anvil.kill();
      journal.close();
      await rm(directory, { recursive: true });
    },
  };
}
export type Ground = Awaited<ReturnType<typeof openGround>>;

/** Lets Permit2 move so much of the payer's USDG. */
export function approval(from: Address, amount: bigint): Change {
  const data = encodeFunctionData({
    abi: usdgAbi,
    functionName: "approve",
    args: [contracts.permit2, amount],
  });
  return { from, to: contracts.usdg, data };
}

/** Pays so much USDG, in base units. */
export function transferOf(from: Address, to: Address, amount: bigint): Change {
  const data = encodeFunctionData({ abi: usdgAbi, functionName: "transfer", args: [to, amount] });
  return { from, to: contracts.usdg, data };
}

/** Enough for any base fee that a run brings about. */
function fees(change: Change) {
  return {
    ...change,
    gas: numberToHex(600_000),
    maxFeePerGas: numberToHex(10n ** 13n),
    maxPriorityFeePerGas: "0x0",
  };
}

/** A node's refusal as a value: the transaction cannot be mined any more. Anything else stays an error. */
function refusal(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  throw error;
}
