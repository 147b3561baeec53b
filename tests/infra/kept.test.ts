import { beforeAll, expect, test, vi } from "vitest";
import { makeAccount } from "../../bench/rehearsal/aws/account.ts";
import { startAws } from "../../bench/rehearsal/aws/index.ts";
import { checkKept, checkNewTable } from "../../infra/deploy/kept.ts";
import { findSettings, listAdoptedKeys } from "../../infra/stages.ts";
import { startPart } from "../support/provide.ts";
import { kept } from "./assembly.ts";

const region = "us-east-1";
const account = makeAccount("123456789012", region);

const aws = startPart(() => startAws(account));
beforeAll(() => {
  account.signers.add("AKIA");
  for (const id of listAdoptedKeys(kept)) account.keys.set(id, "0x01");
  const table = { type: "AWS::DynamoDB::Table", physicalId: kept.table, owner: undefined };
  account.resources.set(kept.table, table);
  vi.stubEnv("AWS_ENDPOINT_URL", aws.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIA");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
});

test("a stage reuses a table and keys that its account has", async () => {
  await expect(checkKept({ region, kept })).resolves.toBeUndefined();
});

test.each([
  ["key", { receipts: "id-foreign" }, "the key id-foreign, which this account does not show"],
  ["table", { table: "foreign" }, "the table foreign, which this account does not show"],
])("a stage cannot reuse a %s that its account lacks, and nothing is deployed", async (_, other, why) => {
  await expect(checkKept({ region, kept: { ...kept, ...other } })).rejects.toThrow(why);
});

test("the first deployment of a stage that has a domain and keeps its data needs --new-table, unless the stage reuses a table", () => {
  const prod = findSettings("prod");
  const storage = {
    StackName: "prod-press-market-storage",
    StackStatus: "CREATE_COMPLETE",
    CreationTime: new Date(0),
  } as const;
  expect(() => checkNewTable("prod", prod, [], false)).toThrow("add --new-table");
  expect(() => checkNewTable("prod", prod, [], true)).not.toThrow();
  expect(() => checkNewTable("prod", prod, [storage], false)).not.toThrow();
  expect(() => checkNewTable("prod", { ...prod, kept }, [], false)).not.toThrow();
  expect(() => checkNewTable("dev", findSettings("dev"), [], false)).not.toThrow();
});
