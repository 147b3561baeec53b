import { readFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  BaseError,
  createClient,
  erc20Abi,
  fallback,
  getCreate2Address,
  http,
  isAddressEqual,
  type LocalAccount,
  parseUnits,
  zeroHash,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
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
import { describeChain } from "../../client/chain.ts";
import { type Address, AddressInput, HashInput, type Hex } from "../../core/chain/hex.ts";
import {
  type ChainSettings,
  mainnet,
  makeTestnetSettings,
  type Testnet,
  Testnets,
} from "../../infra/chains.ts";
import { checkChain, checkCode, readNodes } from "../../infra/check/chain.ts";
import { checkStocks } from "../../infra/check/market.ts";
import { findSettings, type StageSettings } from "../../infra/stages.ts";
import { devnetContracts, devnetStocks } from "../devnet/accounts.ts";
import { type Artifact, type Artifacts, compileContracts, findArtifact } from "../devnet/compile.ts";
import { adminAbi, makeOwnCodes, type StockContract } from "../devnet/deploy.ts";

/** An error that the user can fix, and that occurs before anything is written. */
class TestnetError extends Error {
  override readonly name = "TestnetError";
}

/**
 * The deterministic deployer has the same address on every chain. This deployer derives a contract's address only from the contract's code
 * and arguments, so a repeated run finds the contracts of an earlier or interrupted run.
 */
const deployer = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

/** The devnet's stocks, with names that nobody can mistake for the names of the real tokens. */
const stocks: readonly StockContract[] = devnetStocks.map(({ symbol, name, price }) => ({
  symbol,
  name: name.replace("Robinhood Token", "Test Token"),
  price,
}));

type DeployRequest = {
  readonly chain: ChainSettings;
  /** The addresses of the chain's nodes, with the preferred address first. */
  readonly urls: readonly string[];
  readonly artifacts: Artifacts;
  /** The known contracts that already exist on the chain. */
  readonly known: Testnet | undefined;
  /**
   * Returns the wallet that pays the gas. If `known` is missing, this wallet becomes the tokens' issuer. `account` is called only if the
   * wallet is needed, and can throw.
   */
  readonly account: () => LocalAccount;
  /** The function that is called with each contract. */
  readonly tell: (state: "there" | "deployed", what: string, address: Address) => void;
};

/**
 * Deploys the project's missing contracts to a test chain: USDG, the stock tokens with their beacon, and price feeds. Existing code on the
 * chain is compared with the code that this project compiles. Throws TestnetError for a chain with real money, a chain without the
 * deployer, different code, or a wallet that cannot pay.
 */
async function deployTestnet(request: DeployRequest): Promise<Testnet> {
  const { chain, artifacts, known } = request;
  const client = await connect(request);
  const issuer = known?.issuer ?? request.account().address;
  const own = makeOwnCodes(artifacts, issuer);
  const sender = openSender(client, request.account);

  const place = async (what: string, contract: string, initCode: Hex, recorded: Address | undefined) => {
    const planned = getCreate2Address({ from: deployer, salt: zeroHash, bytecode: initCode });
    const address = recorded ?? planned;
    const code = await getCode(client, { address });
    if (code === undefined) {
      if (!isAddressEqual(address, planned)) throw makeStaleError(chain, `${what} ${address} has no code`);
      await sender.send(deployer, concatHex([zeroHash, initCode]));
      await awaitCode(client, address);
    } else if (!isCodeOf(findArtifact(artifacts, contract), code)) {
      throw makeStaleError(chain, `${what} ${address} has other code than local/contracts compiles to today`);
    }
    request.tell(code === undefined ? "deployed" : "there", what, address);
    return address;
  };

  const usdgFacet = await place("USDG facet", "GlobalDollarSignatures", own.usdgFacet, known?.usdgFacet);
  const usdgImplementation = await place(
    "USDG implementation",
    "GlobalDollar",
    own.usdgImplementation,
    known?.usdgImplementation,
  );
  const usdg = await place(
    "USDG",
    "ERC1967Proxy",
    own.makeUsdgCode(usdgImplementation, usdgFacet),
    known?.usdg,
  );
  const stockImplementation = await place(
    "stock implementation",
    "StockToken",
    own.stockImplementation,
    known?.stockImplementation,
  );
  const beaconCode = own.makeBeaconCode(stockImplementation);
  const stockBeacon = await place("stock beacon", "UpgradeableBeacon", beaconCode, known?.stockBeacon);
  const placed = [];
  for (const stock of stocks) {
    const { symbol } = stock;
    const before = known?.stocks.find((one) => one.symbol === symbol);
    const token = await place(symbol, "BeaconProxy", own.makeTokenCode(stockBeacon, stock), before?.token);
    const feed = await place(`${symbol} feed`, "PriceFeed", own.makeFeedCode(stock), before?.feed);
    placed.push({ symbol, token, feed });
  }
  const others = known?.stocks.filter(({ symbol }) => !stocks.some((stock) => stock.symbol === symbol)) ?? [];
  return {
    issuer,
    usdgFacet,
    usdgImplementation,
    usdg,
    stockImplementation,
    stockBeacon,
    stocks: [...placed, ...others],
  };
}

/** The target balances of `--fund` for a wallet, in base units. */
const purse = { usdg: parseUnits("1000", 6), stock: parseUnits("10", 18) };

/**
 * Mints USDG and stock tokens to a wallet until it has 1,000 USDG and 10 tokens of each stock. Throws TestnetError unless the account is
 * the issuer of the test USDG and of the stock tokens.
 */
async function fundWallet(
  request: Pick<DeployRequest, "chain" | "urls" | "account">,
  testnet: Testnet,
  wallet: Address,
): Promise<void> {
  const account = request.account();
  if (!isAddressEqual(account.address, testnet.issuer)) {
    throw new TestnetError(
      `Only the issuer ${testnet.issuer} can mint, but the key belongs to ${account.address}.`,
    );
  }
  const client = await connect(request);
  const sender = openSender(client, () => account);
  const wanted = [
    { address: testnet.usdg, amount: purse.usdg },
    ...testnet.stocks.map(({ token: address }) => ({ address, amount: purse.stock })),
  ];
  for (const { address, amount } of wanted) {
    const call = { address, abi: erc20Abi, functionName: "balanceOf", args: [wallet] } as const;
    const missing = amount - (await readContract(client, call));
    if (missing <= 0n) continue;
    const mint = { abi: adminAbi, functionName: "mint", args: [wallet, missing] } as const;
    await sender.send(address, encodeFunctionData(mint));
  }
}

/** Throws TestnetError for the chain with real money. */
function refuseMainnet(id: number): void {
  if (id !== mainnet.id) return;
  throw new TestnetError(`Chain ${id} has real money, so this command deploys nothing there.`);
}

type TestnetClient = Awaited<ReturnType<typeof connect>>;

async function connect({ chain: { id, name }, urls }: Pick<DeployRequest, "chain" | "urls">) {
  const client = createClient({
    chain: describeChain({ chainId: id, name }),
    transport: fallback(urls.map((url) => http(url))),
    pollingInterval: 100,
  });
  const found = await getChainId(client);
  refuseMainnet(found);
  if (found !== id) throw new TestnetError(`The nodes serve chain ${found}, but the stage's chain is ${id}.`);
  if ((await getCode(client, { address: deployer })) === undefined) {
    throw new TestnetError(
      `Chain ${id} has no deterministic deployer at ${deployer}. Without this deployer, the chain cannot have the x402 proxy either.`,
    );
  }
  return client;
}

/**
 * Sends transactions one after another and waits for each transaction. The function counts nonces itself, because a node may lag behind its
 * own receipts.
 */
function openSender(client: TestnetClient, account: () => LocalAccount) {
  let opened: { readonly account: LocalAccount; nonce: number } | undefined;
  const open = async () => {
    const wallet = account();
    const { address } = wallet;
    if ((await getBalance(client, { address })) === 0n) {
      throw new TestnetError(
        `The wallet ${address} has no ETH on chain ${client.chain.id}: send ETH to this wallet.`,
      );
    }
    const nonce = await getTransactionCount(client, { address, blockTag: "pending" });
    return { account: wallet, nonce };
  };
  return {
    async send(to: Address, data: Hex): Promise<void> {
      opened ??= await open();
      const { account: wallet, nonce } = opened;
      // The tip is 0, because Nitro orders transactions by arrival, so a tip has no effect. The tip that a node suggests may even exceed
      // the gas price.
      const call = { account: wallet, to, data, nonce, maxPriorityFeePerGas: 0n };
      const hash = await sendTransaction(client, call);
      opened.nonce += 1;
      const { status } = await waitForTransactionReceipt(client, { hash });
      if (status !== "success") throw new TestnetError(`The transaction ${hash} was reverted.`);
    },
  };
}

/** Waits for a deployed contract's code, because a node may lack the code after another node has shown the receipt. Throws TestnetError. */
async function awaitCode(client: TestnetClient, address: Address): Promise<void> {
  for (let look = 0; look < 40; look += 1) {
    if ((await getCode(client, { address })) !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, client.pollingInterval));
  }
  throw new TestnetError(`${address} has no code, though its deployment went through. Run this again.`);
}

