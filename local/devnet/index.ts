import { rm } from "node:fs/promises";
import { join } from "node:path";
import { mainnet } from "../../core/chain/deployment.ts";
import { compileContracts } from "./compile.ts";
import { deploy, readPermit2Code } from "./deploy.ts";
import { bindGateway, type Sequencer, serve, startSequencer } from "./gateway.ts";
import { dumpState, type Journal, openJournal, startAnvil } from "./node.ts";

export { DevnetError } from "./gateway.ts";

export type DevnetOptions = {
  /** Port on 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** Holds `contracts.json` (compiled contracts) and `chain/` (state and journal). */
  readonly directory: string;
  /** Forgets the chain that `directory` holds. */
  readonly fresh?: boolean;
  /** Milliseconds between blocks; the chain's 100 unless told otherwise. */
  readonly blockTime?: number;
  /** Changes between saves of the whole state. */
  readonly checkpointEvery?: number;
  /** Wei a gas unit, in every block: a hundredth of a gwei unless told otherwise. */
  readonly gasPrice?: bigint;
  readonly log?: (message: string) => void;
};

/** Wei a gas unit: a price at which a read of any price carries its gas. */
const usualGasPrice = 10_000_000n;

export type Devnet = {
  readonly rpcUrl: string;
  readonly port: number;
  /** Whether the chain began with this start. */
  readonly begun: boolean;
  /** The process id of the node, which changes when it had to be started again. */
  nodePid(): number;
  /** Saves the chain, ends the node and frees the port. */
  stop(): Promise<void>;
};

/**
 * Starts the local chain: a block every 100 ms while there is something to mine, every contract of
 * mainnet that we use at its mainnet address. What it has confirmed survives any end of this process or the node's,
 * and the node ends with this process. Contracts are placed when a chain begins: after a change to one, start `fresh`.
 *
 * Throws `DevnetError` `port_taken`; nothing has been touched then.
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { server, port } = await bindGateway(options.port);
  const starting = open(options);
  serve(
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

async function open(options: DevnetOptions): Promise<{ sequencer: Sequencer; begun: boolean }> {
  const log = options.log ?? (() => undefined);
  const chainDirectory = join(options.directory, "chain");
  if (options.fresh === true) await rm(chainDirectory, { recursive: true, force: true });
  const journal = await openJournal(chainDirectory);
  const begun = journal.statePath() === undefined;
  if (begun) await begin(journal, join(options.directory, "contracts.json"), log);

  const { chainId } = mainnet;
  const { blockTime = 100, checkpointEvery = 500, gasPrice = usualGasPrice } = options;
  const sequencer = await startSequencer({ chainId, journal, blockTime, checkpointEvery, gasPrice, log });
  return { begun, sequencer };
}

/** Makes the first state: contracts and funds on a node that is thrown away afterwards. */
async function begin(journal: Journal, artifactPath: string, log: (message: string) => void): Promise<void> {
  const artifacts = await compileContracts(artifactPath);
  const anvil = await startAnvil({ chainId: mainnet.chainId });
  try {
    await deploy(anvil.url, artifacts, await readPermit2Code());
    await journal.checkpoint(await dumpState(anvil.url), []);
  } finally {
    await anvil.kill();
  }
  log("A new chain has begun.");
}
