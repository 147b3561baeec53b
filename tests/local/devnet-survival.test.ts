import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { erc20Abi, type Hash, parseAbi } from "viem";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { devnetContracts as at, devnetStocks, getTestAccount } from "../../local/devnet/accounts.ts";
import { makeDevnetDirectory, openDevnetClient, startTestDevnet } from "../support/devnet.ts";
import { endProcess, isAnyAlive, waitForEnd } from "../support/start.ts";

const admin = getTestAccount(0);
const abi = parseAbi([
  "function register(string agentURI) returns (uint256 agentId)",
  "function ownerOf(uint256 agentId) view returns (address)",
  "function tokenURI(uint256 agentId) view returns (string)",
  "function setAnswer(int256 answer)",
  "function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)",
]);
const identity = { address: at.identityRegistry, abi } as const;
const feed = { address: devnetStocks[0]?.feed ?? "0x", abi } as const;
const usdg = { address: at.usdg, abi: erc20Abi } as const;

/** A process that runs a devnet, as `npm start` does. SIGTERM causes an orderly stop of the process. */
const hostScript = `
import { startDevnet } from ${JSON.stringify(new URL("../../local/devnet/index.ts", import.meta.url).href)};
const [directory, checkpointEvery] = process.argv.slice(1);
const devnet = await startDevnet({ port: 0, blockTime: 20, directory, checkpointEvery: Number(checkpointEvery) });
process.once("SIGTERM", () => devnet.stop());
console.log(JSON.stringify({ rpcUrl: devnet.rpcUrl, nodePid: devnet.nodePid() }));
`;
const HostLine = z.object({ rpcUrl: z.string(), nodePid: z.number() });

let directory: string;
let hosts: ChildProcess[];

beforeEach(async () => {
  directory = await makeDevnetDirectory();
  hosts = [];
});
afterEach(async () => {
  await Promise.all(hosts.map((host) => endProcess(host, "SIGKILL")));
  await rm(directory, { recursive: true });
});

async function startHost(checkpointEvery = 500) {
  const args = ["--input-type=module", "-e", hostScript, directory, String(checkpointEvery)];
  const host = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  hosts.push(host);
  const died = once(host, "exit").then(() => Promise.reject(new Error("The devnet's process ended.")));
  const [line] = await Promise.race([once(createInterface(host.stdout), "line"), died]);
  const { rpcUrl, nodePid } = HostLine.parse(JSON.parse(line));
  return { host, nodePid, client: openDevnetClient(rpcUrl) };
}

type DevnetClient = ReturnType<typeof openDevnetClient>;

/** Everything that a client can have seen of the given transactions, except block hashes, because anvil computes new block hashes. */
async function readVisibleState(client: DevnetClient, hashes: readonly Hash[]) {
  const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })));
  const agents = Array.from({ length: 6 }, (_, index) => BigInt(index));
  return {
    receipts: receipts.map(({ blockHash: _, logs, ...receipt }) => ({
      ...receipt,
      logs: logs.map(({ blockHash: _hash, ...log }) => log),
    })),
    owners: await Promise.all(
      agents.map((id) => client.readContract({ ...identity, functionName: "ownerOf", args: [id] })),
    ),
    uris: await Promise.all(
      agents.map((id) => client.readContract({ ...identity, functionName: "tokenURI", args: [id] })),
    ),
    round: await client.readContract({ ...feed, functionName: "latestRoundData" }),
    balances: await Promise.all(
      [1, 2, 3].map((index) => client.getBalance({ address: getTestAccount(index).address })),
    ),
  };
}

/**
 * Sends two rounds of transactions. In each round, three wallets each register an identity at the same time, and another wallet transfers
 * USDG. A price feed also stores a new price with the time of the transaction's block.
 */
async function makeHistory(client: DevnetClient): Promise<readonly Hash[]> {
  const hashes: Hash[] = [];
  for (const round of [1, 2]) {
    const rivals = [1, 2, 3].map((index) =>
      client.writeContract({
        account: getTestAccount(index),
        ...identity,
        functionName: "register",
        args: [`https://example.com/${round}/${index}`],
        maxPriorityFeePerGas: BigInt(index),
      }),
    );
    const transfer = client.writeContract({
      account: getTestAccount(4),
      ...usdg,
      functionName: "transfer",
      args: [getTestAccount(5).address, BigInt(round)],
    });
    const args = [BigInt(round)] as const;
    const price = client.writeContract({ account: admin, ...feed, functionName: "setAnswer", args });
    const sent = await Promise.all([...rivals, transfer, price]);
    for (const hash of sent) await client.waitForTransactionReceipt({ hash });
    hashes.push(...sent);
  }
  return hashes;
}

test("every accepted transaction survives a kill (restore from the journal), a second kill (from a checkpoint) and an orderly stop (from a saved state); no child process is left", async () => {
  const journal = await startHost();
  const hashes = await makeHistory(journal.client);
  const told = await readVisibleState(journal.client, hashes);
  const transfer = { account: getTestAccount(6), ...usdg, functionName: "transfer" } as const;
  const unmined = await journal.client.writeContract({ ...transfer, args: [admin.address, 3n] });
  await expectGone(journal, "SIGKILL");

  const checkpoint = await startHost(7);
  expect(await readVisibleState(checkpoint.client, hashes)).toEqual(told);
  await checkpoint.client.waitForTransactionReceipt({ hash: unmined });
  const later = await checkpoint.client.writeContractSync({ ...transfer, args: [admin.address, 5n] });
  const height = await checkpoint.client.getBlockNumber();
  await expectGone(checkpoint, "SIGKILL");

  const saved = await startHost(7);
  const gap = { ...transfer, account: getTestAccount(7), gas: 100_000n } as const;
  const waiting = await saved.client.writeContract({ ...gap, args: [admin.address, 3n], nonce: 1 });
  await expectGone(saved, "SIGTERM");

  const last = await startHost();
  expect(await readVisibleState(last.client, hashes)).toEqual(told);
  expect(await last.client.getBlockNumber()).toBeGreaterThanOrEqual(height);
  const found = await last.client.getTransactionReceipt({ hash: later.transactionHash });
  expect(found.blockNumber).toBe(later.blockNumber);
  await last.client.writeContractSync({ ...gap, args: [admin.address, 4n], nonce: 0 });
  expect(await last.client.waitForTransactionReceipt({ hash: waiting })).toMatchObject({ status: "success" });
});

/** Ends a devnet's host process by a signal, and expects that neither the devnet's node nor the node's shell is still running. */
async function expectGone({ host, nodePid }: Awaited<ReturnType<typeof startHost>>, signal: NodeJS.Signals) {
  const processes = [nodePid, findParent(nodePid)];
  expect(processes.map((pid) => isAnyAlive([pid]))).toEqual([true, true]);
  await endProcess(host, signal);
  await waitForEnd(processes);
}

test("a node that was killed, or whose shell was killed, is restored with all its data", async () => {
  const devnet = await startTestDevnet();
  try {
    const client = openDevnetClient(devnet.rpcUrl);
    const hashes = await makeHistory(client);
    const told = await readVisibleState(client, hashes);
    for (const victimOf of [(pid: number) => pid, findParent]) {
      const pid = devnet.nodePid();
      process.kill(victimOf(pid), "SIGKILL");
      await vi.waitFor(() => expect(devnet.nodePid()).not.toBe(pid), 60_000);
      await waitForEnd([pid]);
      expect(await readVisibleState(client, hashes)).toEqual(told);
    }
  } finally {
    await devnet.stop();
  }
});

function findParent(pid: number): number {
  return Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }));
}