/** Whether code on a chain equals a compiled contract of this project, apart from the constructor's values. */
function isCodeOf({ runtime, immutables }: Artifact, code: Hex): boolean {
  const blank = (hex: Hex) =>
    immutables.reduce((text, { start, length }) => {
      const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)];
      return text.slice(0, from) + "0".repeat(2 * length) + text.slice(to);
    }, hex.toLowerCase());
  return code.length === runtime.length && blank(code) === blank(runtime);
}

function makeStaleError({ id }: ChainSettings, what: string): TestnetError {
  return new TestnetError(
    `${what} on chain ${id}. Take the entry of chain ${id} out of the file to deploy anew what has changed; ` +
      "what has not is found again at its address.",
  );
}

const committed = fileURLToPath(new URL("../../infra/testnets.json", import.meta.url));

const usage = `Usage: npm run testnet -- --stage dev [--fund 0x…]

Deploys our own USDG, stock tokens and price feeds to the stage's test chain unless they are already there, writes their
addresses into infra/testnets.json and checks the chain. Commit that file: stages on the chain take their stocks from it.

  --stage   whose chain; one on chain ${mainnet.id} is refused
  --fund    mints this wallet up to 1,000 USDG and 10 of each stock token
  --file    another file than infra/testnets.json

From the environment, never from the command line:

  TESTNET_KEY       private key (0x…) of a wallet with ETH on the chain; it becomes the contracts' issuer
  TESTNET_KEY_FILE  or a file that holds it
  CHAIN_RPC_URL     nodes, with commas between them       (those of the stage)
`;

