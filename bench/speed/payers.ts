import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, x402Client, x402HTTPClient } from "@x402/fetch";
import { keccak256, stringToHex, zeroHash } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { waitForTransactionReceipt, writeContract } from "viem/actions";
import { numberToHex } from "viem/utils";
import * as z from "zod";
import { reputationAbi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import type { Address } from "../../core/chain/hex.ts";
import { pageUrl } from "../../core/press/links.ts";
import * as runtime from "../../functions/lib/runtime.ts";
import { type Published, playPublisher, relayClient } from "../../local/demo/index.ts";
import { testAccount } from "../../local/devnet/accounts.ts";
import { callRpc, callRpcs, postRpc, type RpcCall } from "../../local/devnet/node.ts";
import { chainClient } from "../../local/seed/client.ts";
import { type Listening, listen } from "../../local/stand-in.ts";
import { grant } from "../../tests/support/crowd.ts";
import { httpClient } from "../../tests/support/http-payer.ts";
import { nothing } from "../cost/ledger.ts";
import { type Measured, startMeasured } from "../cost/service.ts";
import { at, sortNumbers } from "./report.ts";

export type Method = "permit2" | "eip3009";

/** The address where a server takes a payment, and the request's body. */
export type Till = { readonly url: string; readonly body: string };

/** A signed payment that waits to be sent. */
export type SignedPayment = { readonly till: Till; readonly headers: Readonly<Record<string, string>> };

/** The outcome of a payment; `undefined` for anything but a 200 that names its transaction. */
export type Outcome = {
  readonly status: number;
  readonly milliseconds: number;
  readonly txHash: string | undefined;
  /** The refusal, if the payment failed. */
  readonly refusal: string | undefined;
};

/** USDG base units that every payer has. */
const purse = 5_000_000n;

const network = `eip155:${mainnet.chainId}` as const;
const json = { "content-type": "application/json" } as const;

let made = 0;

/** Makes new wallets with USDG that Permit2 may move. */
export async function newPayers(rpcUrl: string, count: number): Promise<readonly PrivateKeyAccount[]> {
  const run = `${process.pid} ${performance.timeOrigin}`;
  const payers = Array.from({ length: count }, () =>
    privateKeyToAccount(keccak256(stringToHex(`a payer of the bench ${run} ${made++}`))),
  );
  await grantAll(
    rpcUrl,
    payers.map(({ address }) => address),
    purse,
  );
  return payers;
}

type Terms = Parameters<x402Client["createPaymentPayload"]>[0];

/**
 * The terms of a till, as the official client reads them; `undefined` if the till does not offer the method.
 */
export async function termsOf(till: Till, method: Method): Promise<Terms | undefined> {
  const answer = await fetch(till.url, { method: "POST", headers: json, body: till.body });
  if (answer.status !== 402)
    throw new Error(`${till.url} offered no terms: ${answer.status} ${await answer.text()}`);
  const read = new x402HTTPClient(new x402Client());
  const terms = read.getPaymentRequiredResponse((name) => answer.headers.get(name), await answer.json());
  const [entry] = terms.accepts;
  return entry?.extra.assetTransferMethod === method ? terms : undefined;
}

/** Lets the official client sign a payment for each payer before the clock starts. */
export async function signAll(
  till: Till,
  terms: Terms,
  payers: readonly PrivateKeyAccount[],
): Promise<readonly SignedPayment[]> {
  const orders: SignedPayment[] = [];
  for (const payer of payers) {
    const client = new x402Client()
      .register(network, new ExactEvmScheme(payer))
      .setSpendControls({ allowedAssets: [{ network, asset: mainnet.contracts.usdg }] });
    const payload = await client.createPaymentPayload(terms);
    orders.push({ till, headers: new x402HTTPClient(client).encodePaymentSignatureHeader(payload) });
  }
  return orders;
}

/** Milliseconds after which a payer gives up. Gateways give up earlier. */
const patience = 30_000;

/** Sends one payment and waits for its answer. */
export async function send({ till, headers }: SignedPayment): Promise<Outcome> {
  const began = performance.now();
  const ended = (status: number, how: Pick<Outcome, "txHash" | "refusal">) => ({
    status,
    milliseconds: performance.now() - began,
    ...how,
  });
  try {
    const answer = await fetch(till.url, {
      method: "POST",
      headers: { ...json, ...headers },
      body: till.body,
      signal: AbortSignal.timeout(patience),
    });
    const said = await answer.text();
    const receipt = answer.headers.get("payment-response");
    if (answer.status === 200 && receipt !== null) {
      const { transaction } = decodePaymentResponseHeader(receipt);
      return ended(200, { txHash: transaction, refusal: undefined });
    }
    return ended(answer.status, {
      txHash: undefined,
      refusal: /"code":"(\w+)"/.exec(said)?.[1] ?? said.slice(0, 100),
    });
  } catch (error) {
    return ended(0, { txHash: undefined, refusal: `no answer: ${error}` });
  }
}

export type CountingNode = Listening & {
  /** Milliseconds that every answer is delayed, as if the node were that far away. */
  delay: number;
  /** HTTP requests so far. Each may carry many calls. */
  trips: number;
};

/** Starts a proxy between the node and one of the servers. */
export async function startCountingNode(rpcUrl: string): Promise<CountingNode> {
  const server = createServer((request, response) => {
    const answer = async () => {
      node.trips += 1;
      const said = await postRpc(rpcUrl, await text(request));
      if (node.delay > 0) await sleep(node.delay);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(said);
    };
    // A busy machine may break a connection to the devnet. The server sees that as a fault of the node.
    answer().catch(() => response.destroy());
  });
  const node: CountingNode = { ...(await listen(server, 0)), delay: 0, trips: 0 };
  return node;
}

/** The number of calls that the devnet accepts in one request. */
const callsAtOnce = 20;

async function callAll(rpcUrl: string, calls: readonly RpcCall[]): Promise<void> {
  for (let first = 0; first < calls.length; first += callsAtOnce) {
    const some = calls.slice(first, first + callsAtOnce);
    for (const outcome of await retryOnce(() => callRpcs(rpcUrl, some))) {
      if (outcome.status === "rejected") throw outcome.reason;
    }
  }
}

/** Gives each wallet `units` base units of USDG and lets Permit2 move them. */
async function grantAll(rpcUrl: string, wallets: readonly Address[], units: bigint): Promise<void> {
  await callAll(
    rpcUrl,
    wallets.flatMap((wallet) => grant(wallet, units)),
  );
}

/** Retries once if the devnet closes an idle connection at that moment. Repeating these calls is harmless. */
function retryOnce<Value>(call: () => Promise<Value>): Promise<Value> {
  return call().catch(call);
}

/** More wei than any bench spends. */
const wealth = 10n ** 20n;

export async function fund(rpcUrl: string, wallets: readonly Address[]): Promise<void> {
  await callAll(
    rpcUrl,
    wallets.map((wallet) => ({ method: "anvil_setBalance", params: [wallet, numberToHex(wealth)] })),
  );
}

const Receipt = z.object({ gasUsed: z.string().transform(Number) });

export async function gasOf(rpcUrl: string, hash: string): Promise<number> {
  return Receipt.parse(await retryOnce(() => callRpc(rpcUrl, "eth_getTransactionReceipt", [hash]))).gasUsed;
}

/** One kind of request, measured at one number of live presses. */
export type Shelf = {
  readonly operation: string;
  readonly presses: number;
  /** Milliseconds. */
  readonly median: number;
  /** Per request: table requests, and units that the table and the queue bill. */
  readonly tableRequests: number;
  readonly units: number;
  readonly messages: number;
};

type Ask = {
  readonly id: string;
  readonly operation: string;
  readonly ask: (round: number) => Promise<Response | number>;
};

const relayers = 8;

/** Measures each kind of page at each number of live presses. */
export async function measureShelf(sizes: readonly number[], asks: number): Promise<readonly Shelf[]> {
  const service = await startMeasured(relayers);
  const silent = { part: () => undefined, step: () => undefined, text: () => undefined };
  try {
    const site = { origin: service.origin, signal: AbortSignal.timeout(60_000) };
    const press = await playPublisher(site, relayClient(service.origin), silent);
    const cookie = await httpClient(service.origin).signIn(testAccount(8));
    await measurePages(service, press, cookie, { presses: 1, asks });
    const found: Shelf[] = [];
    let filled = 1;
    for (const presses of sizes) {
      await fill(press, filled, presses);
      filled = presses;
      found.push(...(await measurePages(service, press, cookie, { presses, asks })));
    }
    return found;
  } finally {
    await service.stop();
  }
}

async function measurePages(
  service: Measured,
  press: Published,
  cookie: string,
  { presses, asks }: { readonly presses: number; readonly asks: number },
): Promise<readonly Shelf[]> {
  const get = (path: string, headers = {}) => fetch(service.origin + path, { headers });
  const votes = await castVotes(service, press, asks);
  const till = {
    url: `${service.origin}/api/pay/treasury`,
    body: JSON.stringify({ pressId: press.pressId }),
  };
  const terms = await termsOf(till, "permit2");
  if (terms === undefined) throw new Error("The service does not offer Permit2 first.");
  const orders = await signAll(till, terms, await newPayers(service.rpcUrl, asks));
  const kinds: readonly Ask[] = [
    { operation: "list", id: "presses", ask: () => get("/api/presses?limit=100") },
    { operation: "detail", id: "press", ask: () => get(`/api/presses/${press.slug}`) },
    { operation: "quote", id: "quote", ask: () => get("/api/quotes/MSFT") },
    { operation: "dashboard", id: "dashboard", ask: () => get("/api/me/dashboard", { cookie }) },
    {
      operation: "vote",
      id: "votes-record",
      ask: (round) =>
        fetch(`${service.origin}/api/votes/record`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ txHash: votes[round] }),
        }),
    },
    {
      operation: "pay",
      id: "pay-treasury",
      ask: async (round) => {
        const order = orders[round];
        if (order === undefined) throw new Error("There are fewer payers than rounds.");
        return (await send(order)).status;
      },
    },
  ];
  const found: Shelf[] = [];
  for (const { operation, id, ask } of kinds) {
    const timeOf = async (round: number) => {
      const began = performance.now();
      const answer = await ask(round);
      if (typeof answer !== "number") await answer.arrayBuffer();
      const time = performance.now() - began;
      const status = typeof answer === "number" ? answer : answer.status;
      if (status !== 200) throw new Error(`${operation} was answered ${status}`);
      return time;
    };
    // The cleanup after filling the shelf runs meanwhile, so extra reads warm up first.
    const looks = readings.has(operation) ? 3 * asks : 0;
    for (let round = 0; round < looks; round += 1) await timeOf(round);
    const times: number[] = [];
    const used = await service.ledger.of(async () => {
      for (let round = 0; round < Math.max(asks, looks); round += 1) times.push(await timeOf(round));
    });
    const { tableRequests, readUnits, writeUnits, messages } = used.get(id) ?? nothing;
    found.push({
      operation,
      presses,
      median: at(sortNumbers(times), 0.5),
      tableRequests: tableRequests / times.length,
      units: (readUnits + writeUnits) / times.length,
      messages: messages / times.length,
    });
  }
  return found;
}

