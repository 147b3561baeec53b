import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { keccak256 } from "viem/utils";
import * as z from "zod";
import { type Hex, HexInput, lower } from "../../../../core/chain/hex.ts";
import { openTable, type Table } from "../../../../core/table.ts";
import { ensureTable } from "../../../../local/database/index.ts";
import { startTestDatabase } from "../../../support/database.ts";
import { pressOwners } from "./ground.ts";
import type { TableFault } from "./operation.ts";

/** The table's own trouble, as a run injects it. */
class TableDown extends Error {
  override readonly name = "TableDown";
}

/** What both presses of a run cost, in base units. */
export const priceUnits = 250_000n;
/** A press's id, given its number, which is also its agent id. */
export const pressKey = (press: number) => ({ id: 1000 + press });

export const textOf = (press: number) => `The text of press ${press}.`;

/** How a run takes part in every request to the table. */
export type Access = {
  call<Value>(act: () => Promise<Value>): Promise<Value>;
  fault(): TableFault | undefined;
  /** Hears which transaction was stored, once the table has it. */
  stored(hash: Hex): void;
};

/** A database in this process; `fresh` answers an empty table in it but for the presses. */
export async function openStore() {
  const database = await startTestDatabase();
  Object.assign(process.env, { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "x", AWS_SECRET_ACCESS_KEY: "x" });
  let tables = 0;
  let access: Access | undefined;
  const client = DynamoDBDocumentClient.from(database.client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  client.middlewareStack.add(
    (next) => async (request) => {
      const now = access;
      if (now === undefined) return next(request);
      return now.call(async () => {
        const fault = now.fault();
        if (fault === "before") throw new TableDown("injected: the table was not reached");
        if (fault === "conflict") conflict(request.input);
        const answer = await next(request);
        for (const raw of rawTransactions(request.input)) now.stored(keccak256(raw));
        if (fault === "after") throw new TableDown("injected: the table's answer was lost");
        return answer;
      });
    },
    { step: "initialize" },
  );

  return {
    async fresh(next: Access): Promise<Table> {
      tables += 1;
      const name = `run-${tables}`;
      access = next;
      await ensureTable(database.endpoint, name);
      const table = openTable(client, name);
      for (const press of pressOwners.keys()) await list(table, press);
      return table;
    },
    stop: database.stop,
  };
}
export type Store = Awaited<ReturnType<typeof openStore>>;

const Transaction = z.object({ TransactItems: z.array(z.object({ Put: z.unknown().optional() })) });

function conflict(input: unknown): void {
  const { success, data } = Transaction.safeParse(input);
  if (!success) return;
  throw new TransactionCanceledException({
    message: "injected: another transaction was in the way",
    $metadata: {},
    CancellationReasons: data.TransactItems.map(() => ({ Code: "TransactionConflict" })),
  });
}

function rawTransactions(input: unknown): readonly Hex[] {
  const { success, data } = Transaction.safeParse(input);
  if (!success) return [];
  return data.TransactItems.flatMap(({ Put }) => {
    const put = Stored.safeParse(Put);
    return put.success ? [put.data.Item.rawTx] : [];
  });
}
const Stored = z.object({ Item: z.object({ rawTx: HexInput }) });

async function list(table: Table, press: number): Promise<void> {
  const publisher = pressOwners[press] ?? lower("0x");
  const { id } = pressKey(press);
  const frozen = {
    id,
    slug: `press-${id}`,
    headline: "A press",
    stock: "AAPL",
    priceUnits: String(priceUnits),
    publisher,
  };
  await table.transaction
    .write(({ agent, body, press: presses }) => [
      agent.create({ pressId: press, ...frozen }).commit(),
      body.create({ id, revision: 1, body: textOf(press) }).commit(),
      presses
        .create({
          ...frozen,
          pressId: press,
          status: "live",
          shelf: "live",
          stockShelf: "AAPL",
          publishedAt: "2026-01-01T00:00:00.000Z",
          preview: "A preview",
          publisherName: "P",
          readMinutes: 1,
          contentHash: "0x",
          aiAssisted: false,
          createdAt: "2026-01-01T00:00:00.000Z",
          updatedAt: "2026-01-01T00:00:00.000Z",
          revision: 1,
          auditCount: 1,
          votesUp: 0,
          votesDown: 0,
          tags: {},
          reads: 0,
        })
        .commit(),
    ])
    .go();
}