type Environment = Readonly<Record<string, string | undefined>>;
type PrintLine = (line: string) => void;
type TestnetOptions = NonNullable<ReturnType<typeof readOptions>>;

/** Runs `npm run testnet`. Returns the exit code: 1 after a reported problem. */
export async function runTestnet(
  flags: readonly string[],
  environment: Environment,
  print: PrintLine,
): Promise<number> {
  try {
    const options = readOptions(flags);
    if (options !== undefined) return (await run(options, environment, print)) ? 0 : 1;
    print(usage);
    return 0;
  } catch (error) {
    if (!(error instanceof TestnetError || error instanceof BaseError)) throw error;
    // The long error message of viem is not shown, because the message contains the whole calldata, and the node's URL with the API key.
    print(error instanceof BaseError ? `${error.shortMessage} ${error.details}` : error.message);
    return 1;
  }
}

async function run(
  { stage, fund, file }: TestnetOptions,
  environment: Environment,
  print: PrintLine,
): Promise<boolean> {
  const settings = findSettings(stage);
  const { chain } = settings;
  refuseMainnet(chain.id);
  const urls = await listNodes(settings, environment);
  const all = await readTestnets(file);
  const directory = resolve(environment.LOCAL_DIR || ".local");
  const artifacts = await compileContracts(join(directory, "contracts.json"));
  const ask = { chain, urls, account: () => readAccount(environment) };

  // Prints only the hosts of nodes, because the rest of a URL may contain an API key.
  print(`Chain ${chain.id} (${chain.name}), by ${urls.map((url) => new URL(url).host).join(", ")}`);
  const own = await deployTestnet({
    ...ask,
    artifacts,
    known: all[chain.id],
    tell: (state, what, address) => print(`${state.padEnd(9)} ${what.padEnd(21)} ${address}`),
  });
  const changed = await write(file, { ...all, [chain.id]: own });
  const shown = relative(process.cwd(), file);
  print(changed ? `Wrote ${shown}: commit it.` : `${shown} stays as it is.`);
  if (fund !== undefined) {
    await fundWallet(ask, own, fund);
    print(`funded    ${fund} with USDG and stock tokens`);
  }
  return check({ ...settings, chain: makeTestnetSettings(own) }, urls, print);
}

