import { mainnet } from "viem/chains";
import { expect, test, vi } from "vitest";
import { type CreateConnectorFn, createConfig, createStorage, http } from "wagmi";
import { mock } from "wagmi/connectors/mock";
import { connectWallet } from "../../web/src/wallet/ask.ts";
import { disconnectWallet, readConnection } from "../../web/src/wallet/wallets.ts";
import { otherWallet, wallet } from "./payment/parts.ts";

/** A page with two wallets, and with a third wallet that never answers. `stored` is the browser's storage. */
function openPage(stored = new Map<string, string>()) {
  const [first, second] = [mock({ accounts: [wallet] }), mock({ accounts: [otherWallet] })];
  const silent: CreateConnectorFn = (settings) => ({
    ...first(settings),
    connect: () => new Promise<never>(() => undefined),
  });
  const config = createConfig({
    chains: [mainnet],
    connectors: [first, second, silent],
    transports: { [mainnet.id]: http() },
    storage: createStorage({
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: (key) => void stored.delete(key),
      },
    }),
  });
  const connect = (at: number) => connectWallet({ config }, config.connectors[at]?.uid ?? "");
  return { config, connect };
}

test("a wallet stays connected while another wallet does not answer, and can be chosen again", async () => {
  const stored = new Map<string, string>();
  const { config, connect } = openPage(stored);
  const connected = await connect(0);
  expect(connected.address).toBe(wallet);
  void connect(2);
  expect(readConnection(config)).toEqual(connected);
  expect(await connect(0)).toEqual(connected);
  // After a reload, the stored wallet counts as connected only when it has answered.
  const reloaded = openPage(stored);
  await vi.waitFor(() => expect(reloaded.config.state.current).not.toBeNull());
  void reloaded.connect(2);
  expect(readConnection(reloaded.config)).toBeUndefined();
});

test("after the reader has disconnected, no wallet is connected, even if the reader had changed the wallet", async () => {
  const { config, connect } = openPage();
  await connect(0);
  expect(await connect(1)).toMatchObject({ address: otherWallet });
  await disconnectWallet({ config });
  expect(readConnection(config)).toBeUndefined();
});
