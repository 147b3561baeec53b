import { randomBytes } from "node:crypto";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { openFileJournal } from "../client/file-journal.ts";
import { type Market, MarketError, openMarket } from "../client/index.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The options that every command accepts. */
export type BaseOptions = {
  readonly origin?: string;
  readonly keyFile?: string;
  readonly state?: string;
  readonly rpc?: string;
  readonly json?: true;
};

/** Environment variables that can replace flags of a command, with the texts that the help shows for them. */
export const variables = {
  PRESSES_ORIGIN: "the marketplace's address; http://localhost:3000 unless set",
  PRESSES_KEY: "the wallet's private key, 0x and 64 hexadecimal digits",
  PRESSES_KEY_FILE: "a file that holds the key; <state>/key unless set",
  PRESSES_STATE: "where signatures, receipts and the key are kept; ~/.local/state/presses unless set",
  PRESSES_RPC_URL: "a node of your own to ask about the chain; the marketplace's proxy unless set",
} as const;

function findFolder({ state }: BaseOptions, environment: Environment): string {
  const { XDG_STATE_HOME: home = join(homedir(), ".local", "state") } = environment;
  return state ?? environment.PRESSES_STATE ?? join(home, "presses");
}

function findKeyFile(options: BaseOptions, environment: Environment): string {
  return options.keyFile ?? environment.PRESSES_KEY_FILE ?? join(findFolder(options, environment), "key");
}

export type WalletNeed = "nothing" | "wallet" | "wallet-if-any";

/** Makes the client that a command uses, with a wallet if the command needs one. Throws MarketError. */
export async function makeMarket(
  options: BaseOptions,
  environment: Environment,
  walletNeed: WalletNeed,
): Promise<Market> {
  const origin = options.origin ?? environment.PRESSES_ORIGIN ?? "http://localhost:3000";
  if (!URL.canParse(origin) || !/^https?:$/.test(new URL(origin).protocol))
    throw new MarketError("invalid_origin", `${origin} is no address of a marketplace.`);
  const rpcUrl = options.rpc ?? environment.PRESSES_RPC_URL;
  const account = walletNeed === "nothing" ? undefined : await readAccount(options, environment, walletNeed);
  return openMarket({
    origin,
    ...(rpcUrl !== undefined && { rpcUrl }),
    ...(account !== undefined && {
      account,
      journal: openFileJournal(join(findFolder(options, environment), "receipts")),
    }),
  });
}

/** Reads the wallet's private key from the environment, or else from the key file. The private key is never printed. */
async function readAccount(
  options: BaseOptions,
  environment: Environment,
  walletNeed: WalletNeed,
): Promise<LocalAccount | undefined> {
  const file = findKeyFile(options, environment);
  const given = options.keyFile === undefined ? environment.PRESSES_KEY : undefined;
  const text = given ?? (await readKeyFile(file, walletNeed));
  if (text === undefined) return undefined;
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text.trim())?.[1];
  if (digits === undefined) {
    const where = given === undefined ? file : "PRESSES_KEY";
    throw new MarketError("invalid_key", `${where} holds no private key: 0x and 64 hexadecimal digits.`);
  }
  return privateKeyToAccount(`0x${digits}`);
}

async function readKeyFile(file: string, walletNeed: WalletNeed): Promise<string | undefined> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new MarketError("open_key", `Other users can read ${file}. Run: chmod 600 ${file}`);
    }
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof MarketError) throw cause;
    if (walletNeed === "wallet-if-any") return undefined;
    const advice = "Set PRESSES_KEY, give a --key-file, or make a new key: presses wallet --create";
    throw new MarketError("no_key", `There is no key in ${file}. ${advice}`, { cause });
  }
}

/** Makes a new private key and returns the path of its file. Throws `key_exists` if the file already exists. */
export async function createKey(options: BaseOptions, environment: Environment): Promise<string> {
  const file = findKeyFile(options, environment);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const key = `0x${randomBytes(32).toString("hex")}\n`;
    await writeFile(file, key, { flag: "wx", mode: 0o600, flush: true });
  } catch (cause) {
    throw new MarketError("key_exists", `${file} is there already, or cannot be written.`, { cause });
  }
  return file;
}
