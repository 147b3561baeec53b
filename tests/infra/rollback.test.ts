import { GetItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { startPart } from "../support/provide.ts";
import { startTestTable } from "../support/table.ts";

/** Checks the promise of operations.md for a rollback: an older version can read items that a newer version has written. */
const stored = startPart(startTestTable);

const key = { pk: { S: "$market#pressId_7" }, sk: { S: "$agent_1" } };
const facts = {
  pressId: 7,
  id: 70,
  slug: "a-press",
  headline: "A press",
  stock: "AAPL",
  priceUnits: "250000",
  publisher: "0x00000000000000000000000000000000000000aa",
};

test("an unknown attribute of an item is ignored when the item is read, and remains when other attributes are changed", async () => {
  const { client } = stored.database;
  const { agent } = stored.table.entities;
  await agent.create(facts).go();
  await client.send(
    new UpdateItemCommand({
      TableName: "market",
      Key: key,
      UpdateExpression: "SET later = :value",
      ExpressionAttributeValues: { ":value": { S: "of a newer version" } },
    }),
  );
  expect((await agent.get({ pressId: 7 }).go()).data).toEqual(facts);
  await agent.patch({ pressId: 7 }).set({ headline: "Another" }).go();
  const { Item } = await client.send(new GetItemCommand({ TableName: "market", Key: key }));
  expect(Item?.later).toEqual({ S: "of a newer version" });
});
