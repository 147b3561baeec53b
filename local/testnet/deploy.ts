import {
  createClient,
  defineChain,
  fallback,
  getCreate2Address,
  http,
  isAddressEqual,
  type LocalAccount,
  parseAbi,
  parseUnits,
  zeroHash,
} from "viem";
import {
  getBalance,
  getChainId,
  getCode,
  getTransactionCount,
  readContract,
  sendTransaction,
  waitForTransactionReceipt,
} from "viem/actions";
import { concatHex, encodeFunctionData } from "viem/utils";
import type { Address, Hex } from "../../core/chain/hex.ts";
import { type ChainSettings, mainnet, type Testnet } from "../../infra/chains.ts";
import { devnetStocks } from "../devnet/accounts.ts";
import { type Artifact, type Artifacts, artifact } from "../devnet/compile.ts";
import { ownContracts, type Stock } from "../devnet/deploy.ts";

/** Something that the person who runs the script can put right. Nothing has been written then. */
export class TestnetError extends Error {
  override readonly name = "TestnetError";
}

/**
 * The deterministic deployer, on every chain at this address: what it deploys has an address that follows from the code
 * and its arguments. So a repeated run finds what an earlier one has deployed, also one that was interrupted.
 */
const deployer = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

/** The devnet's stocks, with names that nobody takes for the real tokens'. */
const stocks: readonly Stock[] = devnetStocks.map(({ symbol, name, price }) => ({
  symbol,
  name: name.replace("Robinhood Token", "Test Token"),
  price,
}));

type Ask = {
  readonly chain: ChainSettings;
  /** The chain's nodes, the preferred one first. */
  readonly urls: readonly string[];
  readonly artifacts: Artifacts;
  /** What stands there already, as far as it is known. */
  readonly known: Testnet | undefined;
  /** The wallet that pays. Called only when there is something to pay for; may throw. */
  readonly account: () => LocalAccount;
  /** Told of each contract. */
  readonly tell: (state: "there" | "deployed", what: string, address: Address) => void;
};

/**
 * Deploys our own contracts to a test chain, as far as they are not there: USDG, the stock tokens with their beacon, and
 * price feeds. What is there is compared with what is compiled here. Throws a TestnetError for a chain where money is
 * real, a chain without the deployer, code that is another, and a wallet that cannot pay.
 */
export async function deployTestnet(ask: Ask): Promise<Testnet> {
  const { chain, artifacts, known } = ask;
  const client = await connect(ask);
  const issuer = known?.issuer ?? ask.account().address;
  const own = ownContracts(artifacts, issuer);
  const sender = openSender(client, ask.account);

  const place = async (what: string, contract: string, initCode: Hex, recorded: Address | undefined) => {
    const planned = getCreate2Address({ from: deployer, salt: zeroHash, bytecode: initCode });
    const address = recorded ?? planned;
    const code = await getCode(client, { address });
    if (code === undefined) {
      if (!isAddressEqual(address, planned)) throw stale(chain, `${what} ${address} has no code`);
      await sender.send(deployer, concatHex([zeroHash, initCode]));
      await codeAt(client, address);
    } else if (!isCodeOf(artifact(artifacts, contract), code)) {
      throw stale(chain, `${what} ${address} has other code than local/contracts gives today`);
    }
    ask.tell(code === undefined ? "deployed" : "there", what, address);
    return address;
  };

  const usdg = await place("USDG", "GlobalDollar", own.usdg, known?.usdg);
  const stockImplementation = await place(
    "stock implementation",
    "StockToken",
    own.stockImplementation,
    known?.stockImplementation,
  );
  const beaconCode = own.stockBeacon(stockImplementation);
  const stockBeacon = await place("stock beacon", "UpgradeableBeacon", beaconCode, known?.stockBeacon);
  const placed = [];
  for (const stock of stocks) {
    const { symbol } = stock;
    const before = known?.stocks.find((one) => one.symbol === symbol);
    const token = await place(symbol, "BeaconProxy", own.token(stockBeacon, stock), before?.token);
    const feed = await place(`${symbol} feed`, "PriceFeed", own.feed(stock), before?.feed);
    placed.push({ symbol, token, feed });
  }
  const others = known?.stocks.filter(({ symbol }) => !stocks.some((stock) => stock.symbol === symbol)) ?? [];
  return { issuer, usdg, stockImplementation, stockBeacon, stocks: [...placed, ...others] };
}

