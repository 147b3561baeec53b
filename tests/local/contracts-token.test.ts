import {
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  multicall3Abi,
  parseAbi,
  parseUnits,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  devnetContracts as at,
  devnetStocks,
  platformAccount,
  platformIndexes,
  testAccount,
} from "../../local/devnet/accounts.ts";
import { devnetClient, startTestDevnet, type TestDevnet } from "../support/devnet.ts";

const issuer = testAccount(0);
const holder = testAccount(5);
const other = testAccount(6);

const usdgAbi = [
  ...erc20Abi,
  ...parseAbi([
    "function mint(address to, uint256 amount)",
    "function pause()",
    "function unpause()",
    "function freeze(address account)",
    "function unfreeze(address account)",
    "error ContractPaused()",
    "error AddressFrozen()",
    "error ZeroAddress()",
    "error InsufficientFunds()",
    "error InsufficientAllowance()",
    "error NotIssuer()",
  ]),
] as const;
const usdg = { address: at.usdg, abi: usdgAbi } as const;

const beaconSlot = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";
const stockAbi = parseAbi([
  "function uiMultiplier() view returns (uint256)",
  "function setUiMultiplier(uint256 newMultiplier)",
  "error NotIssuer()",
  "error InvalidMultiplier()",
]);
const feedAbi = parseAbi([
  "function decimals() view returns (uint8)",
  "function description() view returns (string)",
  "function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)",
  "function setAnswer(int256 answer)",
  "error PriceNotPositive()",
]);

let devnet: TestDevnet;
let client: ReturnType<typeof devnetClient>;

beforeAll(async () => {
  devnet = await startTestDevnet();
  client = devnetClient(devnet.rpcUrl);
});
afterAll(() => devnet.stop());

const asIssuer = { account: issuer, ...usdg } as const;
const transfer = { account: holder, ...usdg, functionName: "transfer", args: [other.address, 1n] } as const;
const approve = { account: holder, ...usdg, functionName: "approve", args: [other.address, 1n] } as const;
const usdgOf = (owner: `0x${string}`) =>
  client.readContract({ ...usdg, functionName: "balanceOf", args: [owner] });

describe("the start of the chain", () => {
  test("the start of the chain gives every test account ETH and 10,000 USDG, and approves nothing", async () => {
    for (let index = 0; index < 10; index += 1) {
      const { address } = testAccount(index);
      expect(await client.getBalance({ address })).toBeGreaterThan(parseUnits("9999", 18));
      expect(await usdgOf(address)).toBe(parseUnits("10000", 6));
      const args = [address, at.permit2] as const;
      expect(await client.readContract({ ...usdg, functionName: "allowance", args })).toBe(0n);
    }
  });

  test("the start of the chain gives relayers and auditor 100 ETH each, and the platform's wallets no USDG", async () => {
    for (const index of [...platformIndexes.relayers, platformIndexes.auditor]) {
      const { address } = platformAccount(index);
      expect(await client.getBalance({ address })).toBe(parseUnits("100", 18));
    }
    expect(await usdgOf(platformAccount(platformIndexes.treasury).address)).toBe(0n);
  });
});

