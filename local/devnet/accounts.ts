import { type HDAccount, type HDKey, hdKeyToAccount } from "viem/accounts";
import { mnemonicRoot } from "../../core/adapter/mnemonic.ts";
import { mainnet } from "../../core/chain/deployment.ts";
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
 * One of the ten test accounts, with `index` from 0 to 9, at m/44'/60'/0'/0/`index`. Account 0 owns all contracts and has deployed them.
 */
export function testAccount(index: number): HDAccount {
  return accountOf(testMnemonic, index);
}

/** A wallet of the platform, at m/44'/60'/0'/0/`index`. */
export function platformAccount(index: number): HDAccount {
  return accountOf(platformMnemonic, index);
}

const roots = new Map<string, HDKey>();
/** Deriving an account takes milliseconds, so each account is derived once. */
const accounts = new Map<string, HDAccount>();

function accountOf(mnemonic: string, index: number): HDAccount {
  const name = `${mnemonic} ${index}`;
  const known = accounts.get(name);
  if (known !== undefined) return known;
  const root = roots.get(mnemonic) ?? mnemonicRoot(mnemonic);
  roots.set(mnemonic, root);
  const account = hdKeyToAccount(root, { addressIndex: index });
  accounts.set(name, account);
  return account;
}

/** A stock token of the devnet and its price feed. `price` is in US dollars with 8 decimals, as in the feed's answer. */
export type DevnetStock = {
  readonly symbol: string;
  readonly name: string;
  readonly token: Address;
  readonly feed: Address;
  readonly price: bigint;
};

/** The contracts on the devnet have mainnet's addresses, so that official clients work unchanged. */
export const devnetContracts = {
  ...mainnet.contracts,
  multicall3: toAddress("0xcA11bde05977b3631167028862bE2a173976CA11"),
  /** The EIP-1967 beacon of every stock token. */
  stockBeacon: toAddress("0xe10b6f6B275de231345c20D14Ab812db62151b00"),
  /** The implementations that the beacon and the proxies use; their addresses exist only on the devnet. */
  stockImplementation: toAddress("0x57000000000000000000000000000000000C0DE0"),
  usdgImplementation: toAddress("0x57000000000000000000000000000000000C0DE1"),
  usdgFacet: toAddress("0x57000000000000000000000000000000000C0DE2"),
  identityImplementation: toAddress("0x57000000000000000000000000000000000C0DE3"),
  reputationImplementation: toAddress("0x57000000000000000000000000000000000C0DE4"),
} as const;

export const devnetStocks: readonly DevnetStock[] = [
  {
    symbol: "AAPL",
    name: "Apple • Robinhood Token",
    token: toAddress("0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9"),
    feed: toAddress("0x6B22A786bAa607d76728168703a39Ea9C99f2cD0"),
    price: 327_20000000n,
  },
  {
    symbol: "NVDA",
    name: "NVIDIA • Robinhood Token",
    token: toAddress("0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC"),
    feed: toAddress("0x379EC4f7C378F34a1B47E4F3cbeBCbAC3E8E9F15"),
    price: 188_45000000n,
  },
  {
    symbol: "TSLA",
    name: "Tesla • Robinhood Token",
    token: toAddress("0x322F0929c4625eD5bAd873c95208D54E1c003b2d"),
    feed: toAddress("0x4A1166a659A55625345e9515b32adECea5547C38"),
    price: 431_10000000n,
  },
  {
    symbol: "MSFT",
    name: "Microsoft • Robinhood Token",
    token: toAddress("0xe93237C50D904957Cf27E7B1133b510C669c2e74"),
    feed: toAddress("0x45C3C877C15E6BA2EBB19eA114Ea508d14C1Af2E"),
    price: 512_35000000n,
  },
  {
    symbol: "GOOGL",
    name: "Alphabet Class A • Robinhood Token",
    token: toAddress("0x2e0847E8910a9732eB3fb1bb4b70a580ADAD4FE3"),
    feed: toAddress("0xF6f373a037c30F0e5010d854385cA89185AE638b"),
    price: 284_60000000n,
  },
];
