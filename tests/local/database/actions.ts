import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { makeAccount, makeAccountKey, table } from "./accounts.ts";

export const put = (name: string, coins: number, owner?: string): TransactWriteItem => ({
  Put: { TableName: table, Item: makeAccount(name, coins, owner) },
});
export const putNew = (name: string, coins: number): TransactWriteItem => ({
  Put: {
    TableName: table,
    Item: makeAccount(name, coins),
    ConditionExpression: "attribute_not_exists(pk)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});
export const add = (name: string, coins: number): TransactWriteItem => ({
  Update: {
    TableName: table,
    Key: makeAccountKey(name),
    UpdateExpression: "SET coins = coins + :coins",
    ConditionExpression: "attribute_exists(pk) AND coins >= :needed",
    ExpressionAttributeValues: { ":coins": { N: String(coins) }, ":needed": { N: String(-coins) } },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});
export const remove = (name: string): TransactWriteItem => ({
  Delete: { TableName: table, Key: makeAccountKey(name), ConditionExpression: "attribute_exists(pk)" },
});
export const check = (name: string, coins: number): TransactWriteItem => ({
  ConditionCheck: {
    TableName: table,
    Key: makeAccountKey(name),
    ConditionExpression: "coins = :coins",
    ExpressionAttributeValues: { ":coins": { N: String(coins) } },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});
export const get = (name: string) => ({ Get: { TableName: table, Key: makeAccountKey(name) } });
