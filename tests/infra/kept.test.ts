import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { beforeAll, expect, test, vi } from "vitest";
import { addStack, makeAccount } from "../../bench/rehearsal/aws/account.ts";
import { startAws } from "../../bench/rehearsal/aws/index.ts";
import { checkKept, checkNewTable, readRemains } from "../../infra/deploy/kept.ts";
import { findSettings, listAdoptedKeys } from "../../infra/stages.ts";
import { startPart } from "../support/provide.ts";
import { kept } from "./assembly.ts";

const region = "us-east-1" as const;
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
  await expect(checkKept({ region, kept, restoredTable: undefined })).resolves.toBeUndefined();
});

test.each([
  ["key", { receipts: "id-foreign" }, "the key id-foreign, which this account does not show"],
  ["table", { table: "foreign" }, "the table foreign, which this account does not show"],
])("a stage cannot reuse a %s that its account lacks, and nothing is deployed", async (_, other, why) => {
  const settings = { region, kept: { ...kept, ...other }, restoredTable: undefined };
  await expect(checkKept(settings)).rejects.toThrow(why);
});

test("a stage that works on a restored table can be deployed after its earlier table is lost", async () => {
  const settings = { region, kept: { ...kept, table: "lost-table" }, restoredTable: kept.table };
  await expect(checkKept(settings)).resolves.toBeUndefined();
  await expect(checkKept({ ...settings, restoredTable: "foreign" })).rejects.toThrow("the table foreign");
});

test("the remains of a stage that works on a restored table name the restored table, and otherwise the stage's own table", async () => {
  const StackName = "prod-press-market-storage";
  const stack = addStack(account, StackName, "CREATE_COMPLETE");
  for (const [name, type, physicalId] of [
    ["table", "AWS::DynamoDB::Table", "own-table"],
    ["relayer0", "AWS::KMS::Key", "id-0"],
    ["auditor0", "AWS::KMS::Key", "id-a"],
    ["receipt0", "AWS::KMS::Key", "id-r"],
    ["push0", "AWS::KMS::Key", "id-p"],
  ] as const) {
    const logicalId = `${name}0A1B2C3D`;
    stack.resources.set(logicalId, { logicalId, type, physicalId, key: physicalId, properties: {} });
  }
  const standing = [{ StackName, StackStatus: "CREATE_COMPLETE", CreationTime: new Date(0) } as const];
  const readKept = async (settings: Parameters<typeof readRemains>[3]) =>
    (await readRemains(new CloudFormationClient({ region }), "prod", standing, settings))?.kept;
  const remains = {
    table: "own-table",
    relayers: ["id-0"],
    auditor: "id-a",
    receipts: "id-r",
    pushes: "id-p",
  };
  expect(await readKept({ kept: undefined, restoredTable: undefined })).toEqual(remains);
  const restoredTable = "market-restored";
  expect(await readKept({ kept: undefined, restoredTable })).toEqual({ ...remains, table: restoredTable });
  expect(await readKept({ kept, restoredTable })).toEqual({ ...kept, table: restoredTable });
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
