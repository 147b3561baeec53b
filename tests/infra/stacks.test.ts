import { describe, expect, test } from "vitest";
import * as z from "zod";
import { makeAuditMachine } from "../../functions/audit.asl.ts";
import { cors } from "../../functions/browser.ts";
import { type Job, jobs, queues } from "../../functions/jobs.ts";
import { listMethods, type Route, routes } from "../../functions/routes.ts";
import { storage } from "../../functions/storage.ts";
import { findSettings } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { makeReader } from "./reading.ts";

const work: readonly Job[] = jobs;
const rows: readonly (Route | Job)[] = [...routes, ...work];
const Targets = z.tuple([
  z.object({ Arn: z.unknown(), RetryPolicy: z.unknown(), DeadLetterConfig: z.unknown() }),
]);
const stages = ["dev", "staging", "prod", "jane"];

describe.each(stages)("the stage %s has the resources that its tables and settings name", async (name) => {
  const stage = makeReader(await synthesize(name));
  const settings = findSettings(name);
  const kept = settings.removal === "retain";

  test("the stage has exactly the routes of routes.ts, each with its own function", () => {
    const integrations = new Map(
      stage.ofType("AWS::ApiGatewayV2::Integration").map((found) => {
        expect(found.resource.Properties).toMatchObject({
          IntegrationType: "AWS_PROXY",
          PayloadFormatVersion: "2.0",
        });
        return [
          stage.formatName(found, "Ref"),
          stage.text(found.resource.Properties.IntegrationUri, found.stack),
        ];
      }),
    );
    const made = stage.ofType("AWS::ApiGatewayV2::Route").map(({ stack, resource }) => {
      const target = stage.text(resource.Properties.Target, stack).replace("integrations/", "");
      return [resource.Properties.RouteKey, integrations.get(target)] as const;
    });
    expect(new Map(made)).toEqual(
      new Map(
        routes.flatMap((row) => {
          const to = findTarget(row);
          return listMethods(row).map((method) => [`${method} ${row.path}`, to]);
        }),
      ),
    );
  });

  /**
   * The schedule rules, by which EventBridge starts the scheduled jobs. The rule that reports the use of keys is not a schedule rule: it is
   * in the stack of alarms.
   */
  const listClocks = () => stage.ofType("AWS::Events::Rule").filter(({ stack }) => stack === "jobs");

  /** The gateway's target for a route: the alias of the function for a payment route, and the function itself for any other route. */
  function findTarget({ id, caller }: Route): string {
    if (caller !== "payer") return stage.formatName(stage.lambda(id), "Arn");
    return stage.formatName(stage.findResource("AWS::Lambda::Alias", `${id}live`), "Ref");
  }

  test("the stage releases payment functions as versions; if its settings ask for a canary, alarms can roll a release back", () => {
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

  test("every function has the memory and timeout of its row in the list of functions, runs on arm64 and Node 24, and is traced", () => {
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

  test("the stage reserves concurrent runs only for the functions that its settings name", () => {
    const reserved = rows.flatMap(({ id }) => {
      const runs = stage.lambda(id).resource.Properties.ReservedConcurrentExecutions;
      return runs === undefined ? [] : [[id, runs]];
    });
    expect(Object.fromEntries(reserved)).toEqual(settings.limits.reserved);
  });

  test("the stage limits the request rates of single routes as its settings say, and sets the limits after the routes are made", () => {
    const { resource } = stage.findOnly("AWS::ApiGatewayV2::Stage");
    const limited = Object.entries(settings.limits.routes).flatMap(([id, { rate, burst }]) => {
      const row = routes.find((one) => one.id === id);
      const throttle = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
      return row === undefined
        ? []
        : listMethods(row).map((method) => [`${method} ${row.path}`, throttle] as const);
    });
    expect(limited.length).toBeGreaterThan(3);
    expect(resource.Properties.RouteSettings).toMatchObject(Object.fromEntries(limited));
    expect(Object.keys(Object(resource.Properties.RouteSettings))).toHaveLength(limited.length);
    // The routes of the stack `reading` are made before the stack `api`.
    const made = stage.ofType("AWS::ApiGatewayV2::Route").filter(({ stack }) => stack === "api");
    expect(resource.DependsOn).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  });

  test("each stack has room for a dozen more functions below CloudFormation's limit of 500 resources", () => {
    const sizes = Map.groupBy(stage.all, ({ stack }) => stack);
    for (const [stack, { length }] of sizes) expect([stack, length < 500 - 12 * 9]).toEqual([stack, true]);
  });

  test("the paths of all the gateway's routes begin with the edge's secret", () => {
    const { stack, resource } = stage.findOnly("AWS::ApiGatewayV2::Stage");
    const front = stage.findOnly("AWS::CloudFront::Distribution");
    const { Origins } = Object(front.resource.Properties.DistributionConfig);
    const paths = [Origins].flat().flatMap(({ OriginPath }) => OriginPath ?? []);
    expect(paths.map((path) => stage.text(path, front.stack))).toEqual([
      `/${stage.text(resource.Properties.StageName, stack)}`,
    ]);
    expect(stage.text(resource.Properties.StageName, stack)).toMatch(
      /^\{\{resolve:secretsmanager:\{web\/originsecret\w+\.Ref\}:SecretString:::\}\}$/,
    );
  });

  test("the stage keeps each function's log for the time that the stage's settings give", () => {
    const groups = stage.ofType("AWS::Logs::LogGroup");
    expect(groups.length).toBeGreaterThan(rows.length);
    for (const { resource } of groups) {
      expect(resource.Properties.RetentionInDays).toBe(settings.logDays);
    }
  });

  test("the stage has the table of storage.ts: paid on demand, restorable, with expiring items, and protected from deletion if the stage keeps its data", () => {
    const { resource } = stage.findOnly("AWS::DynamoDB::Table");
    const makeKeySchema = (partition: string, sort: string) => [
      { AttributeName: partition, KeyType: "HASH" },
      { AttributeName: sort, KeyType: "RANGE" },
    ];
    expect(resource.Properties).toMatchObject({
      KeySchema: makeKeySchema(storage.partitionKey, storage.sortKey),
      BillingMode: "PAY_PER_REQUEST",
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: storage.ttlAttribute, Enabled: true },
      DeletionProtectionEnabled: kept,
      GlobalSecondaryIndexes: storage.indexes.map(({ name: IndexName, partitionKey, sortKey }) => ({
        IndexName,
        KeySchema: makeKeySchema(partitionKey, sortKey),
        Projection: { ProjectionType: "ALL" },
      })),
    });
    expect(resource.DeletionPolicy).toBe(kept ? "RetainExceptOnCreate" : "Delete");
  });

  test("each relayer, the auditor and the receipts have a secp256k1 key of their own, and notifications have a P-256 key; a stage that keeps its table keeps these keys too", () => {
    const keys = stage.ofType("AWS::KMS::Key");
    expect(keys).toHaveLength(settings.relayers + 3);
    for (const { id, resource } of keys) {
      const KeySpec = id.startsWith("push") ? "ECC_NIST_P256" : "ECC_SECG_P256K1";
      expect(resource.Properties).toMatchObject({ KeySpec, KeyUsage: "SIGN_VERIFY" });
      expect(resource.DeletionPolicy).toBe(kept ? "RetainExceptOnCreate" : "Delete");
    }
  });

  test("no resource with a fixed name outlives its stack, so that no log group of a removed stage blocks the stage's next deployment", () => {
    const named = stage
      .ofType("AWS::Logs::LogGroup")
      .filter(({ resource }) => "LogGroupName" in resource.Properties);
    expect(named).toHaveLength(2);
    for (const { resource } of named) {
      expect(JSON.stringify(resource.Properties.LogGroupName)).toContain('{"Ref":"AWS::StackId"}');
    }
  });

  test("the table is made after all KMS keys, because a protected table could not be removed if a later key could not be made", () => {
    const keys = stage.ofType("AWS::KMS::Key").map(({ id }) => id);
    expect(new Set(stage.findOnly("AWS::DynamoDB::Table").resource.DependsOn)).toEqual(new Set(keys));
  });

  test("the stage has the queues of jobs.ts with their dead-letter queues", () => {
    const made = stage.ofType("AWS::SQS::Queue");
    // Besides the queues of jobs.ts, there is a queue for failed runs of the scheduled jobs.
    expect(made).toHaveLength(queues.length * 2 + 1);
    for (const row of queues) {
      const queue = stage.findResource("AWS::SQS::Queue", row.name);
      const dead = stage.findResource("AWS::SQS::Queue", row.deadLetterQueue);
      expect(queue.resource.Properties).toMatchObject({
        VisibilityTimeout: row.visibilitySeconds,
        RedrivePolicy: { maxReceiveCount: row.maxReceiveCount },
      });
      const { deadLetterTargetArn } = Object(queue.resource.Properties.RedrivePolicy);
      expect(stage.formatName(dead, "Arn")).toBe(stage.text(deadLetterTargetArn, "jobs"));
    }
  });

  test("each queue calls its worker with the concurrency of the job's row, and repeats only the messages that failed", () => {
    const fed = stage.ofType("AWS::Lambda::EventSourceMapping").map(({ stack, resource }) => ({
      worker: stage.text(resource.Properties.FunctionName, stack),
      batchSize: resource.Properties.BatchSize,
      scaling: resource.Properties.ScalingConfig,
      answers: resource.Properties.FunctionResponseTypes,
    }));
    const expected = jobs.flatMap(({ id, trigger }) =>
      trigger.kind === "queue"
        ? {
            worker: stage.formatName(stage.lambda(id), "Ref"),
            batchSize: trigger.batchSize,
            scaling: { MaximumConcurrency: trigger.concurrency },
            answers: ["ReportBatchItemFailures"],
          }
        : [],
    );
    expect(fed).toEqual(expected);
  });

  test("Lambda's loop detection is off for exactly those workers that may send to their own queue, because it would stop them after 16 tries", () => {
    for (const { id, trigger, access } of work) {
      if (trigger.kind !== "queue") continue;
      const again = access.includes(`${trigger.queue}:send`);
      expect(stage.lambda(id).resource.Properties.RecursiveLoop).toBe(again ? "Allow" : "Terminate");
    }
  });

  test("the clock starts each job as often as the job's row says, and starts no run twice", () => {
    const clocks = listClocks().map(({ stack, resource }) => {
      const [target] = Targets.parse(resource.Properties.Targets);
      return [stage.text(target.Arn, stack), resource.Properties.ScheduleExpression, target.RetryPolicy];
    });
    const expected = jobs.flatMap(({ id, trigger }) => {
      if (trigger.kind !== "schedule") return [];
      const { everyMinutes } = trigger;
      const rate = `rate(${everyMinutes} minute${everyMinutes > 1 ? "s" : ""})`;
      const retries = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: everyMinutes * 60 };
      return [[stage.formatName(stage.lambda(id), "Arn"), rate, retries]];
    });
    expect(clocks).toEqual(expected);
  });

  test("if a scheduled run fails, or if Lambda refuses to start the run, a queue stores the run with its error", () => {
    const queue = stage.findResource("AWS::SQS::Queue", "clock-dead");
    expect(queue.resource.Properties.MessageRetentionPeriod).toBe(14 * 86_400);
    const kept = new Map(
      stage.ofType("AWS::Lambda::EventInvokeConfig").map(({ stack, resource }) => {
        const { FunctionName, MaximumRetryAttempts, DestinationConfig } = resource.Properties;
        const { Destination } = Object(Object(DestinationConfig).OnFailure);
        return [stage.text(FunctionName, stack), [MaximumRetryAttempts, stage.text(Destination, stack)]];
      }),
    );
    const notTaken = listClocks().map(({ stack, resource }) => {
      const [target] = Targets.parse(resource.Properties.Targets);
      return [stage.text(target.Arn, stack), stage.text(Object(target.DeadLetterConfig).Arn, stack)];
    });
    const clocked = jobs
      .filter(({ trigger }) => trigger.kind === "schedule")
      .map(({ id }) => stage.lambda(id));
    const arn = stage.formatName(queue, "Arn");
    expect(kept).toEqual(new Map(clocked.map((made) => [stage.formatName(made, "Ref"), [0, arn]])));
    expect(notTaken).toEqual(clocked.map((made) => [stage.formatName(made, "Arn"), arn]));
  });

  test("the stage runs the same state machine as a local start does, and runs it as a traced Express workflow that logs no texts", () => {
    const { stack, resource } = stage.findOnly("AWS::StepFunctions::StateMachine");
    const formatArn = (id: string) => stage.formatName(stage.lambda(id), "Arn");
    expect(JSON.parse(stage.text(resource.Properties.DefinitionString, stack))).toEqual(
      makeAuditMachine(formatArn),
    );
    expect(resource.Properties).toMatchObject({
      StateMachineType: "EXPRESS",
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: { Level: "ALL", IncludeExecutionData: false },
    });
  });

  test("the gateway answers requests from other origins as browser.ts says, and limits the rate of all requests as the stage's settings say", () => {
    expect(stage.findOnly("AWS::ApiGatewayV2::Api").resource.Properties.CorsConfiguration).toEqual({
      AllowOrigins: cors.allowOrigins,
      AllowMethods: cors.allowMethods,
      AllowHeaders: cors.allowHeaders,
      ExposeHeaders: cors.exposeHeaders,
      MaxAge: cors.maxAgeSeconds,
    });
    const { rate, burst } = settings.limits.gateway;
    expect(stage.findOnly("AWS::ApiGatewayV2::Stage").resource.Properties).toMatchObject({
      // Metrics of single routes would cost 54 USD a month. Nobody needs metrics of single routes, because the gateway's log names each
      // request's route.
      DefaultRouteSettings: {
        ThrottlingRateLimit: rate,
        ThrottlingBurstLimit: burst,
        DetailedMetricsEnabled: false,
      },
    });
  });
});
