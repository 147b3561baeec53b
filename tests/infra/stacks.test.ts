import { describe, expect, test } from "vitest";
import * as z from "zod";
import { auditMachine } from "../../functions/audit.asl.ts";
import { cors } from "../../functions/browser.ts";
import { type Job, jobs, queues } from "../../functions/jobs.ts";
import { methodsOf, type Route, routes } from "../../functions/routes.ts";
import { storage } from "../../functions/storage.ts";
import { settingsOf } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { reader } from "./reading.ts";

const work: readonly Job[] = jobs;
const rows: readonly (Route | Job)[] = [...routes, ...work];
const Targets = z.tuple([
  z.object({ Arn: z.unknown(), RetryPolicy: z.unknown(), DeadLetterConfig: z.unknown() }),
]);
const stages = ["dev", "staging", "prod", "jane"];

describe.each(stages)("the stage %s", async (name) => {
  const stage = reader(await synthesize(name));
  const settings = settingsOf(name);
  const kept = settings.removal === "retain";

  test("has the routes of routes.ts and no others, each with its own function", () => {
    const integrations = new Map(
      stage.ofType("AWS::ApiGatewayV2::Integration").map((found) => {
        expect(found.resource.Properties).toMatchObject({
          IntegrationType: "AWS_PROXY",
          PayloadFormatVersion: "2.0",
        });
        return [stage.name(found, "Ref"), stage.text(found.resource.Properties.IntegrationUri, found.stack)];
      }),
    );
    const made = stage.ofType("AWS::ApiGatewayV2::Route").map(({ stack, resource }) => {
      const target = stage.text(resource.Properties.Target, stack).replace("integrations/", "");
      return [resource.Properties.RouteKey, integrations.get(target)] as const;
    });
    expect(new Map(made)).toEqual(
      new Map(
        routes.flatMap((row) => {
          const to = calledOf(row);
          return methodsOf(row).map((method) => [`${method} ${row.path}`, to]);
        }),
      ),
    );
  });

  /** The clock's rules; the one that hears of keys stands with the alarms. */
  const clocksOf = () => stage.ofType("AWS::Events::Rule").filter(({ stack }) => stack === "jobs");

  /** What the gateway calls: an alias of a payment function, and any other function itself. */
  function calledOf({ id, caller }: Route): string {
    if (caller !== "payer") return stage.name(stage.lambda(id), "Arn");
    const alias = stage
      .ofType("AWS::Lambda::Alias")
      .find((one) => one.id.startsWith(`${id.replaceAll("-", "")}live`));
    if (alias === undefined) throw new TypeError(`${id} has no alias`);
    return stage.name(alias, "Ref");
  }

  test("releases payments through versions, and with a canary that alarms take back where the stage wants it", () => {
    const paying = routes.filter(({ caller }) => caller === "payer");
    const aliases = stage.ofType("AWS::Lambda::Alias");
    expect(aliases).toHaveLength(paying.length);
    expect(stage.ofType("AWS::Lambda::Version")).toHaveLength(paying.length);
    const groups = stage.ofType("AWS::CodeDeploy::DeploymentGroup");
    expect(groups).toHaveLength(settings.canary ? paying.length : 0);
    for (const { resource } of groups) {
      const { AlarmConfiguration, DeploymentConfigName, AutoRollbackConfiguration } = resource.Properties;
      expect(DeploymentConfigName).toBe("CodeDeployDefault.LambdaCanary10Percent5Minutes");
      expect(Object(AlarmConfiguration)).toMatchObject({ Enabled: true, Alarms: [{}, {}] });
      expect(Object(AutoRollbackConfiguration)).toMatchObject({
        Enabled: true,
        Events: expect.arrayContaining(["DEPLOYMENT_STOP_ON_ALARM"]),
      });
    }
    for (const { resource } of aliases) {
      expect("UpdatePolicy" in resource).toBe(settings.canary);
    }
  });

  test("gives every function its row's memory and time, on arm64 and Node 24, traced", () => {
    for (const row of rows) {
      expect(stage.lambda(row.id).resource.Properties).toMatchObject({
        MemorySize: row.memoryMb,
        Timeout: row.timeoutSeconds,
        Architectures: ["arm64"],
        Runtime: "nodejs24.x",
        TracingConfig: { Mode: "Active" },
      });
    }
  });

  test("reserves runs for the functions that the stage names, and for no other", () => {
    const reserved = rows.flatMap(({ id }) => {
      const runs = stage.lambda(id).resource.Properties.ReservedConcurrentExecutions;
      return runs === undefined ? [] : [[id, runs]];
    });
    expect(Object.fromEntries(reserved)).toEqual(settings.limits.reserved);
  });

  test("limits single routes as the stage says, once they are there", () => {
    const { resource } = stage.only("AWS::ApiGatewayV2::Stage");
    const limited = Object.entries(settings.limits.routes).flatMap(([id, { rate, burst }]) => {
      const row = routes.find((one) => one.id === id);
      const throttle = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
      return row === undefined
        ? []
        : methodsOf(row).map((method) => [`${method} ${row.path}`, throttle] as const);
    });
    expect(limited.length).toBeGreaterThan(3);
    expect(resource.Properties.RouteSettings).toMatchObject(Object.fromEntries(limited));
    expect(Object.keys(Object(resource.Properties.RouteSettings))).toHaveLength(limited.length);
    // Those of the other stack stand before it.
    const made = stage.ofType("AWS::ApiGatewayV2::Route").filter(({ stack }) => stack === "api");
    expect(resource.DependsOn).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  });

  test("leaves each stack room for a dozen rows more below the 500 resources that CloudFormation takes", () => {
    const sizes = Map.groupBy(stage.all, ({ stack }) => stack);
    for (const [stack, { length }] of sizes) expect([stack, length < 500 - 12 * 9]).toEqual([stack, true]);
  });

  test("has nothing at the gateway's own address but below the edge's secret, where the edge asks", () => {
    const { stack, resource } = stage.only("AWS::ApiGatewayV2::Stage");
    const front = stage.only("AWS::CloudFront::Distribution");
    const { Origins } = Object(front.resource.Properties.DistributionConfig);
    const paths = [Origins].flat().flatMap(({ OriginPath }) => OriginPath ?? []);
    expect(paths.map((path) => stage.text(path, front.stack))).toEqual([
      `/${stage.text(resource.Properties.StageName, stack)}`,
    ]);
    expect(stage.text(resource.Properties.StageName, stack)).toMatch(
      /^\{\{resolve:secretsmanager:\{web\/originsecret\w+\.Ref\}:SecretString:::\}\}$/,
    );
  });

  test("keeps each function's log as long as the stage says", () => {
    const groups = stage.ofType("AWS::Logs::LogGroup");
    expect(groups.length).toBeGreaterThan(rows.length);
    for (const { resource } of groups) {
      expect(resource.Properties.RetentionInDays).toBe(settings.logDays);
    }
  });

  test("has the table of storage.ts: on demand, restorable, expiring, protected where it is kept", () => {
    const { resource } = stage.only("AWS::DynamoDB::Table");
    const key = (partition: string, sort: string) => [
      { AttributeName: partition, KeyType: "HASH" },
      { AttributeName: sort, KeyType: "RANGE" },
    ];
    expect(resource.Properties).toMatchObject({
      KeySchema: key(storage.partitionKey, storage.sortKey),
      BillingMode: "PAY_PER_REQUEST",
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: storage.ttlAttribute, Enabled: true },
      DeletionProtectionEnabled: kept,
      GlobalSecondaryIndexes: storage.indexes.map(({ name: IndexName, partitionKey, sortKey }) => ({
        IndexName,
        KeySchema: key(partitionKey, sortKey),
        Projection: { ProjectionType: "ALL" },
      })),
    });
    expect(resource.DeletionPolicy).toBe(kept ? "RetainExceptOnCreate" : "Delete");
  });

  test("has a key of the chain's curve for each relayer, one for the auditor and one for receipts, and another for notifications, kept with the table", () => {
    const keys = stage.ofType("AWS::KMS::Key");
    expect(keys).toHaveLength(settings.relayers + 3);
    for (const { id, resource } of keys) {
      const KeySpec = id.startsWith("push") ? "ECC_NIST_P256" : "ECC_SECG_P256K1";
      expect(resource.Properties).toMatchObject({ KeySpec, KeyUsage: "SIGN_VERIFY" });
      expect(resource.DeletionPolicy).toBe(kept ? "RetainExceptOnCreate" : "Delete");
    }
  });

  test("lets no name outlive a stack: a log group that is kept must not block the stage's next deployment", () => {
    const named = stage
      .ofType("AWS::Logs::LogGroup")
      .filter(({ resource }) => "LogGroupName" in resource.Properties);
    expect(named).toHaveLength(2);
    for (const { resource } of named) {
      expect(JSON.stringify(resource.Properties.LogGroupName)).toContain('{"Ref":"AWS::StackId"}');
    }
  });

  test("makes the table after all keys: protected, it could not go again where a key fails at first", () => {
    const keys = stage.ofType("AWS::KMS::Key").map(({ id }) => id);
    expect(new Set(stage.only("AWS::DynamoDB::Table").resource.DependsOn)).toEqual(new Set(keys));
  });

  test("has the queues of jobs.ts with their dead letters", () => {
    const made = stage.ofType("AWS::SQS::Queue");
    // And one for the clock's failed runs.
    expect(made).toHaveLength(queues.length * 2 + 1);
    for (const row of queues) {
      const queue = made.find(({ id }) => new RegExp(`^${row.name}[0-9A-F]{8}$`).test(id));
      const dead = made.find(({ id }) => id.startsWith(row.deadLetterQueue.replaceAll("-", "")));
      expect(queue?.resource.Properties).toMatchObject({
        VisibilityTimeout: row.visibilitySeconds,
        RedrivePolicy: { maxReceiveCount: row.maxReceiveCount },
      });
      const { deadLetterTargetArn } = Object(queue?.resource.Properties.RedrivePolicy);
      expect(dead && stage.name(dead, "Arn")).toBe(stage.text(deadLetterTargetArn, "jobs"));
    }
  });

  test("feeds the workers from their queues, with partial failures and the row's concurrency", () => {
    const fed = stage.ofType("AWS::Lambda::EventSourceMapping").map(({ stack, resource }) => ({
      worker: stage.text(resource.Properties.FunctionName, stack),
      batchSize: resource.Properties.BatchSize,
      scaling: resource.Properties.ScalingConfig,
      answers: resource.Properties.FunctionResponseTypes,
    }));
    const expected = jobs.flatMap(({ id, trigger }) =>
      trigger.kind === "queue"
        ? {
            worker: stage.name(stage.lambda(id), "Ref"),
            batchSize: trigger.batchSize,
            scaling: { MaximumConcurrency: trigger.concurrency },
            answers: ["ReportBatchItemFailures"],
          }
        : [],
    );
    expect(fed).toEqual(expected);
  });

  test("lets a worker that sends to its own queue do so more than the 16 times that Lambda allows by itself", () => {
    for (const { id, trigger, access } of work) {
      if (trigger.kind !== "queue") continue;
      const again = access.includes(`${trigger.queue}:send`);
      expect(stage.lambda(id).resource.Properties.RecursiveLoop).toBe(again ? "Allow" : "Terminate");
    }
  });

  test("starts what the clock starts as often as its row says, and no run twice", () => {
    const clocks = clocksOf().map(({ stack, resource }) => {
      const [target] = Targets.parse(resource.Properties.Targets);
      return [stage.text(target.Arn, stack), resource.Properties.ScheduleExpression, target.RetryPolicy];
    });
    const expected = jobs.flatMap(({ id, trigger }) => {
      if (trigger.kind !== "schedule") return [];
      const { everyMinutes } = trigger;
      const rate = `rate(${everyMinutes} minute${everyMinutes > 1 ? "s" : ""})`;
      const retries = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: everyMinutes * 60 };
      return [[stage.name(stage.lambda(id), "Arn"), rate, retries]];
    });
    expect(clocks).toEqual(expected);
  });

  test("keeps each run of the clock that fails, with its error, or that Lambda does not take", () => {
    const queue = stage.ofType("AWS::SQS::Queue").find(({ id }) => id.startsWith("clockdead"));
    if (queue === undefined) throw new TypeError("There is no queue for failed runs");
    expect(queue.resource.Properties.MessageRetentionPeriod).toBe(14 * 86_400);
    const kept = new Map(
      stage.ofType("AWS::Lambda::EventInvokeConfig").map(({ stack, resource }) => {
        const { FunctionName, MaximumRetryAttempts, DestinationConfig } = resource.Properties;
        const { Destination } = Object(Object(DestinationConfig).OnFailure);
        return [stage.text(FunctionName, stack), [MaximumRetryAttempts, stage.text(Destination, stack)]];
      }),
    );
    const notTaken = clocksOf().map(({ stack, resource }) => {
      const [target] = Targets.parse(resource.Properties.Targets);
      return [stage.text(target.Arn, stack), stage.text(Object(target.DeadLetterConfig).Arn, stack)];
    });
    const clocked = jobs
      .filter(({ trigger }) => trigger.kind === "schedule")
      .map(({ id }) => stage.lambda(id));
    const arn = stage.name(queue, "Arn");
    expect(kept).toEqual(new Map(clocked.map((made) => [stage.name(made, "Ref"), [0, arn]])));
    expect(notTaken).toEqual(clocked.map((made) => [stage.name(made, "Arn"), arn]));
  });

  test("runs the state machine that runs locally, as a traced Express workflow that logs no texts", () => {
    const { stack, resource } = stage.only("AWS::StepFunctions::StateMachine");
    const arn = (id: string) => stage.name(stage.lambda(id), "Arn");
    expect(JSON.parse(stage.text(resource.Properties.DefinitionString, stack))).toEqual(
      auditMachine({
        "audit-facts": arn("audit-facts"),
        "audit-rules": arn("audit-rules"),
        "audit-review": arn("audit-review"),
        "audit-store": arn("audit-store"),
      }),
    );
    expect(resource.Properties).toMatchObject({
      StateMachineType: "EXPRESS",
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: { Level: "ALL", IncludeExecutionData: false },
    });
  });

  test("answers other origins as routes.ts says and takes no more than the stage's limits", () => {
    expect(stage.only("AWS::ApiGatewayV2::Api").resource.Properties.CorsConfiguration).toEqual({
      AllowOrigins: cors.allowOrigins,
      AllowMethods: cors.allowMethods,
      AllowHeaders: cors.allowHeaders,
      ExposeHeaders: cors.exposeHeaders,
      MaxAge: cors.maxAgeSeconds,
    });
    const { rate, burst } = settings.limits.gateway;
    expect(stage.only("AWS::ApiGatewayV2::Stage").resource.Properties).toMatchObject({
      // Nothing reads metrics of single routes, which are 54 USD a month: the gateway's log has each request's route.
      DefaultRouteSettings: {
        ThrottlingRateLimit: rate,
        ThrottlingBurstLimit: burst,
        DetailedMetricsEnabled: false,
      },
    });
  });
});
