import { readFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BaseError, type LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { AddressInput, HashInput } from "../../core/chain/hex.ts";
import { mainnet, Testnets, testnetWith } from "../../infra/chains.ts";
import { checkChain, checkCode, nodesOf } from "../../infra/check/chain.ts";
import { checkStocks } from "../../infra/check/market.ts";
import { type StageSettings, settingsOf } from "../../infra/stages.ts";
import { devnetContracts } from "../devnet/accounts.ts";
import { compileContracts } from "../devnet/compile.ts";
import { deployTestnet, fundWallet, refuseMainnet, TestnetError } from "./deploy.ts";

const committed = fileURLToPath(new URL("../../infra/testnets.json", import.meta.url));

const usage = `Usage: npm run testnet -- --stage dev [--fund 0x…]

Deploys our own USDG, stock tokens and price feeds to the stage's test chain, as far as they are not there, writes their
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
type Print = (line: string) => void;
type Options = { readonly stage: string; readonly fund: `0x${string}` | undefined; readonly file: string };

/** What `npm run testnet` does, with its flags. Answers the exit code: 1 where something is not in order, which it has said. */
export async function testnet(
  flags: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  try {
    const options = readOptions(flags);
    if (options !== undefined) return (await run(options, environment, print)) ? 0 : 1;
    print(usage);
    return 0;
  } catch (error) {
    if (!(error instanceof TestnetError || error instanceof BaseError)) throw error;
    // viem's longer message repeats the whole calldata, and the node's address with the key in it.
    print(error instanceof BaseError ? `${error.shortMessage} ${error.details}` : error.message);
    return 1;
  }
}

async function run({ stage, fund, file }: Options, environment: Environment, print: Print): Promise<boolean> {
  const settings = settingsOf(stage);
  const { chain } = settings;
  refuseMainnet(chain.id);
  const urls = await nodesFor(settings, environment);
  const all = await readTestnets(file);
  const directory = resolve(environment.LOCAL_DIR || ".local");
  const artifacts = await compileContracts(join(directory, "contracts.json"));
  const ask = { chain, urls, account: () => readAccount(environment) };

  // Only hosts: what follows them may be a key.
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
  return check({ ...settings, chain: testnetWith(own) }, urls, print);
}

/** Says of the chain what `stage:check` will say of it: what others have to deploy may be missing. */
async function check(settings: StageSettings, urls: readonly string[], print: Print): Promise<boolean> {
  const found = [
    ...(await checkChain(settings.chain, urls)),
    // Part of no stage's settings: it is at this address wherever it is.
    await checkCode("multicall3", devnetContracts.multicall3, urls),
    ...(await checkStocks(settings, urls)),
  ];
  const faults = found.filter(({ fault }) => fault !== undefined);
  for (const { what, fault } of faults) print(`FAULT     ${what}: ${fault}`);
  print(
    faults.length === 0
      ? `All ${found.length} things that stages need of the chain are in order.`
      : "Others deploy the contracts that have no code: Permit2, Multicall3, x402's proxy, the ERC-8004 registries.",
  );
  return faults.length === 0;
}

function readOptions(args: readonly string[]): Options | undefined {
  const string = { type: "string" } as const;
  const options = {
    stage: string,
    fund: string,
    file: string,
    help: { type: "boolean", short: "h" },
  } as const;
  const { values } = parse(() => parseArgs({ args: [...args], options }));
  if (values.help === true) return undefined;
  if (values.stage === undefined) throw new TestnetError(`Say which stage: --stage dev\n\n${usage}`);
  const fund = AddressInput.optional().safeParse(values.fund);
  if (!fund.success) throw new TestnetError("--fund takes the address of a wallet: 0x and 40 hex digits.");
  return { stage: values.stage, fund: fund.data, file: resolve(values.file ?? committed) };
}

function parse<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    // What was given may be a key, so it is not repeated.
    if (error instanceof TypeError) throw new TestnetError(usage);
    throw error;
  }
}

async function nodesFor(settings: StageSettings, environment: Environment): Promise<readonly string[]> {
  const given = environment.CHAIN_RPC_URL;
  if (!given) return nodesOf(settings);
  const urls = given.split(",").map((url) => url.trim());
  if (urls.every((url) => URL.canParse(url))) return urls;
  throw new TestnetError("CHAIN_RPC_URL has to be addresses of nodes, separated by commas.");
}

/** The wallet that pays. Nothing of the key is ever said, however wrong it is. */
function readAccount({ TESTNET_KEY, TESTNET_KEY_FILE }: Environment): LocalAccount {
  const text = TESTNET_KEY || (TESTNET_KEY_FILE ? readKeyFile(TESTNET_KEY_FILE) : undefined);
  if (text === undefined) {
    throw new TestnetError("Something has to be paid for: set TESTNET_KEY or TESTNET_KEY_FILE (--help).");
  }
  const key = HashInput.safeParse(text.trim());
  if (!key.success) throw new TestnetError("The key is none: it has to be 0x and 64 hex digits.");
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

/** Writes the whole file or nothing, and nothing where it says that already. Answers whether it wrote. */
async function write(file: string, testnets: Testnets): Promise<boolean> {
  const text = `${JSON.stringify(testnets, null, 2)}\n`;
  const before = await readFile(file, "utf8").catch(() => undefined);
  if (before === text) return false;
  await writeFile(`${file}.draft`, text);
  await rename(`${file}.draft`, file);
  return true;
}

if (import.meta.main) {
  process.exitCode = await testnet(process.argv.slice(2), process.env, (line) => console.log(line));
}
