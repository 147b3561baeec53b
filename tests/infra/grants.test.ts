import { describe, expect, test } from "vitest";
import { type Job, jobs } from "../../functions/jobs.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { findSettings } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { mapRolesToRights } from "./policies.ts";
import { makeReader } from "./reading.ts";

const rows: readonly (Route | Job)[] = [...routes, ...jobs];
const settings = findSettings("prod");
const stage = makeReader(await synthesize("prod"));

test("no two functions share a role", () => {
  const roles = rows.map(({ id }) => {
    const { stack, resource } = stage.lambda(id);
    return stage.text(resource.Properties.Role, stack);
  });
  expect(new Set(roles).size).toBe(rows.length);
});

/** The rights that cover all resources because AWS offers no narrower form of these rights, with the reasons. */
const unavoidable: Readonly<Record<string, string>> = {
  "xray:PutTraceSegments": "Traces are no resources.",
  "xray:PutTelemetryRecords": "Traces are no resources.",
  "xray:GetSamplingRules": "Sampling is set for the account.",
  "xray:GetSamplingTargets": "Sampling is set for the account.",
  "logs:CreateLogDelivery": "Step Functions: log deliveries are no resources.",
  "logs:GetLogDelivery": "Step Functions: log deliveries are no resources.",
  "logs:UpdateLogDelivery": "Step Functions: log deliveries are no resources.",
  "logs:DeleteLogDelivery": "Step Functions: log deliveries are no resources.",
  "logs:ListLogDeliveries": "Step Functions: log deliveries are no resources.",
  "logs:PutResourcePolicy": "Step Functions: the policy for deliveries is the account's.",
  "logs:DescribeResourcePolicies": "Step Functions: the policy for deliveries is the account's.",
  "logs:DescribeLogGroups": "Step Functions: the list is the account's.",
};

describe("no right of any role is wider than necessary", () => {
  test("no right of a role names an action with a wildcard", () => {
    const wide = [...mapRolesToRights(stage)].flatMap(([role, rights]) =>
      rights.filter(({ action }) => action.includes("*")).map(({ action }) => `${role} ${action}`),
    );
    expect(wide).toEqual([]);
  });

  test("a right covers all resources only if AWS offers no narrower form of the right, and each right on the list of exceptions is used", () => {
    const rights = [...mapRolesToRights(stage).values()].flat();
    const onEverything = rights.filter(({ resource }) => resource === "*").map(({ action }) => action);
    expect(new Set(onEverything)).toEqual(new Set(Object.keys(unavoidable)));
  });

  test("a model may be called in every region of its inference profile, and only through that profile", () => {
    const { model, fallbackModel } = settings;
    const inAnyRegion = [...mapRolesToRights(stage).values()]
      .flat()
      .filter(({ resource }) => resource.includes(":bedrock:*:"));
    expect(new Set(inAnyRegion.map(({ resource, condition }) => `${resource}${condition}`))).toEqual(
      new Set(
        [model, fallbackModel].map(
          ({ inferenceProfile, foundationModel }) =>
            `arn:aws:bedrock:*::foundation-model/${foundationModel} if bedrock:InferenceProfileArn is arn:aws:bedrock:us-east-1:123456789012:inference-profile/${inferenceProfile}`,
        ),
      ),
    );
  });

  test("wildcards inside a resource's name stand for objects in a bucket, and serve only to publish the site and to read the edge's log", () => {
    const some = [...mapRolesToRights(stage)].flatMap(([role, rights]) =>
      rights
        .filter(({ resource }) => /[^:]\*|^\*./.test(resource))
        .map(({ action, resource }) => `${role.replace(/[0-9A-F]{8}\.Ref/, "")} ${action} ${resource}`),
    );
    expect(some).toEqual([
      "{web/publisherrole} s3:GetObject arn:aws:s3:::cdk-hnb659fds-assets-123456789012-us-east-1/*",
      `{web/publisherrole} s3:GetObject ${stage.formatName(stage.findResource("AWS::S3::Bucket", "site"), "Arn")}/*`,
      `{web/publisherrole} s3:PutObject ${stage.formatName(stage.findResource("AWS::S3::Bucket", "site"), "Arn")}/*`,
      `{jobs/viewscountrole} s3:GetObject ${stage.formatName(stage.findResource("AWS::S3::Bucket", "accesslogs"), "Arn")}/edge/*`,
    ]);
  });
});

describe("rows name the records that their functions use", () => {
  test("a row names the records that its handler writes if and only if the row has access to write the table", () => {
    for (const { id, access, writes = [] } of rows)
      expect([id, writes.length > 0]).toEqual([id, access.includes("table:write")]);
  });

  test("for every public route except the payment routes, the route's row names the records that its handler reads; only the row `press` names paid texts and sessions", () => {
    const open = routes.filter(
      ({ caller, access }) => ["anyone", "payer"].includes(caller) && access.includes("table:read"),
    );
    expect(open.filter(({ reads }) => reads === undefined).map(({ id }) => id)).toEqual([
      "pay-treasury",
      "pay-publisher",
    ]);
    const closed = ["text", "session", "publisher", "wallet"] as const;
    const found = open.flatMap(({ id, reads = [] }) =>
      closed.filter((kind) => reads.includes(kind)).map((kind) => `${id} ${kind}`),
    );
    expect(found).toEqual(["press text", "press session"]);
  });

  test("only payments, their reconciler and the repair job may write records of payments, and only payments, the reconciler, moves and the gas for votes may use the relayers' keys", () => {
    const paying = ["pay-treasury", "pay-publisher", "payment-reconcile"];
    const listIds = (is: (row: Route | Job) => boolean) =>
      rows
        .filter(is)
        .map(({ id }) => id)
        .toSorted();
    for (const kind of ["settlement", "authorization"] as const)
      expect([kind, listIds(({ writes = [] }) => writes.includes(kind))]).toEqual([
        kind,
        [...paying, "repair"].toSorted(),
      ]);
    expect(listIds(({ access }) => access.includes("relayers:sign"))).toEqual(
      [...paying, "move", "votes-gas"].toSorted(),
    );
  });
});
