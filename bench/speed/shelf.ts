import { zeroHash } from "viem";
import { waitForTransactionReceipt, writeContract } from "viem/actions";
import { numberToHex } from "viem/utils";
import { reputationAbi } from "../../core/chain/abi.ts";
import { pageUrl } from "../../core/press/links.ts";
import * as runtime from "../../functions/lib/runtime.ts";
import { type Published, playPublisher } from "../../local/demo/index.ts";
import { relayClient } from "../../local/demo/wallet.ts";
import { testAccount } from "../../local/devnet/accounts.ts";
import { chainClient } from "../../local/seed/client.ts";
import { httpClient } from "../../tests/support/http-payer.ts";
import { nothing } from "../cost/ledger.ts";
import { type Measured, startMeasured } from "../cost/service.ts";
import { at, sorted } from "./measure.ts";
import { fund, newPayers, send, signAll, termsOf } from "./payers.ts";

/** One kind of request at one number of live presses. */
export type Shelf = {
  readonly operation: string;
  readonly presses: number;
  /** Milliseconds. */
  readonly median: number;
  /** A request: what it asks of the table, and what the table and the queue bill for it. */
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

/** Asks the service for each kind of page so often, at each number of live presses in turn. */
export async function measureShelf(sizes: readonly number[], asks: number): Promise<readonly Shelf[]> {
  const service = await startMeasured(relayers);
  const silent = { part: () => undefined, step: () => undefined, text: () => undefined };
  try {
    const site = { origin: service.origin, signal: AbortSignal.timeout(60_000) };
    const press = await playPublisher(site, relayClient(service.origin), silent);
    const cookie = await httpClient(service.origin).signIn(testAccount(8));
    await measured(service, press, cookie, { presses: 1, asks });
    const found: Shelf[] = [];
    let filled = 1;
    for (const presses of sizes) {
      await fill(press, filled, presses);
      filled = presses;
      found.push(...(await measured(service, press, cookie, { presses, asks })));
    }
    return found;
  } finally {
    await service.stop();
  }
}

async function measured(
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
    // The shelf was just filled, and what that leaves behind is cleared away meanwhile.
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
      median: at(sorted(times), 0.5),
      tableRequests: tableRequests / times.length,
      units: (readUnits + writeUnits) / times.length,
      messages: messages / times.length,
    });
  }
  return found;
}

/** What changes nothing can be asked for more often. */
const readings: ReadonlySet<string> = new Set(["list", "detail", "quote", "dashboard"]);

/** Votes of new wallets on the chain, which the service has not been told of. */
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

/** Presses of one publisher, and copies that one write takes to the table. */
const ofPublisher = 50;
const atOnce = 1_000;

/** Puts copies of the press on the shelf, of many publishers and each newer than the last, until it holds so many. */
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