describe("USDG", () => {
  test("USDG has six decimals and its name", async () => {
    const read = (functionName: "name" | "symbol" | "decimals") =>
      client.readContract({ ...usdg, functionName });
    expect(await read("name")).toBe("Global Dollar");
    expect(await read("symbol")).toBe("USDG");
    expect(await read("decimals")).toBe(6);
  });

  test("USDG refuses a transfer above the balance, and one to the zero address", async () => {
    const balance = await usdgOf(holder.address);
    const tooMuch = { ...transfer, args: [other.address, balance + 1n] } as const;
    await expect(client.simulateContract(tooMuch)).rejects.toThrow("InsufficientFunds");
    const toNobody = { ...transfer, args: [zeroAddress, 1n] } as const;
    await expect(client.simulateContract(toNobody)).rejects.toThrow("ZeroAddress");
    const forNobody = { ...approve, args: [zeroAddress, 1n] } as const;
    await expect(client.simulateContract(forNobody)).rejects.toThrow("ZeroAddress");
    const args = [holder.address, other.address, 1n] as const;
    const taken = { ...usdg, account: other, functionName: "transferFrom", args } as const;
    await expect(client.simulateContract(taken)).rejects.toThrow("InsufficientAllowance");
  });

  test("USDG deducts every transfer from the allowance, even the largest allowance", async () => {
    await client.writeContractSync({ ...approve, args: [other.address, maxUint256] });
    const args = [holder.address, testAccount(7).address, 7n] as const;
    await client.writeContractSync({ ...usdg, account: other, functionName: "transferFrom", args });
    const between = [holder.address, other.address] as const;
    expect(await client.readContract({ ...usdg, functionName: "allowance", args: between })).toBe(
      maxUint256 - 7n,
    );
  });

  test("USDG refuses transfers and approvals while paused, though its issuer still mints", async () => {
    await client.writeContractSync({ ...asIssuer, functionName: "pause" });
    await expect(client.simulateContract(transfer)).rejects.toThrow("ContractPaused");
    await expect(client.simulateContract(approve)).rejects.toThrow("ContractPaused");
    await client.simulateContract({ ...asIssuer, functionName: "mint", args: [holder.address, 1n] });
    await client.writeContractSync({ ...asIssuer, functionName: "unpause" });
    await client.simulateContract(transfer);
  });

  test("USDG moves neither from nor to a frozen account", async () => {
    for (const frozen of [holder.address, other.address]) {
      await client.writeContractSync({ ...asIssuer, functionName: "freeze", args: [frozen] });
      await expect(client.simulateContract(transfer)).rejects.toThrow("AddressFrozen");
      await expect(client.simulateContract(approve)).rejects.toThrow("AddressFrozen");
      await client.writeContractSync({ ...asIssuer, functionName: "unfreeze", args: [frozen] });
    }
    await client.simulateContract(transfer);
  });

  test("USDG obeys only its issuer", async () => {
    const asHolder = { ...usdg, account: holder } as const;
    const refused = "NotIssuer";
    await expect(client.simulateContract({ ...asHolder, functionName: "pause" })).rejects.toThrow(refused);
    const mint = { ...asHolder, functionName: "mint", args: [holder.address, 1n] } as const;
    await expect(client.simulateContract(mint)).rejects.toThrow(refused);
    const freeze = { ...asHolder, functionName: "freeze", args: [other.address] } as const;
    await expect(client.simulateContract(freeze)).rejects.toThrow(refused);
  });
});

