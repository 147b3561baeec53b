import fc from "fast-check";
import { keccak256 } from "viem";
import { describe, expect, test } from "vitest";
import { makeChainError } from "../../../core/chain/call.ts";
import type { Chain } from "../../../core/port/chain.ts";
import { openBlockCache, relayRpcBody } from "../../../core/rpc/index.ts";
import { findDeadEndpoint, startUpstream, type UpstreamCall } from "../adapter/upstream.ts";
import { account, encodeUnsigned, makeRequest, openRelayDesk, sign, transfer } from "./desk.ts";

const raw = await sign(transfer);
const hash = keccak256(raw);
const send = makeRequest("eth_sendRawTransaction", 1, [raw]);

/** A node that reacts to a sent transaction as `taking` says, and that shows the transactions in `shown`. */
function startNode(taking: object | "hang up" | "silence", shown: readonly string[] = []) {
  return startUpstream(({ method, params }: UpstreamCall) => {
    if (method !== "eth_getTransactionByHash") return taking;
    return { result: shown.includes(String(params[0])) ? { hash: params[0] } : null };
  });
}

const makeRefusal = (message: string) => ({ error: { code: -32000, message } });
const unknown = {
  code: -32603,
  message:
    "It is not known whether the transaction was sent. Look for its hash before you sign another transaction.",
};

const authorization = {
  ...(await account.signAuthorization({ chainId: 4663, nonce: 4, address: transfer.to })),
  chainId: 4663,
};
const legacy = { type: "legacy", nonce: 3, to: transfer.to, value: 7n, gas: 21_000n, gasPrice: 10n } as const;
const { maxFeePerGas, maxPriorityFeePerGas, ...priceless } = transfer;

test.each([
  ["legacy, with EIP-155", sign({ ...legacy, chainId: 4663 })],
  ["EIP-2930", sign({ ...priceless, type: "eip2930", gasPrice: 10n, accessList: [] })],
  ["EIP-1559", sign(transfer)],
  ["EIP-7702", sign({ ...transfer, type: "eip7702", authorizationList: [authorization] })],
  ["in capitals", sign(transfer).then((given) => `0x${given.slice(2).toUpperCase()}`)],
])("a transaction for this chain is sent unchanged: %s", async (_, given) => {
  const params = [await given];
  const chain = await startUpstream(({ params: [sent] }) => ({
    result: keccak256(`0x${String(sent).slice(2)}`),
  }));
  const answer = await openRelayDesk([chain]).ask(makeRequest("eth_sendRawTransaction", 1, params));
  expect(answer).toMatchObject({ id: 1, result: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  expect(chain.calls).toEqual([{ method: "eth_sendRawTransaction", params }]);
});

describe("a transaction is checked before a node is asked", () => {
  const blobs = {
    ...transfer,
    type: "eip4844",
    blobVersionedHashes: [`0x01${"00".repeat(31)}`],
    maxFeePerBlobGas: 1n,
    sidecars: false,
  } as const;
  test.each([
    ["another chain's", sign({ ...transfer, chainId: 1 }), /signed for chain 1, but this chain is 4663/],
    ["the test network's", sign({ ...legacy, chainId: 46_630 }), /chain 46630/],
    ["one that any chain would take", sign(legacy), /names no chain/],
    ["an unsigned one", encodeUnsigned(transfer), /not signed/],
    ["an unsigned legacy one", encodeUnsigned({ ...legacy, chainId: 4663 }), /not signed/],
    ["one with blobs", sign(blobs), /accepts no blobs/],
    ["half of one", raw.slice(0, 100), /not a transaction/],
    ["one with something behind it", `${raw}00`, /not a transaction/],
    ["an unknown type", `0x7e${raw.slice(4)}`, /not a transaction/],
    ["nothing", "0x", /one signed transaction/],
    ["odd digits", `${raw}0`, /one signed transaction/],
    ["text", "hello", /one signed transaction/],
    ["a number", 5, /one signed transaction/],
    ["null", null, /one signed transaction/],
  ])("a transaction is refused without asking a node: %s", async (_, given, message) => {
    const chain = await startNode({ result: hash });
    expect(
      await openRelayDesk([chain]).ask(makeRequest("eth_sendRawTransaction", "s", [await given])),
    ).toEqual({
      jsonrpc: "2.0",
      id: "s",
      error: { code: -32602, message: expect.stringMatching(message) },
    });
    expect(chain.calls).toEqual([]);
  });

  test("a damaged transaction is refused", async () => {
    const { ask } = openRelayDesk([await startNode({ result: hash })]);
    const damaged = fc.tuple(fc.nat(raw.length - 3), fc.constantFrom(..."0123456789abcdef"), fc.nat(40));
    await fc.assert(
      fc.asyncProperty(fc.array(damaged, { maxLength: 6 }), async (damages) => {
        const given = damages.reduce(
          (text, [at, digit, cut]) => `${text.slice(0, at + 2)}${digit}${text.slice(at + 3 + cut * 2)}`,
          `${raw}`,
        );
        const answer = await ask(makeRequest("eth_sendRawTransaction", 1, [given]));
        if (given === raw) expect(answer).toMatchObject({ result: hash });
        else expect(answer).toMatchObject({ id: 1, error: { code: expect.any(Number) } });
      }),
      { seed: 59, numRuns: 300 },
    );
  });

  test.each([[[]], [[raw, raw]], [[raw, "0x1"]]])(
    "a call of eth_sendRawTransaction that does not have exactly one parameter is refused without asking a node",
    async (params) => {
      const chain = await startNode({ result: hash });
      const answer = await openRelayDesk([chain]).ask(makeRequest("eth_sendRawTransaction", 1, params));
      expect(answer).toMatchObject({ error: { code: -32602 } });
      expect(chain.calls).toEqual([]);
    },
  );
});

test.each(["nonce too low", "already known", "insufficient funds for gas * price + value"])(
  "a node's answer is passed on, and the transaction is not sent to another node: %s",
  async (message) => {
    const [first, second] = [await startNode(makeRefusal(message)), await startNode({ result: hash })];
    expect(await openRelayDesk([first, second]).ask(send)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      ...makeRefusal(message),
    });
    expect(second.count("eth_sendRawTransaction")).toBe(0);
  },
);

describe("a transaction is sent to the next node when a node stays silent", () => {
  test.each([
    ["hang up", 10_000],
    ["silence", 500],
  ] as const)(
    "when a node stays silent, the transaction is sent once to the next node (%s)",
    async (trouble, trip) => {
      const [first, second] = [await startNode(trouble), await startNode({ result: hash })];
      const { ask } = openRelayDesk([first, second], { times: { trip } });
      expect(await ask(send)).toEqual({ jsonrpc: "2.0", id: 1, result: hash });
      const sent = [first, second].map((each) => each.calls.filter(({ method }) => method.includes("send")));
      expect(sent).toEqual([1, 1].map(() => [{ method: "eth_sendRawTransaction", params: [raw] }]));
    },
  );

  test.each(["already known", "nonce too low", "transaction underpriced"])(
    'the caller gets the hash of the transaction if the next node says "%s" but the chain shows the transaction',
    async (message) => {
      const nodes = [await startNode("hang up"), await startNode(makeRefusal(message), [hash])];
      expect(await openRelayDesk(nodes).ask(send)).toEqual({ jsonrpc: "2.0", id: 1, result: hash });
    },
  );

  test("if the next node refuses a transaction and no node shows it, the outcome is unknown, and the answer contains the transaction's hash", async () => {
    const nodes = [await startNode("hang up"), await startNode(makeRefusal("nonce too low"))];
    expect(await openRelayDesk(nodes).ask(send)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { ...unknown, data: { transactionHash: hash, node: "nonce too low" } },
    });
  });

  test("the outcome of a transaction is unknown after two tries at a single silent node", async () => {
    const alone = await startNode("hang up");
    expect(await openRelayDesk([alone]).ask(send)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { ...unknown, data: { transactionHash: hash } },
    });
    expect(alone.count("eth_sendRawTransaction")).toBe(2);
  });

  test("a node's answer with another transaction's hash does not count", async () => {
    const liar = await startNode({ result: `0x${"00".repeat(32)}` });
    expect(await openRelayDesk([liar]).ask(send)).toMatchObject({
      error: { data: { transactionHash: hash } },
    });
    const taker = await startNode({ result: `0x${"00".repeat(32)}` }, [hash]);
    expect(await openRelayDesk([taker]).ask(send)).toMatchObject({ result: hash });
  });
});

