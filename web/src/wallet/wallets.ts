import { type Chain, defineChain } from "viem";
import { type Config, createConfig, createStorage, http } from "wagmi";
import { disconnect, getConnection, reconnect, watchConnection } from "wagmi/actions";
import { type Discovery, discovery, readChainId } from "../api/discovery.ts";
import { queryClient } from "../api/request.ts";
import { makePurseConnector, type PurseConnector, purseConnectorId } from "../purse/connector.ts";
import { findPublicNode } from "../site.ts";
import { tryStore } from "../store.ts";
import { type Connection, memoryKey, setWallet } from "./state.ts";

/** The wallets of this browser, and the service's chain. The page has only one instance of this type, which `loadWallets` returns. */
export type Wallets = {
  readonly config: Config<readonly [Chain]>;
  readonly chain: Chain;
  /** The service's contracts and token. */
  readonly service: Discovery;
  /** The connector of the purse, the wallet that a passkey opens. */
  readonly purse: PurseConnector;
};

/**
 * The maximum number of calls in one request; the RPC relay accepts at most 25 calls. The first call waits some milliseconds, so that later
 * calls can be sent in the same request.
 */
const batch = { batchSize: 25, wait: 8 } as const;

/** The browser's storage for wagmi. If the browser blocks storage, nothing is stored, and a wallet can still connect. */
export const safeStorage = {
  getItem: (key: string) => tryStore(() => localStorage.getItem(key)) ?? null,
  setItem: (key: string, value: string) => void tryStore(() => localStorage.setItem(key, value)),
  removeItem: (key: string) => void tryStore(() => localStorage.removeItem(key)),
};

/**
 * Finds the wallets of this browser and reconnects the wallet that was used last. Reads of the chain go through the service's RPC relay,
 * and transactions go through the wallet. Throws ApiProblem if the service cannot be reached.
 */
export async function openWallets(): Promise<Wallets> {
  if (import.meta.env.DEVNET) (await import("./devnet.ts")).announceDevelopmentWallets();
  const service = await queryClient.ensureQueryData(discovery);
  const relay = `${window.location.origin}/api/rpc`;
  const chain = makeServiceChain(service);
  const purse = makePurseConnector({ chain, service, relay });
  const config = createConfig({
    chains: [chain],
    connectors: [purse.connector, ...(await loadConnectors())],
    transports: { [chain.id]: http(relay, { batch, retryCount: 1 }) },
    storage: createStorage({ key: memoryKey, storage: safeStorage }),
    pollingInterval: 400,
  });
  watchConnection(config, { onChange: () => setWallet(readConnection(config)) });
  await reconnectWallet(config);
  setWallet(readConnection(config));
  return { config, chain, service, purse };
}

/**
 * The time, in milliseconds, within which a wallet must confirm that it is still connected. A locked or broken wallet might never answer,
 * and pages that need no wallet must not wait for its answer. If a wallet answers later than this time, the answer is handled like any
 * other change of the connection.
 */
const longestReconnect = 4_000;

/** Reconnects only the last used wallet, because other wallets must not be used without the reader's request. */
async function reconnectWallet(config: Config): Promise<void> {
  const last = await config.storage?.getItem("recentConnectorId");
  const connectors = config.connectors.filter(({ id }) => id === last);
  if (connectors.length === 0) return;
  const late = new Promise((resolve) => setTimeout(resolve, longestReconnect));
  await Promise.race([reconnect(config, { connectors }), late]);
}

/** The connector of WalletConnect, if the build has a project id. Without a project id, the code of WalletConnect is not loaded. */
async function loadConnectors() {
  const projectId = import.meta.env.WALLETCONNECT_PROJECT_ID;
  if (projectId === "") return [];
  const { walletConnect } = await import("wagmi/connectors/walletConnect");
  // WalletConnect's telemetry would tell another company how the site's readers use their wallets.
  return [walletConnect({ projectId, showQrModal: false, telemetryEnabled: false })];
}

/**
 * The connected wallet. It stays connected while another wallet is asked to connect, because that wallet may never answer. A connector that
 * wagmi has only read from the browser's storage is not one of the page's connectors, and cannot sign.
 */
export function readConnection(config: Config): Connection | undefined {
  const { address, chainId, connector } = getConnection(config);
  if (address === undefined || chainId === undefined || connector === undefined) return undefined;
  if (!config.connectors.includes(connector)) return undefined;
  return { address, chainId, name: connector.name, isPurse: connector.id === purseConnectorId };
}

/** Disconnects every connected wallet, because wagmi would otherwise continue with the wallet that was used before. */
export async function disconnectWallet({ config }: Pick<Wallets, "config">): Promise<void> {
  const connected = config.connectors.filter(({ uid }) => config.state.connections.has(uid));
  // A wallet that cannot be reached must not keep the other wallets connected.
  const ended = await Promise.allSettled(connected.map((connector) => disconnect(config, { connector })));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
}

/**
 * Calls `hear` with the WalletConnect link by which a wallet on another device can connect to this page. Returns a function that stops the
 * calls of `hear`.
 */
export function watchPairing({ config }: Wallets, uid: string, hear: (uri: string) => void): () => void {
  const connector = config.connectors.find((each) => each.uid === uid);
  const passLink = ({ type, data }: { readonly type: string; readonly data?: unknown }) => {
    if (type === "display_uri" && typeof data === "string") hear(data);
  };
  connector?.emitter.on("message", passLink);
  return () => connector?.emitter.off("message", passLink);
}

/** The service's chain in the form that a wallet needs to add the chain. */
function makeServiceChain(service: Discovery): Chain {
  const id = readChainId(service);
  const { DEVNET, EXPLORER } = import.meta.env;
  return defineChain({
    id,
    name: service.network.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [findPublicNode()] } },
    ...(!DEVNET && { blockExplorers: { default: { name: "Blockscout", url: EXPLORER } } }),
  });
}