/** What `--fund` brings a wallet up to, in base units. */
const purse = { usdg: parseUnits("1000", 6), stock: parseUnits("10", 18) };

const tokenAbi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function mint(address to, uint256 amount)",
]);

/**
 * Mints a wallet 1,000 USDG and 10 of each stock token, less what it has of them. Throws a TestnetError unless the
 * account is the contracts' issuer.
 */
export async function fundWallet(
  ask: Pick<Ask, "chain" | "urls" | "account">,
  own: Testnet,
  wallet: Address,
): Promise<void> {
  const account = ask.account();
  if (!isAddressEqual(account.address, own.issuer)) {
    throw new TestnetError(`Only the issuer ${own.issuer} mints; the key is that of ${account.address}.`);
  }
  const client = await connect(ask);
  const sender = openSender(client, () => account);
  const wanted = [
    { address: own.usdg, amount: purse.usdg },
    ...own.stocks.map(({ token: address }) => ({ address, amount: purse.stock })),
  ];
  for (const { address, amount } of wanted) {
    const call = { address, abi: tokenAbi, functionName: "balanceOf", args: [wallet] } as const;
    const missing = amount - (await readContract(client, call));
    if (missing <= 0n) continue;
    const mint = { abi: tokenAbi, functionName: "mint", args: [wallet, missing] } as const;
    await sender.send(address, encodeFunctionData(mint));
  }
}

/** Throws a TestnetError for the chain where money is real. */
export function refuseMainnet(id: number): void {
  if (id !== mainnet.id) return;
  throw new TestnetError(`Chain ${id} has real money: nothing of ours is deployed there.`);
}

type Client = Awaited<ReturnType<typeof connect>>;

async function connect({ chain: { id, name }, urls }: Pick<Ask, "chain" | "urls">) {
  const client = createClient({
    chain: defineChain({
      id,
      name,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: urls } },
    }),
    transport: fallback(urls.map((url) => http(url))),
    pollingInterval: 100,
  });
  const found = await getChainId(client);
  refuseMainnet(found);
  if (found !== id) throw new TestnetError(`The nodes serve chain ${found}, and the stage's is ${id}.`);
  if ((await getCode(client, { address: deployer })) === undefined) {
    throw new TestnetError(
      `Chain ${id} has no deterministic deployer at ${deployer}. The x402 proxy cannot stand there without it either.`,
    );
  }
  return client;
}

/** Sends one transaction after another and waits for each. Nonces are counted here, for a node may lag behind its own receipts. */
function openSender(client: Client, account: () => LocalAccount) {
  let opened: { readonly account: LocalAccount; nonce: number } | undefined;
  const open = async () => {
    const wallet = account();
    const { address } = wallet;
    if ((await getBalance(client, { address })) === 0n) {
      throw new TestnetError(`The wallet ${address} has no ETH on chain ${client.chain.id}: send it some.`);
    }
    const nonce = await getTransactionCount(client, { address, blockTag: "pending" });
    return { account: wallet, nonce };
  };
  return {
    async send(to: Address, data: Hex): Promise<void> {
      opened ??= await open();
      const { account: wallet, nonce } = opened;
      const hash = await sendTransaction(client, { account: wallet, to, data, nonce });
      opened.nonce += 1;
      const { status } = await waitForTransactionReceipt(client, { hash });
      if (status !== "success") throw new TestnetError(`The transaction ${hash} was reverted.`);
    },
  };
}

/** Waits for code that a receipt has promised: a node behind others may show it a little later. Throws a TestnetError. */
async function codeAt(client: Client, address: Address): Promise<void> {
  for (let look = 0; look < 40; look += 1) {
    if ((await getCode(client, { address })) !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, client.pollingInterval));
  }
  throw new TestnetError(`${address} has no code, though its deployment went through. Run this again.`);
}

/** Whether code on a chain is that of a contract compiled here, whatever its constructor has filled in. */
function isCodeOf({ runtime, immutables }: Artifact, code: Hex): boolean {
  const blank = (hex: Hex) =>
    immutables.reduce((text, { start, length }) => {
      const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)];
      return text.slice(0, from) + "0".repeat(2 * length) + text.slice(to);
    }, hex.toLowerCase());
  return code.length === runtime.length && blank(code) === blank(runtime);
}

function stale({ id }: ChainSettings, what: string): TestnetError {
  return new TestnetError(
    `${what} on chain ${id}. Take the entry of chain ${id} out of the file to deploy anew what has changed; ` +
      "what has not is found again at its address.",
  );
}
