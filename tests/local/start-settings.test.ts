import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readSettings, SettingsError } from "../../local/settings.ts";

test("a start without options uses the default settings", () => {
  expect(readSettings([], {})).toEqual({
    port: 3000,
    anvilPort: 8545,
    devnetGasPrice: 10_000_000n,
    chainRpcUrl: undefined,
    relayRpcUrl: undefined,
    database: "embedded",
    bedrockUrl: undefined,
    stockApiUrl: undefined,
    newsUrl: undefined,
    rough: undefined,
    directory: resolve(".local"),
    fresh: false,
    seed: true,
  });
});

test("every setting and flag takes effect", () => {
  const environment = {
    PORT: "0",
    ANVIL_PORT: "9545",
    DEVNET_GAS_GWEI: "0.1",
    CHAIN_RPC_URL: "http://127.0.0.1:1/a",
    RELAY_RPC_URL: "http://127.0.0.1:1/b",
    DYNAMODB: "http://127.0.0.1:8000",
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: "http://127.0.0.1:2",
    STOCK_API_URL: "http://127.0.0.1:3",
    NEWS_URL: "https://news.example/rss",
    ROUGH: "a seed",
    LOCAL_DIR: "/somewhere/else",
    HOME: "/ignored",
  };
  expect(readSettings(["--fresh", "--no-seed"], environment)).toEqual({
    port: 0,
    anvilPort: 9545,
    devnetGasPrice: 100_000_000n,
    chainRpcUrl: "http://127.0.0.1:1/a",
    relayRpcUrl: "http://127.0.0.1:1/b",
    database: "http://127.0.0.1:8000",
    bedrockUrl: "http://127.0.0.1:2",
    stockApiUrl: "http://127.0.0.1:3",
    newsUrl: "https://news.example/rss",
    rough: "a seed",
    directory: "/somewhere/else",
    fresh: true,
    seed: false,
  });
});

test("the RPC relay uses the service's nodes unless the settings name nodes for the relay", () => {
  const nodes = "http://127.0.0.1:1/a,http://127.0.0.1:1/b";
  expect(readSettings([], { CHAIN_RPC_URL: nodes })).toMatchObject({ relayRpcUrl: nodes });
});

test("an empty environment variable counts as not set", () => {
  expect(readSettings([], { PORT: "", NEWS_URL: "" })).toMatchObject({ port: 3000, newsUrl: undefined });
});

test.each(["--help", "-h"])("the flag %s is read as a request for help", (flag) => {
  expect(readSettings([flag], {})).toBeUndefined();
});

test.each([
  { PORT: "abc" },
  { PORT: "65536" },
  { PORT: "-1" },
  { ANVIL_PORT: "80.5" },
  { DEVNET_GAS_GWEI: "-1" },
  { CHAIN_RPC_URL: "localhost:8545" },
  { CHAIN_RPC_URL: "http://127.0.0.1:8545,nowhere" },
  { RELAY_RPC_URL: "nowhere" },
  { DYNAMODB: "mysql" },
  { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: "ftp://model" },
  { STOCK_API_URL: "nowhere" },
  { NEWS_URL: "nowhere" },
])(
  "the settings %o are refused, and the message names the setting and the value",
  (environment: Record<string, string>) => {
    const [[name = "", value = ""] = []] = Object.entries(environment);
    const read = () => readSettings([], environment);
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(new RegExp(`^${name} must be .*, not "${value}"\\.$`));
  },
);

test.each([
  [["--frsh"], "--frsh"],
  [["now"], "now"],
  [["--fresh=yes"], "--fresh"],
])("the flags %o are refused, and the message names the flag that is invalid", (flags, culprit) => {
  const read = () => readSettings(flags, {});
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(culprit);
});
