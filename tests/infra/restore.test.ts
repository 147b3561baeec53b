import { describe, expect, test } from "vitest";
import * as z from "zod";
import { jobs } from "../../functions/jobs.ts";
import { routes } from "../../functions/routes.ts";
import { storage } from "../../functions/storage.ts";
import { findSettings } from "../../infra/stages.ts";
import { kept, makeTestChainSettings, synthesize } from "./assembly.ts";
import { listRights, mapRolesToRights } from "./policies.ts";
import { makeReader } from "./reading.ts";

/** The unchanged stage prod, and the same stage with all changes to `stages.ts` that operations.md names for emergencies. */
const own = makeReader(await synthesize("prod"));
const changedStacks = await synthesize("prod", (settings) => ({
  ...settings,
  restoredTable: "market-restored",
  relayers: 3,
  retiredRelayers: [1],
  originSecret: { shown: 2, accepted: [1, 2] },
}));
const changed = makeReader(changedStacks);

const rows = [...routes, ...jobs];
/**
 * The ids of the routes and jobs that have an access right with the given prefix. Throws if no route or job has an access right with the
 * prefix.
 */
function listRowsByAccess(prefix: string): readonly string[] {
  const found = rows.filter(({ access }) => access.some((one) => one.startsWith(prefix)));
  if (found.length === 0) throw new TypeError(`Nothing has access to ${prefix}`);
  return found.map(({ id }) => id);
}

/** The resources of the given AWS service that the roles of the changed stage may use. */
function listResourcesWithRights(service: string): ReadonlySet<string> {
  const rights = [...mapRolesToRights(changed).values()].flat();
  return new Set(
    rights.filter(({ action }) => action.startsWith(`${service}:`)).map(({ resource }) => resource),
  );
}

describe("a stage works on a restored table", () => {
  test("a stage on a restored table gives its functions the restored table's name, and rights on no other table", () => {
    for (const id of listRowsByAccess("table:")) {
      expect([id, changed.readVariables(id).TABLE_NAME]).toEqual([id, "market-restored"]);
    }
    const arn = "arn:aws:dynamodb:us-east-1:123456789012:table/market-restored";
    expect(listResourcesWithRights("dynamodb")).toEqual(
      new Set([arn, ...storage.indexes.map(({ name }) => `${arn}/index/${name}`)]),
    );
  });

  test("a stage on a restored table keeps its original table under the same logical id, so that no deployment removes the original", () => {
    const kept = own.findOnly("AWS::DynamoDB::Table");
    const table = changed.findOnly("AWS::DynamoDB::Table");
    // Only the table's dependence on the KMS keys may differ, because the table is made after all KMS keys.
    expect([table.id, table.resource.Properties]).toEqual([kept.id, kept.resource.Properties]);
  });
});

test("prod's table and keys have the logical ids that operations.md names, because with another id a deployment would replace them", () => {
  const keys = own.ofType("AWS::KMS::Key").map(({ id }) => id);
  expect(own.findOnly("AWS::DynamoDB::Table").id).toBe("table8235A42E");
  expect(keys).toHaveLength(findSettings("prod").relayers + 3);
  expect(keys).toEqual(expect.arrayContaining(["auditor084DE59B7", "relayer0056E0C9E", "relayer15ED2F045B"]));
});

test("a retired relayer keeps its key, and no function knows the key or may use it", () => {
  const keys = changed.ofType("AWS::KMS::Key").filter(({ id }) => id.startsWith("relayer"));
  expect(keys.map(({ id }) => id.slice(0, -8))).toEqual(["relayer0", "relayer1", "relayer2"]);
  const [first, , third] = keys.map((found) => changed.formatName(found, "Ref"));
  for (const id of listRowsByAccess("relayers:")) {
    expect(changed.readVariables(id).RELAYER_KEY_IDS).toBe(`${first},${third}`);
  }
  const usable = [...listResourcesWithRights("kms")].filter((resource) => resource.includes("relayer"));
  expect(usable.sort()).toEqual([first, third].map((name) => name?.replace(".Ref}", ".Arn}")));
});

