import { resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import type { DatabaseEngine } from "./database/index.ts";

/** What one start is told, by flags and by the environment (design §7). */
export type Settings = {
  readonly port: number;
  readonly anvilPort: number;
  /** Where the service finds the chain, with commas between several nodes; its own devnet unless told. */
  readonly chainRpcUrl: string | undefined;
  readonly relayRpcUrl: string | undefined;
  readonly database: DatabaseEngine;
  readonly bedrockUrl: string | undefined;
  readonly stockApiUrl: string | undefined;
  readonly newsUrl: string | undefined;
  /** Seed by which the stand-ins delay, conflict and fail as the real services do; they are quick and kind without one. */
  readonly rough: string | undefined;
  readonly modelDailyUsd: string | undefined;
  /** Absolute. Everything that survives a restart lies below it. */
  readonly directory: string;
  readonly fresh: boolean;
  readonly seed: boolean;
};

/** A setting or flag that cannot be used. The message names it and says what would do. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

export const usage = `Usage: npm start [-- --fresh] [-- --no-seed]

  --fresh     begin anew: forget the chain, the database and the queues
  --no-seed   begin without demo presses
  --help      show this

Settings, all optional, from the environment:

  PORT             port of site and API                          (3000; 0 takes a free one)
  ANVIL_PORT       port of the devnet                            (8545; 0 takes a free one)
  LOCAL_DIR        directory for everything that is kept         (.local)
  CHAIN_RPC_URL    chain nodes of the service, with commas       (the devnet)
  RELAY_RPC_URL    those behind /api/rpc                         (those of CHAIN_RPC_URL)
  DYNAMODB         "embedded", "java" or the address of another  (embedded);
                   "java" is AWS's own, which listens on every interface of this machine
  STOCK_API_URL    stock and price API                           (a stand-in)
  NEWS_URL         news feed                                     (a stand-in)
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME  model                        (a stand-in)
  ROUGH            any text: stand-ins delay, conflict and fail by this seed
  MODEL_DAILY_USD  what the model may cost a day: in all, for all new
                   wallets, for a wallet, for a new wallet       (10,5,2.5,0.5)
`;

const port = (usual: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, "must be a port, 0 to 65535")
    .transform(Number)
    .refine((value) => value <= 65_535, "must be a port, 0 to 65535")
    .default(usual);

const Url = z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" });
const Urls = z.string().refine((list) => list.split(",").every((url) => Url.safeParse(url.trim()).success), {
  error: "must be http:// or https:// addresses, separated by commas",
});
const Amounts = z.string().regex(/^\d+(\.\d+)?(,\d+(\.\d+)?){3}$/, "must be four amounts with commas");
const Engine = z.union(
  [
    z.literal("embedded"),
    z.literal("java"),
    z.templateLiteral(["http://", z.string().min(1)]),
    z.templateLiteral(["https://", z.string().min(1)]),
  ],
  { error: 'must be "embedded", "java" or an http:// address' },
);

const Environment = z.object({
  PORT: port(3000),
  ANVIL_PORT: port(8545),
  CHAIN_RPC_URL: Urls.optional(),
  RELAY_RPC_URL: Urls.optional(),
  DYNAMODB: Engine.default("embedded"),
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: Url.optional(),
  STOCK_API_URL: Url.optional(),
  NEWS_URL: Url.optional(),
  MODEL_DAILY_USD: Amounts.optional(),
  LOCAL_DIR: z.string().default(".local"),
  ROUGH: z.string().optional(),
});

/** Reads the flags and the environment, `undefined` where help is asked for. Throws `SettingsError`. */
export function readSettings(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings | undefined {
  const { fresh, seed, help } = readFlags(flags);
  if (help) return undefined;
  // An empty variable is how a shell says that there is none.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) => {
      const name = path.join(".");
      return `${name} ${message}, not ${JSON.stringify(given[name])}.`;
    });
    throw new SettingsError(reasons.join("\n"));
  }
  const found = parsed.data;
  return {
    port: found.PORT,
    anvilPort: found.ANVIL_PORT,
    chainRpcUrl: found.CHAIN_RPC_URL,
    relayRpcUrl: found.RELAY_RPC_URL ?? found.CHAIN_RPC_URL,
    database: found.DYNAMODB,
    bedrockUrl: found.AWS_ENDPOINT_URL_BEDROCK_RUNTIME,
    stockApiUrl: found.STOCK_API_URL,
    newsUrl: found.NEWS_URL,
    modelDailyUsd: found.MODEL_DAILY_USD,
    directory: resolve(found.LOCAL_DIR),
    rough: found.ROUGH,
    fresh,
    seed,
  };
}

function readFlags(args: readonly string[]) {
  const boolean = { type: "boolean" } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { fresh: boolean, "no-seed": boolean, help: { ...boolean, short: "h" } },
    });
    return {
      fresh: values.fresh === true,
      seed: values["no-seed"] !== true,
      help: values.help === true,
    };
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split(". ")[0] ?? cause.message) : String(cause);
    throw new SettingsError(`${reason.replace(/\.$/, "")}.`, { cause });
  }
}
