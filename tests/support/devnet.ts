import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  BaseError,
  createClient,
  custom,
  type Hash,
  type Hex,
  publicActions,
  testActions,
  WaitForTransactionReceiptTimeoutError,
  walletActions,
} from "viem";
import { robinhood } from "viem/chains";
import * as z from "zod";
import { HexInput } from "../../core/chain/hex.ts";
import { compileContracts, makeSourceKey } from "../../local/devnet/compile.ts";
import { type DevnetOptions, startDevnet } from "../../local/devnet/index.ts";
import { RpcError } from "../../local/devnet/node.ts";
import { makeOnce } from "./made-once.ts";
import { post } from "./post.ts";

export type TestDevnet = Awaited<ReturnType<typeof startTestDevnet>>;

/** A short block time keeps tests fast. */
const testBlockTime = 20;

/**
 * Starts a devnet on a free port with all contracts in about 0.1 s. After a change to the contracts or the devnet's code, the first start
 * takes four seconds. `stop` also removes the devnet's directory.
 */
export async function startTestDevnet(options: Partial<DevnetOptions> = {}) {
  const directory = await makeDevnetDirectory();
  try {
    const devnet = await startDevnet({ port: 0, blockTime: testBlockTime, directory, ...options });
    return {
      ...devnet,
      directory,
      client: openDevnetClient(devnet.rpcUrl),
      /** The compiled contracts, for tests that deploy their own contracts. */
      artifacts: () => compileContracts(join(directory, "contracts.json")),
      async stop() {
        await devnet.stop();
        await rm(directory, { recursive: true });
      },
    };
  } catch (error) {
    await rm(directory, { recursive: true });
    throw error;
  }
}

/** A temporary directory with a complete devnet for `startDevnet`. */
export async function makeDevnetDirectory(): Promise<string> {
  const begun = await makeCachedChain();
  const directory = await mkdtemp(join(tmpdir(), "devnet-"));
  await cp(begun, directory, { recursive: true });
  return directory;
}

/** The compiled contracts of the tests' devnets. */
export async function compileTestContracts() {
  return compileContracts(join(await makeCachedChain(), "contracts.json"));
}

const devnetSources = fileURLToPath(new URL("../../local/devnet/", import.meta.url));
const cache = fileURLToPath(new URL("../../.local/test-cache/", import.meta.url));

/** A directory with a new chain, made once for the current sources. */
async function makeCachedChain(): Promise<string> {
  const hash = createHash("sha256").update(makeSourceKey());
  for (const file of readdirSync(devnetSources).sort()) hash.update(readFileSync(join(devnetSources, file)));
  const directory = join(cache, `devnet-${hash.digest("hex").slice(0, 16)}`);
  await makeOnce(directory, () => makeChainDirectory(directory));
  return directory;
}

async function makeChainDirectory(directory: string): Promise<void> {
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    const devnet = await startDevnet({ port: 0, directory: draft });
    await devnet.stop();
    await rename(draft, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Milliseconds between two polls for a receipt. */
const pollingInterval = testBlockTime / 2;

const Reply = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/**
 * Sends a request, over an open connection if `post` allows it. viem's own transport opens a new connection for each request, so a request
 * takes four times as long.
 */
async function askNode(url: string, { method, params = [] }: { method: string; params?: unknown }) {
  const { text } = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  const { result, error } = Reply.parse(JSON.parse(text));
  if (error !== undefined) throw new RpcError(error.code, error.message, error.data);
  return result;
}

/**
 * Reads the data that a contract returns when it reverts a call. Returns `undefined` if the call succeeds. If the call fails for a reason
 * other than a revert, throws the call's error.
 */
export async function readRevertData(call: Promise<unknown>): Promise<Hex | undefined> {
  const error: unknown = await call.then(
    () => undefined,
    (reason) => reason,
  );
  if (error === undefined) return undefined;
  const isRevert = (inner: unknown) => inner instanceof Error && "data" in inner;
  const cause = error instanceof BaseError ? error.walk(isRevert) : undefined;
  if (!(cause instanceof Error && "data" in cause)) throw error;
  return HexInput.parse(cause.data);
}

/** A viem client that reads, writes and sets state on the chain at `rpcUrl`. */
export function openDevnetClient(rpcUrl: string) {
  // The cache is off: a block number cached by an earlier test would be too low.
  return createClient({
    // With a block time of 20 s, viem waits a minute for a receipt, because viem waits for three block times.
    chain: { ...robinhood, blockTime: 20_000 },
    // viem would repeat a reverted call three times, which takes a second.
    transport: custom({ request: (call) => askNode(rpcUrl, call) }, { retryCount: 0 }),
    pollingInterval,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
    .extend(testActions({ mode: "anvil" }))
    .extend((client) => ({
      /** Polls only the transaction's receipt. viem's own action also requests every block and the transaction. */
      async waitForTransactionReceipt({ hash, timeout = 60_000 }: { hash: Hash; timeout?: number }) {
        const until = Date.now() + timeout;
        const isMined = () => client.request({ method: "eth_getTransactionReceipt", params: [hash] });
        while ((await isMined()) === null) {
          if (Date.now() > until) throw new WaitForTransactionReceiptTimeoutError({ hash });
          await delay(pollingInterval);
        }
        return client.getTransactionReceipt({ hash });
      },
    }));
}