test("a transaction that reached no node is reported as not sent", async () => {
  const limited = await startUpstream(() => ({ status: 429 }));
  expect(await openRelayDesk([await findDeadEndpoint(), limited]).ask(send)).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: { code: -32603, message: "The transaction was not sent: the chain cannot be reached right now." },
  });
});

test("several transactions of a batch are sent one after the other in order, while the batch's reads continue", async () => {
  const raws = await Promise.all([3, 4, 5].map((nonce) => sign({ ...transfer, nonce })));
  const chain = await startUpstream(({ method, params }) => ({
    result: method === "eth_gasPrice" ? "0x1" : keccak256(`0x${String(params[0]).slice(2)}`),
  }));
  const batch = raws.map((each, id) => makeRequest("eth_sendRawTransaction", id, [each]));
  expect(await openRelayDesk([chain]).ask([...batch, makeRequest("eth_gasPrice", 3)])).toEqual([
    ...raws.map((each, id) => ({ jsonrpc: "2.0", id, result: keccak256(each) })),
    { jsonrpc: "2.0", id: 3, result: "0x1" },
  ]);
  const sent = chain.calls.filter(({ method }) => method === "eth_sendRawTransaction");
  expect(sent.map(({ params }) => params[0])).toEqual(raws);
});

test("all calls to the chain for one request end within twenty seconds", async () => {
  const asked: (readonly [string | undefined, number | undefined])[] = [];
  const chain: Chain = {
    async batch([first], limits) {
      asked.push([first?.method, limits?.until]);
      throw makeChainError("no answer", new Error("silent"));
    },
  };
  const clock = { now: () => 1_000 };
  const body = JSON.stringify([send, makeRequest("eth_gasPrice", 2)]);
  const spend = async () => undefined;
  await relayRpcBody({ chain, clock, chainId: 4663, blocks: openBlockCache(), spend }, body);
  expect(asked.toSorted()).toEqual([
    ["eth_gasPrice", 21_000],
    ["eth_getTransactionByHash", 21_000],
    ["eth_sendRawTransaction", 21_000],
    ["eth_sendRawTransaction", 21_000],
  ]);
});