describe("stock tokens", () => {
  test("stock tokens are beacon proxies with 18 decimals, a symbol and a multiplier of one", async () => {
    for (const { symbol, name, token } of devnetStocks) {
      const slot = await client.getStorageAt({ address: token, slot: beaconSlot });
      expect(slot).toBe(`0x${at.stockBeacon.slice(2).padStart(64, "0")}`);
      const erc20 = { address: token, abi: erc20Abi } as const;
      expect(await client.readContract({ ...erc20, functionName: "symbol" })).toBe(symbol);
      expect(await client.readContract({ ...erc20, functionName: "name" })).toBe(name);
      expect(await client.readContract({ ...erc20, functionName: "decimals" })).toBe(18);
      const multiplier = { address: token, abi: stockAbi, functionName: "uiMultiplier" } as const;
      expect(await client.readContract(multiplier)).toBe(10n ** 18n);
    }
  });

  test("stock tokens are held by accounts 1 to 3, each of other stocks", async () => {
    const held = await Promise.all(
      [0, 1, 2, 3, 4].map(async (index) => {
        const args = [testAccount(index).address] as const;
        const balances = devnetStocks.map(async ({ symbol, token: address }) => {
          const call = { address, abi: erc20Abi, functionName: "balanceOf", args } as const;
          return (await client.readContract(call)) > 0n ? [symbol] : [];
        });
        return (await Promise.all(balances)).flat();
      }),
    );
    expect(held).toEqual([[], ["AAPL", "NVDA"], ["TSLA", "MSFT"], ["AAPL", "GOOGL"], []]);
  });

  test("stock tokens take a new multiplier only from the issuer", async () => {
    const [stock] = devnetStocks;
    if (stock === undefined) throw new Error("There are no stocks.");
    const change = { address: stock.token, abi: stockAbi, functionName: "setUiMultiplier" } as const;
    const doubled = { ...change, args: [2n * 10n ** 18n] } as const;
    await expect(client.simulateContract({ account: holder, ...doubled })).rejects.toThrow("NotIssuer");
    const zero = { account: issuer, ...change, args: [0n] } as const;
    await expect(client.simulateContract(zero)).rejects.toThrow("InvalidMultiplier");
    await client.writeContractSync({ account: issuer, ...doubled });
    expect(await client.readContract({ ...change, functionName: "uiMultiplier" })).toBe(2n * 10n ** 18n);
  });

  test("stock tokens have price feeds that repeat their answer every hour, as a maintained feed does", async () => {
    const [stock] = devnetStocks;
    if (stock === undefined) throw new Error("There are no stocks.");
    const feed = { address: stock.feed, abi: feedAbi, functionName: "latestRoundData" } as const;
    const [, answer, , first] = await client.readContract(feed);
    for (const [seconds, repeats] of [
      [3_599n, 0n],
      [3_600n, 1n],
      [100n * 3_600n + 5n, 100n],
    ] as const) {
      const later = await client.readContract({ ...feed, blockOverrides: { time: first + seconds } });
      const at = first + repeats * 3_600n;
      expect(later).toEqual([1n, answer, at, at, 1n]);
    }
  });

  test("stock tokens have price feeds with 8 decimals that account 0 sets", async () => {
    for (const { symbol, feed: address, price } of devnetStocks) {
      const feed = { address, abi: feedAbi } as const;
      expect(await client.readContract({ ...feed, functionName: "decimals" })).toBe(8);
      expect(await client.readContract({ ...feed, functionName: "description" })).toBe(`${symbol} / USD`);
      const [round, answer] = await client.readContract({ ...feed, functionName: "latestRoundData" });
      expect([round, answer]).toEqual([1n, price]);
      await client.writeContractSync({
        account: issuer,
        ...feed,
        functionName: "setAnswer",
        args: [price + 1n],
      });
      const [next, changed] = await client.readContract({ ...feed, functionName: "latestRoundData" });
      expect([next, changed]).toEqual([2n, price + 1n]);
      const free = { account: issuer, ...feed, functionName: "setAnswer", args: [0n] } as const;
      await expect(client.simulateContract(free)).rejects.toThrow("PriceNotPositive");
    }
  });
});

describe("Multicall3", () => {
  test("Multicall3 has the canonical selectors", async () => {
    const { methods } = (await devnet.artifacts()).Multicall3 ?? { methods: {} };
    expect(methods).toMatchObject({
      "aggregate3((address,bool,bytes)[])": "0x82ad56cb",
      "tryAggregate(bool,(address,bytes)[])": "0xbce38bd7",
      "getEthBalance(address)": "0x4d2301cc",
      "getCurrentBlockTimestamp()": toFunctionSelector("getCurrentBlockTimestamp()"),
    });
  });

  test("Multicall3 answers viem's multicall, with failures if they are allowed", async () => {
    const balanceOf = { ...usdg, functionName: "balanceOf", args: [other.address] } as const;
    const missing = { address: at.usdg, abi: stockAbi, functionName: "uiMultiplier" } as const;
    const multicall = { contracts: [balanceOf, missing], multicallAddress: at.multicall3 } as const;
    const [found, failed] = await client.multicall(multicall);
    expect(found.result).toBe(parseUnits("10000", 6));
    expect(failed.status).toBe("failure");
    const callData = encodeFunctionData({ abi: stockAbi, functionName: "uiMultiplier" });
    const strict = { address: at.multicall3, abi: multicall3Abi, functionName: "aggregate3" } as const;
    const calls = [{ target: at.usdg, allowFailure: false, callData }];
    await expect(client.readContract({ ...strict, args: [calls] })).rejects.toThrow(
      "Multicall3: call failed",
    );
  });
});
