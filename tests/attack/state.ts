import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { createClient, http } from "viem";
import {
  platformAccount,
  platformIndexes,
  testAccount,
  testAccountCount,
} from "../../local/devnet/accounts.ts";
import type { Service } from "../../local/service.ts";
import { clientFor } from "../support/database.ts";

/** Whoever may send something: the platform's wallets and the test accounts. */
const senders = [
  ...[...platformIndexes.relayers, platformIndexes.auditor].map((index) => platformAccount(index).address),
  ...Array.from({ length: testAccountCount }, (_, index) => testAccount(index).address),
];

/**
 * What a refused request may change by design: the last prices, their series and the stock list, which the
 * service refreshes by itself, and the last id that was given, for an id is taken before the write that may be refused.
 */
const free = new Set(["market", "marks", "series", "overview", "counter"]);

/** What a refused request must leave as it was. */
export type Snapshot = {
  /** The table's items as JSON by their keys, without what may change by design. */
  readonly items: Readonly<Record<string, string>>;
  /** Transactions that each wallet has sent. */
  readonly sent: Readonly<Record<string, bigint>>;
};

/** Reads the table and the chain of a service. */
export function openState({ endpoints, rpcUrl }: Pick<Service, "endpoints" | "rpcUrl">) {
  const client = clientFor(endpoints.database);
  const document = DynamoDBDocumentClient.from(client);
  const chain = createClient({ transport: http(rpcUrl, { batch: true }) });

  async function items(): Promise<Snapshot["items"]> {
    const found: [string, string][] = [];
    const pages = paginateScan({ client: document }, { TableName: "market", ConsistentRead: true });
    for await (const { Items = [] } of pages) {
      for (const { pk, sk, __edb_e__: entity, ...attributes } of Items) {
        if (!free.has(String(entity))) found.push([`${pk} ${sk}`, JSON.stringify(attributes)]);
      }
    }
    return Object.fromEntries(found.sort(([one], [other]) => one.localeCompare(other)));
  }

  /** In one request, for it is asked often. */
  async function sent(): Promise<Snapshot["sent"]> {
    const counts = senders.map(async (address) => {
      const count = await chain.request({ method: "eth_getTransactionCount", params: [address, "pending"] });
      return [address, BigInt(count)] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  async function read(): Promise<Snapshot> {
    const [kept, counts] = await Promise.all([items(), sent()]);
    return { items: kept, sent: counts };
  }

  return {
    read,
    /** Waits until jobs that were started before have ended, so that later changes are the request's. */
    async settled(): Promise<void> {
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
export type State = ReturnType<typeof openState>;
