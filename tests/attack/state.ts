import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { createClient, http } from "viem";
import {
  getPlatformAccount,
  getTestAccount,
  platformIndexes,
  testAccountCount,
} from "../../local/devnet/accounts.ts";
import type { Service } from "../../local/service.ts";
import { openTestClient } from "../support/database.ts";

/** Accounts that can send transactions: the platform's wallets and the test accounts. */
const senders = [
  ...[...platformIndexes.relayers, platformIndexes.auditor].map((index) => getPlatformAccount(index).address),
  ...Array.from({ length: testAccountCount }, (_, index) => getTestAccount(index).address),
];

/**
 * The kinds of items that may change although a request is refused. The service refreshes stock prices, series of prices and the stock list
 * by itself. The id counter may change, because the service takes an id before the write that may be refused.
 */
const free = new Set(["market", "marks", "series", "overview", "counter"]);

/** The state that a refused request must not change. */
export type Snapshot = {
  /** The table's items as JSON, each under its key, without the items that may change. */
  readonly items: Readonly<Record<string, string>>;
  /** For each wallet, the number of transactions that the wallet has sent. */
  readonly sent: Readonly<Record<string, bigint>>;
};

export function openState({ endpoints, rpcUrl }: Pick<Service, "endpoints" | "rpcUrl">) {
  const client = openTestClient(endpoints.database);
  const document = DynamoDBDocumentClient.from(client);
  const chain = createClient({ transport: http(rpcUrl, { batch: true }) });

  async function readItems(): Promise<Snapshot["items"]> {
    const found: [string, string][] = [];
    const pages = paginateScan({ client: document }, { TableName: "market", ConsistentRead: true });
    for await (const { Items = [] } of pages) {
      for (const { pk, sk, __edb_e__: entity, ...attributes } of Items) {
        if (!free.has(String(entity))) found.push([`${pk} ${sk}`, JSON.stringify(attributes)]);
      }
    }
    return Object.fromEntries(found.sort(([one], [other]) => one.localeCompare(other)));
  }

  /** Reads the nonces of all accounts in one request, because the state is read often. */
  async function readNonces(): Promise<Snapshot["sent"]> {
    const counts = senders.map(async (address) => {
      const count = await chain.request({ method: "eth_getTransactionCount", params: [address, "pending"] });
      return [address, BigInt(count)] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  async function read(): Promise<Snapshot> {
    const [kept, counts] = await Promise.all([readItems(), readNonces()]);
    return { items: kept, sent: counts };
  }

  return {
    read,
    /** Waits until all earlier jobs have ended, so that every later change is caused by the request under test. */
    async waitUntilIdle(): Promise<void> {
      let last = await read();
      for (let same = 0; same < 10; ) {
        await sleep(50);
        const now = await read();
        same = isDeepStrictEqual(now, last) ? same + 1 : 0;
        last = now;
      }
    },
    close: () => client.destroy(),
  };
}
export type StateView = ReturnType<typeof openState>;