/** Requests that change nothing can be repeated more often. */
const readings: ReadonlySet<string> = new Set(["list", "detail", "quote", "dashboard"]);

/** Casts votes of new wallets on the chain without telling the service. */
async function castVotes(
  { rpcUrl, origin }: Measured,
  { pressId, slug }: Published,
  count: number,
): Promise<readonly string[]> {
  const chain = chainClient(rpcUrl);
  const voters = await newPayers(rpcUrl, count);
  await fund(
    rpcUrl,
    voters.map(({ address }) => address),
  );
  const args = [BigInt(pressId), 1n, 0, "", "", pageUrl(origin, slug), "", zeroHash] as const;
  const votes = await Promise.all(
    voters.map((account) =>
      writeContract(chain, {
        account,
        address: runtime.settings().contracts.reputationRegistry,
        abi: reputationAbi,
        functionName: "giveFeedback",
        args,
      }),
    ),
  );
  for (const hash of votes) await waitForTransactionReceipt(chain, { hash });
  return votes;
}

/** The number of presses of one publisher, and the number of copies in one write. */
const ofPublisher = 50;
const atOnce = 1_000;

/**
 * Copies the press until the shelf holds `to` presses, with many publishers, each press newer than the one
 * before.
 */
async function fill({ pressId }: Published, from: number, to: number): Promise<void> {
  const { agent, press } = runtime.table().entities;
  const { data: minted } = await agent.get({ pressId }).go();
  const { data } = await press.get({ id: minted?.id ?? -1 }).go();
  if (data === null) throw new Error(`No press has the id ${pressId}`);
  for (let first = from; first < to; first += atOnce) {
    const copies = Array.from({ length: Math.min(atOnce, to - first) }, (_, index) => {
      const copy = first + index;
      return {
        ...data,
        id: data.id + copy,
        pressId: pressId + copy,
        slug: `${data.slug}-${copy}`,
        publisher: numberToHex(1_000 + Math.floor(copy / ofPublisher), { size: 20 }),
        publishedAt: new Date(Date.parse(data.publishedAt ?? "") + copy).toISOString(),
      };
    });
    await press.put(copies).go({ concurrency: 4 });
  }
}
