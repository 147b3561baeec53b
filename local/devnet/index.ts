import { rm } from "node:fs/promises";
import { join } from "node:path";
import { mainnet } from "../../core/chain/deployment.ts";
import { compileContracts } from "./compile.ts";
import { deployContracts, readPermit2Code } from "./deploy.ts";
import { bindGateway, type Sequencer, serveRpc, startSequencer } from "./gateway.ts";
import { type ChainJournal, dumpState, openJournal, startAnvil } from "./node.ts";

export { DevnetError } from "./gateway.ts";

export type DevnetOptions = {
  /** The port on 127.0.0.1; 0 takes any free port. */
  readonly port: number;
  /** The folder of `contracts.json` (compiled contracts) and `chain/` (state and journal). */
  readonly directory: string;
  /** Whether the chain in `directory` is deleted before the start. */
  readonly fresh?: boolean;
  /** Milliseconds between blocks. The default is 100 milliseconds, as on the real chain. */
  readonly blockTime?: number;
  /** The number of changes between two saves of the whole state. */
  readonly checkpointEvery?: number;
  /** The gas price of every block in wei per gas unit. The default is a hundredth of a gwei. */
  readonly gasPrice?: bigint;
  readonly log?: (message: string) => void;
};

/** The gas price in wei per gas unit. With the devnet's gas price, the fee of every paid read covers the gas of the read. */
const usualGasPrice = 10_000_000n;

export type Devnet = {
  readonly rpcUrl: string;
  readonly port: number;
  /** Whether this start began a new chain. */
  readonly begun: boolean;
  /** The process id of the node. The node's process id changes when the node is restarted. */
  nodePid(): number;
  /** Saves the chain, ends the node and frees the port. */
  stop(): Promise<void>;
};

/**
 * Starts the local chain. The chain makes a block every 100 ms as long as transactions wait. Every mainnet contract that the service uses
 * is also on this chain, at its mainnet address.
 *
 * No confirmed transaction is lost, no matter how this process or the node ends. The node ends when this process ends. Contracts are
 * deployed only when a chain begins, so a changed contract needs a start with `fresh`. Throws `DevnetError` with the code `port_taken`
 * before anything is changed.
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { server, port } = await bindGateway(options.port);
  const starting = openChain(options);
  serveRpc(
    server,
    starting.then(({ sequencer }) => sequencer),
  );
  try {
    const { sequencer, begun } = await starting;
    return {
      rpcUrl: `http://127.0.0.1:${port}`,
      port,
      begun,
      nodePid: sequencer.pid,
      async stop() {
        server.close();
        await sequencer.stop();
        server.closeAllConnections();
      },
    };
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
}

async function openChain(options: DevnetOptions): Promise<{ sequencer: Sequencer; begun: boolean }> {
  const log = options.log ?? (() => undefined);
  const chainDirectory = join(options.directory, "chain");
  if (options.fresh === true) await rm(chainDirectory, { recursive: true, force: true });
  const journal = await openJournal(chainDirectory);
  const begun = journal.findStatePath() === undefined;
  if (begun) await createFirstState(journal, join(options.directory, "contracts.json"), log);

  const { chainId } = mainnet;
  const { blockTime = 100, checkpointEvery = 500, gasPrice = usualGasPrice } = options;
  const sequencer = await startSequencer({ chainId, journal, blockTime, checkpointEvery, gasPrice, log });
  return { begun, sequencer };
}

/** Creates the first state of the chain (contracts and balances) on a temporary node. */
async function createFirstState(
  journal: ChainJournal,
  artifactPath: string,
  log: (message: string) => void,
): Promise<void> {
  const artifacts = await compileContracts(artifactPath);
  const anvil = await startAnvil({ chainId: mainnet.chainId });
  try {
    await deployContracts(anvil.url, artifacts, await readPermit2Code());
    await journal.saveCheckpoint(await dumpState(anvil.url), []);
  } finally {
    await anvil.kill();
  }
  log("A new chain has begun.");
}