/** Makes the same checks of the chain as `stage:check`, so that missing contracts of third parties are also found. */
async function check(settings: StageSettings, urls: readonly string[], print: PrintLine): Promise<boolean> {
  const found = [
    ...(await checkChain(settings.chain, urls)),
    // Multicall3 is in no stage's settings, because it has the same address on every chain.
    await checkCode("multicall3", devnetContracts.multicall3, urls),
    ...(await checkStocks(settings, urls)),
  ];
  const faults = found.filter(({ fault }) => fault !== undefined);
  for (const { what, fault } of faults) print(`FAULT     ${what}: ${fault}`);
  print(
    faults.length === 0
      ? `All ${found.length} checks of the chain passed.`
      : "If one of these contracts has no code on the chain, others must deploy it: Permit2, Multicall3, x402's proxy, the ERC-8004 registries.",
  );
  return faults.length === 0;
}

function readOptions(args: readonly string[]) {
  const string = { type: "string" } as const;
  const options = {
    stage: string,
    fund: string,
    file: string,
    help: { type: "boolean", short: "h" },
  } as const;
  const { values } = readArg(() => parseArgs({ args: [...args], options }));
  if (values.help === true) return undefined;
  if (values.stage === undefined) throw new TestnetError(`Name the stage: --stage dev\n\n${usage}`);
  const fund = AddressInput.optional().safeParse(values.fund);
  if (!fund.success) throw new TestnetError("--fund takes the address of a wallet: 0x and 40 hex digits.");
  return { stage: values.stage, fund: fund.data, file: resolve(values.file ?? committed) };
}

function readArg<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    // An argument may be a private key, so the message does not repeat the argument.
    if (error instanceof TypeError) throw new TestnetError(usage);
    throw error;
  }
}

async function listNodes(settings: StageSettings, environment: Environment): Promise<readonly string[]> {
  const given = environment.CHAIN_RPC_URL;
  if (!given) return readNodes(settings);
  const urls = given.split(",").map((url) => url.trim());
  if (urls.every((url) => URL.canParse(url))) return urls;
  throw new TestnetError("CHAIN_RPC_URL has to be addresses of nodes, separated by commas.");
}

/** The wallet that pays the gas. No message contains any part of the wallet's key, even if the key is malformed. */
function readAccount({ TESTNET_KEY, TESTNET_KEY_FILE }: Environment): LocalAccount {
  const text = TESTNET_KEY || (TESTNET_KEY_FILE ? readKeyFile(TESTNET_KEY_FILE) : undefined);
  if (text === undefined) {
    throw new TestnetError("A transaction must be paid for: set TESTNET_KEY or TESTNET_KEY_FILE (--help).");
  }
  const key = HashInput.safeParse(text.trim());
  if (!key.success) throw new TestnetError("This is not a key: a key is 0x and 64 hex digits.");
  return privateKeyToAccount(key.data);
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new TestnetError(`TESTNET_KEY_FILE ${path} cannot be read.`, { cause });
  }
}

async function readTestnets(file: string): Promise<Testnets> {
  try {
    return Testnets.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new TestnetError(`${file} is not a file of test chains.`, { cause: error });
  }
}

/** Writes the whole file or nothing, and skips a file that already has this content. Returns whether the file was written. */
async function write(file: string, testnets: Testnets): Promise<boolean> {
  const text = `${JSON.stringify(testnets, null, 2)}\n`;
  const before = await readFile(file, "utf8").catch(() => undefined);
  if (before === text) return false;
  await writeFile(`${file}.draft`, text);
  await rename(`${file}.draft`, file);
  return true;
}

if (import.meta.main) {
  process.exitCode = await runTestnet(process.argv.slice(2), process.env, (line) => console.log(line));
}
