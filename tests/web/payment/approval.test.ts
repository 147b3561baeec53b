import { custom, defineChain, numberToHex, padHex } from "viem";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createConfig } from "wagmi";
import { connect } from "wagmi/actions";
import { mock } from "wagmi/connectors/mock";
import * as z from "zod";
import { makeDocument } from "../../../core/discovery/index.ts";
import { Discovery } from "../../../web/src/api/discovery.ts";
import { PaymentError } from "../../../web/src/payment/answer.ts";
import { awaitApproval, sendApproval } from "../../../web/src/payment/chain.ts";
import { applyEvent } from "../../../web/src/payment/machine.ts";
import { makeInitialState } from "../../../web/src/payment/state.ts";
import { makePurseConnector } from "../../../web/src/purse/connector.ts";
import { settings } from "../../core/session/settings.ts";
import { makeTxHash, otherWallet, plenty, purchase, wallet } from "./parts.ts";

const Call = z.object({ method: z.string(), params: z.array(z.unknown()).optional() });
const hash = makeTxHash("a");
const due = 500_000n;
const chain = defineChain({
  id: 4663,
  name: "Robinhood Chain",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [] } },
});
const receipt = {
  transactionHash: hash,
  transactionIndex: "0x0",
  blockHash: makeTxHash("b"),
  blockNumber: "0x1",
  from: wallet,
  to: wallet,
  cumulativeGasUsed: "0x1",
  gasUsed: "0x1",
  effectiveGasPrice: "0x1",
  logs: [],
  logsBloom: "0x",
  type: "0x2",
  contractAddress: null,
};

const answers: Readonly<Record<string, string>> = {
  eth_getBalance: "0x1",
  eth_getCode: "0x",
  eth_gasPrice: "0x2",
  eth_estimateGas: "0xb000",
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * The site's client for a fake chain. The fake chain shows a transaction's receipt at once; the allowance that the chain shows depends on
 * the number of polls.
 */
function makeChainClient(
  allowanceAt: (look: number) => bigint | Error,
  status: "0x1" | "0x0" | "unknown" = "0x1",
  isContract = false,
) {
  const methods: string[] = [];
  let looks = 0;
  const answer = (asked: unknown): unknown => {
    const { method, params } = Call.parse(asked);
    methods.push(method);
    if (method === "eth_getTransactionReceipt") return status === "unknown" ? null : { ...receipt, status };
    if (method in answers) return answers[method];
    if (!JSON.stringify(params).includes("0xdd62ed3e")) return padHex("0x989680", { size: 32 });
    const allowance = allowanceAt(looks++);
    if (allowance instanceof Error) throw allowance;
    return padHex(numberToHex(allowance), { size: 32 });
  };
  const transport = custom({ request: async (asked: unknown) => answer(asked) }, { retryCount: 0 });
  const config = createConfig({
    chains: [chain],
    connectors: [mock({ accounts: [otherWallet] })],
    transports: { [chain.id]: transport },
    storage: null,
  });
  const service = Discovery.parse(makeDocument(settings, undefined));
  const purse = makePurseConnector({ chain, service, relay: "" });
  const wallets = { config, chain, service, purse };
  return {
    wallets,
    methods,
    looks: () => looks,
    mined: (before: bigint | undefined = 0n) =>
      awaitApproval(wallets, hash, wallet, { before, due, isContract }),
  };
}

/** Lets time pass. Returns the result of the wait for the allowance if the wait has ended. */
async function waitAndReadResult(milliseconds: number, waiting: Promise<unknown>) {
  const ended = waiting.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(milliseconds);
  return Promise.race([ended, "still waiting"]);
}

test("the site polls until a node shows the allowance, and makes no request to the wallet meanwhile", async () => {
  const node = makeChainClient((look) => (look < 50 ? 0n : due));
  const waiting = node.mined();
  expect(await waitAndReadResult(24_000, waiting)).toBe("still waiting");
  expect(await waitAndReadResult(2_000, waiting)).toMatchObject({
    usdg: 10_000_000n,
    allowance: due,
    gas: 1n,
  });
  expect(node.looks()).toBe(52);
  expect([...new Set(node.methods)].sort()).toEqual([
    "eth_call",
    "eth_estimateGas",
    "eth_gasPrice",
    "eth_getBalance",
    "eth_getCode",
    "eth_getTransactionReceipt",
  ]);
});

test("after thirty seconds, the site says that the approval is slow, and polls again before it asks for a second approval", async () => {
  const node = makeChainClient(() => 0n);
  const waiting = node.mined();
  expect(await waitAndReadResult(29_000, waiting)).toBe("still waiting");
  const end = await waitAndReadResult(2_000, waiting);
  expect(end).toBeInstanceOf(PaymentError);
  expect(end).toMatchObject({ problem: { code: "approvalSlow" } });

  const approving = {
    ...makeInitialState(purchase),
    wallet,
    connected: true,
    funds: plenty,
    way: { method: "permit2", approval: "exact" },
    phase: { name: "approving", tx: hash },
  } as const;
  const stopped = applyEvent(approving, { type: "failed", problem: { code: "approvalSlow" } });
  expect(stopped.phase).toMatchObject({ name: "stopped", back: { name: "funds" } });
  const looking = applyEvent(stopped, { type: "retry" });
  const funds = { ...plenty, usdg: due, allowance: due };
  expect(applyEvent(looking, { type: "funds", funds }).phase).toMatchObject({ name: "terms" });
});

test("the wait for an allowance continues after one poll without an answer, and stops after four polls in a row without an answer", async () => {
  const silence = new Error("429");
  expect(
    await waitAndReadResult(4_000, makeChainClient((look) => (look < 3 ? silence : due)).mined()),
  ).toMatchObject({
    allowance: due,
  });
  expect(await waitAndReadResult(4_000, makeChainClient(() => silence).mined())).toMatchObject({
    name: "ChainSilent",
  });
});

test("the wait for an allowance ends if the user has chosen a smaller allowance, or if the approval has reverted", async () => {
  expect(await waitAndReadResult(1_000, makeChainClient(() => 3n).mined())).toMatchObject({ allowance: 3n });
  expect(await waitAndReadResult(1_000, makeChainClient(() => 0n, "0x0").mined())).toBeUndefined();
});

test("if the node does not know an approval's hash, a contract wallet waits for the allowance, but a plain account waits for the receipt", async () => {
  const makeClient = (isContract: boolean) =>
    makeChainClient((look) => (look < 10 ? 0n : due), "unknown", isContract);
  expect(await waitAndReadResult(10_000, makeClient(true).mined())).toMatchObject({ allowance: due });
  expect(await waitAndReadResult(10_000, makeClient(false).mined())).toBe("still waiting");
});

test("no approval is requested from a wallet other than the wallet for which the page has shown the payment", async () => {
  const { wallets } = makeChainClient(() => 0n);
  for (const connector of wallets.config.connectors) await connect(wallets.config, { connector });
  await expect(sendApproval(wallets, wallet, due)).rejects.toMatchObject({
    problem: { code: "otherWallet" },
  });
});