test("the outputs of a stage with a retired relayer give the other relayers' numbers in infra/stages.ts", () => {
  expect(changedStacks.get("storage")?.Outputs.RelayerNumbers?.Value).toBe("0,2");
});

test("a sweep may sign only with retired keys, and no function may start the sweep or choose its recipient", async () => {
  const stage = makeReader(await synthesize("dev", makeTestChainSettings));
  const rights = listRights(stage, stage.lambda("relayer-sweep"));
  const keys = stage.ofType("AWS::KMS::Key").filter(({ id }) => id.startsWith("relayer0"));
  const signing = keys.map((key) => `kms:Sign ${stage.formatName(key, "Arn")}`);
  expect(rights.filter((right) => right.startsWith("kms:Sign"))).toEqual(signing);
  expect(signing).toHaveLength(1);
  const starting = [...mapRolesToRights(stage).values()]
    .flat()
    .filter(({ action }) => action === "lambda:InvokeFunction")
    .map(({ resource }) => resource);
  expect(starting).not.toContain(stage.formatName(stage.lambda("relayer-sweep"), "Arn"));
  const { to, approvers } = makeTestChainSettings(findSettings("dev")).sweep;
  expect(stage.readVariables("relayer-sweep")).toMatchObject({
    SWEEP_TO: to,
    SWEEP_APPROVERS: approvers.join(","),
    SWEEP_APPROVALS: "2",
  });
});

const Headers = z.object({
  DistributionConfig: z.object({
    Origins: z.array(
      z.object({ OriginCustomHeaders: z.array(z.object({ HeaderValue: z.unknown() })).default([]) }),
    ),
  }),
});

const Paths = z.object({
  DistributionConfig: z.object({ Origins: z.array(z.object({ OriginPath: z.unknown().optional() })) }),
});

describe("the origin secret is renewed", () => {
  const arns = changed.ofType("AWS::SecretsManager::Secret").map((found) => changed.formatName(found, "Ref"));

  test("while the origin secret is renewed, the edge sends one of the two secrets and the API accepts both secrets", () => {
    expect(arns).toHaveLength(2);
    const ordered = [arns[1], arns[0]].join(",");
    for (const { id } of routes) expect(changed.readVariables(id).ORIGIN_SECRET_IDS).toBe(ordered);
    const { stack, resource } = changed.findOnly("AWS::CloudFront::Distribution");
    const shown = Headers.parse(resource.Properties).DistributionConfig.Origins.flatMap(
      ({ OriginCustomHeaders }) => OriginCustomHeaders,
    );
    expect(shown.map(({ HeaderValue }) => changed.text(HeaderValue, stack))).toEqual([
      `{{resolve:secretsmanager:${arns[1]}:SecretString:::}}`,
    ]);
  });

  test("while the origin secret is renewed, MCP sends the secret that the edge sends, so that the deletion of the other secret refuses no payment", async () => {
    const earlier = await synthesize("prod", (settings) => ({
      ...settings,
      originSecret: { shown: 1, accepted: [1, 2] },
    }));
    for (const stage of [makeReader(earlier), changed]) {
      const { stack, resource } = stage.findOnly("AWS::CloudFront::Distribution");
      const paths = Paths.parse(resource.Properties).DistributionConfig.Origins.flatMap(
        ({ OriginPath = [] }) => OriginPath,
      );
      const [sent] = stage.readVariables("mcp").ORIGIN_SECRET_IDS?.split(",") ?? [];
      expect(paths.map((path) => stage.text(path, stack))).toEqual([
        `/{{resolve:secretsmanager:${sent}:SecretString:::}}`,
      ]);
    }
  });

  test("while the origin secret is renewed, each route has one path with each of the two secrets, so that neither the edge nor MCP requests a removed path", () => {
    const stages = changed.ofType("AWS::ApiGatewayV2::Stage");
    expect(
      stages.map(({ stack, resource }) => changed.text(resource.Properties.StageName, stack)).toSorted(),
    ).toEqual(arns.map((arn) => `{{resolve:secretsmanager:${arn}:SecretString:::}}`).toSorted());
    const [one, other] = stages.map(({ resource }) => resource.Properties);
    expect({ ...one, StageName: "" }).toEqual({ ...other, StageName: "" });
  });
});

