import { numberToHex } from "viem/utils";
import * as runtime from "../../functions/lib/runtime.ts";
import { makeRelayClient, type PublishedPress, playPublisher } from "../../local/demo/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { makeHttpClient } from "../../tests/support/http-payer.ts";
import { nothing } from "../cost/ledger.ts";
import { type BenchService, startBenchService } from "../cost/service.ts";
import { computeMedian } from "./payers.ts";

/** A page's measured value with few live presses, its measured value with many live presses, and the factor by which the value may grow. */
type PageRow = {
  readonly what: string;
  readonly few: number;
  readonly many: number;
  readonly most: number;
};

export const silent = { part: () => undefined, step: () => undefined, text: () => undefined };

const [few, many] = [100, 10_000];
const looks = 36;

/** Measures each page's latency and the table units that it uses, first with few live presses and then with many. */
export async function measurePages(): Promise<readonly PageRow[]> {
  await using service = await startBenchService(8);
  const site = { origin: service.origin, signal: AbortSignal.timeout(60_000) };
  const press = await playPublisher(site, makeRelayClient(service.origin), silent);
  const cookie = await makeHttpClient(service.origin).signIn(getTestAccount(8));
  await copyPress(press, 1, few);
  const before = await measureEach(service, press, cookie);
  await copyPress(press, few, many);
  const after = await measureEach(service, press, cookie);
  return before.flatMap(({ page, ms, units }, index) => [
    {
      what: `ms to read ${page} if there are ${many} presses, compared with ${few}`,
      few: ms,
      many: after[index]?.ms ?? 0,
      most: 1.2,
    },
    {
      what: `table units to read ${page} if there are ${many} presses, compared with ${few}`,
      few: units,
      many: after[index]?.units ?? 0,
      most: 1.1,
    },
  ]);
}

async function measureEach(service: BenchService, { slug }: PublishedPress, cookie: string) {
  const pages = [
    { page: "the list", id: "presses", path: "/api/presses?limit=100" },
    { page: "a press", id: "press", path: `/api/presses/${slug}` },
    { page: "a quote", id: "quote", path: "/api/quotes/MSFT" },
    { page: "the dashboard", id: "dashboard", path: "/api/me/dashboard" },
  ];
  const found = [];
  for (const { page, id, path } of pages) {
    const measureRead = async () => {
      const started = performance.now();
      const answer = await fetch(service.origin + path, { headers: { cookie } });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${page} was answered with ${answer.status}`);
      return performance.now() - started;
    };
    // After the press was copied, cleanup work may still run, so the first reads are a warm-up and are not measured.
    for (let look = 0; look < looks; look += 1) await measureRead();
    const times: number[] = [];
    const used = await service.ledger.measureUsage(async () => {
      for (let look = 0; look < looks; look += 1) times.push(await measureRead());
    });
    const { readUnits, writeUnits } = used.get(id) ?? nothing;
    found.push({ page, ms: computeMedian(times), units: (readUnits + writeUnits) / looks });
  }
  return found;
}

/** The number of copied presses that each publisher gets, and the number of copied presses in one write. */
const ofPublisher = 50;
const atOnce = 1_000;

/**
 * Copies the press for many publishers, until the number of presses is `to`. Each copy of the press has a later `publishedAt` than the copy
 * before it.
 */
export async function copyPress({ pressId }: PublishedPress, from: number, to: number): Promise<void> {
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
