import type { HDAccount, HDKey } from "viem/accounts";
import { deriveAccount, deriveParent } from "../../core/adapter/mnemonic.ts";
import { mainnet, multicall3 } from "../../core/chain/deployment.ts";
import { type Address, toAddress } from "../../core/chain/hex.ts";

/** The accounts of people and tests on the devnet. The phrase is public, so never send money to these accounts on another chain. */
const testMnemonic = "test test test test test test test test test test test junk";

/** The platform's wallets on the devnet. The phrase is public, so these wallets may be used only on the devnet. */
export const platformMnemonic =
  "fee paper story market trade report review ticket reward column wisdom clarify";

/** The index of each platform wallet under `platformMnemonic`. */
export const platformIndexes = {
  relayers: [0, 1, 2, 3, 4, 5, 6, 7],
  auditor: 8,
  treasury: 9,
  receipts: 10,
} as const;

export const testAccountCount = 10;

/**
 * One of the ten test accounts, with `index` from 0 to 9, at m/44'/60'/0'/0/`index`. Account 0 has deployed all ownable contracts and owns
 * them.
 */
export function getTestAccount(index: number): HDAccount {
  return findAccount(testMnemonic, index);
}

/** A wallet of the platform, at m/44'/60'/0'/0/`index`. */
export function getPlatformAccount(index: number): HDAccount {
  return findAccount(platformMnemonic, index);
}

const parents = new Map<string, HDKey>();
/** Deriving an account takes milliseconds, so each account is derived once. */
const accounts = new Map<string, HDAccount>();

function findAccount(mnemonic: string, index: number): HDAccount {
  const name = `${mnemonic} ${index}`;
  const known = accounts.get(name);
  if (known !== undefined) return known;
  const parent = parents.get(mnemonic) ?? deriveParent(mnemonic);
  parents.set(mnemonic, parent);
  const account = deriveAccount(parent, index);
  accounts.set(name, account);
  return account;
}

/** A stock token of the devnet and its price feed. `price` is in US dollars with 8 decimals, as in the feed's answer. */
export type DevnetStock = {
  readonly symbol: string;
  readonly company: string;
  readonly name: string;
  readonly token: Address;
  readonly feed: Address;
  readonly price: bigint;
};

/** The contracts on the devnet have mainnet's addresses, so that official clients work unchanged. */
export const devnetContracts = {
  ...mainnet.contracts,
  multicall3,
  /** The beacon contract (EIP-1967), which names the implementation of every stock token. */
  stockBeacon: mainnet.stocks.beacon,
  /** The implementations that the beacon and the proxies use; the implementations' addresses exist only on the devnet. */
  stockImplementation: toAddress("0x57000000000000000000000000000000000C0DE0"),
  usdgImplementation: toAddress("0x57000000000000000000000000000000000C0DE1"),
  usdgFacet: toAddress("0x57000000000000000000000000000000000C0DE2"),
  identityImplementation: toAddress("0x57000000000000000000000000000000000C0DE3"),
  reputationImplementation: toAddress("0x57000000000000000000000000000000000C0DE4"),
} as const;

/**
 * The shares that the tokens of `mainnet.stocks.feeds` stand for, in the same order. Each share is listed with its company and its first
 * price.
 */
const shares = [
  ["AAPL", "Apple", 327_20000000n],
  ["NVDA", "NVIDIA", 188_45000000n],
  ["TSLA", "Tesla", 431_10000000n],
  ["MSFT", "Microsoft", 512_35000000n],
  ["GOOGL", "Alphabet Class A", 284_60000000n],
] as const;

export const devnetStocks: readonly DevnetStock[] = shares.flatMap(([symbol, company, price], index) => {
  const contracts = mainnet.stocks.feeds[index];
  const name = `${company} • Robinhood Token`;
  return contracts === undefined ? [] : [{ symbol, company, name, price, ...contracts }];
});