describe("a stage reuses its table and keys", async () => {
  const stage = makeReader(await synthesize("prod", (settings) => ({ ...settings, relayers: 3, kept })));

  test("a stage that reuses its table and keys makes no new table, signs with the old keys, and makes new keys only for additional relayers", () => {
    expect(stage.ofType("AWS::DynamoDB::Table")).toEqual([]);
    const [made, ...others] = stage.ofType("AWS::KMS::Key");
    expect([made?.id.slice(0, -8), others]).toEqual(["relayer2", []]);
    const formatKeyArn = (id: string) => `arn:aws:kms:us-east-1:123456789012:key/${id}`;
    const rights = listRights(stage, stage.lambda("pay-treasury")).filter((right) =>
      right.startsWith("kms:Sign"),
    );
    // The four signing keys are the keys of three relayers and the key that signs offers and receipts.
    expect(rights).toHaveLength(4);
    expect(rights).toEqual(
      expect.arrayContaining(["id-0", "id-1", "id-r"].map((id) => `kms:Sign ${formatKeyArn(id)}`)),
    );
    expect(listRights(stage, stage.lambda("receipts"))).toContain(`kms:Sign ${formatKeyArn("id-r")}`);
    expect(listRights(stage, stage.lambda("press-push"))).toContain(`kms:Sign ${formatKeyArn("id-p")}`);
    expect(stage.readVariables("payment-watch")).toMatchObject({
      TABLE_NAME: kept.table,
      AUDITOR_KEY_ID: kept.auditor,
    });
  });
});

describe("a stage has a vault in another account", () => {
  const copyTo = findSettings("prod").backup?.copyTo;

  test("a stage with a vault copies its table to the vault six times a day, and keeps the copies for as many days as the table's own backups", () => {
    const { BackupPlan } = Object(own.findOnly("AWS::Backup::BackupPlan").resource.Properties);
    expect(BackupPlan.BackupPlanRule).toEqual([
      expect.objectContaining({
        ScheduleExpression: "cron(0 */4 * * ? *)",
        Lifecycle: { DeleteAfterDays: 35 },
        CopyActions: [{ DestinationBackupVaultArn: copyTo, Lifecycle: { DeleteAfterDays: 35 } }],
      }),
    ]);
    const { BackupSelection } = Object(own.findOnly("AWS::Backup::BackupSelection").resource.Properties);
    expect(BackupSelection.Resources.map((one: unknown) => own.text(one, "storage"))).toEqual([
      own.formatName(own.findOnly("AWS::DynamoDB::Table"), "Arn"),
    ]);
    const vault = own.findOnly("AWS::Backup::BackupVault").resource;
    expect(vault.DeletionPolicy).toBe("RetainExceptOnCreate");
    // A vault that remains after the stage's removal must not block the stage's next deployment.
    expect(JSON.stringify(vault.Properties.BackupVaultName)).toContain('{"Ref":"AWS::StackId"}');
  });

  test("a stage with a vault copies the restored table if the stage works on a restored table", () => {
    const { BackupSelection } = Object(changed.findOnly("AWS::Backup::BackupSelection").resource.Properties);
    expect(BackupSelection.Resources.map((one: unknown) => changed.text(one, "storage"))).toEqual([
      "arn:aws:dynamodb:us-east-1:123456789012:table/market-restored",
    ]);
  });

  test("a stage with a vault has a backup plan and a rule that reports failed copies, and a stage without a vault has neither of the two", async () => {
    const has = [own, makeReader(await synthesize("staging"))].map((stage) => {
      const told = stage.ofType("AWS::Events::Rule").filter(({ id }) => id.startsWith("backupfailed"));
      return [stage.ofType("AWS::Backup::BackupPlan").length, told.length];
    });
    expect(has).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });
});
