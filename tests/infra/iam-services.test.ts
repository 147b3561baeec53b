import { describe, expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";
import { synthesize } from "./assembly.ts";
import {
  account,
  administrator,
  type Call,
  type ExpectedCall,
  type IamCaller,
  readAuthority,
} from "./authority.ts";
import { makeReader, type StackResource } from "./reading.ts";

/**
 * The calls that AWS would allow to callers other than our functions. Some of these callers are AWS's own services and the roles that
 * release payment functions, publish the site and run the audit. The other callers are named in the policy of a bucket, topic or function.
 * `iam.test.ts` tests the rights of the functions.
 */
const other = "210987654321";
const makeCaller = (name: string): IamCaller => ({ role: `${name}.amazonaws.com`, policies: [] });
const region = "us-east-1";

async function loadStage(name: string) {
  const stage = makeReader(await synthesize(name));
  const authority = readAuthority(stage);
  const readArn = (found: StackResource) =>
    authority.readAttribute(found, found.resource.Type.includes("Topic") ? "Ref" : "Arn");
  const findBucket = (id: string) => stage.findResource("AWS::S3::Bucket", id);
  const roles = stage.ofType("AWS::IAM::Role");
  return { stage, authority, readArn, findBucket, roles, listUnexpectedCalls: authority.listUnexpectedCalls };
}

/** For each role, the service that assumes the role. Lambda assumes every role that is not in this list. */
const others = [
  [/^machinerole/, "states"],
  [/releaseServiceRole/, "codedeploy"],
  [/^backupstableRole/, "backup"],
] as const;

describe.each(["jane", "dev", "staging", "prod"])(
  "in the stage %s, AWS allows callers other than the functions only the calls that they need",
  async (name) => {
    const { stage, authority, readArn, findBucket, roles, listUnexpectedCalls } = await loadStage(name);
    const hasAlarms = stage.ofType("AWS::SNS::Topic").length > 0;

    test("each role can be assumed only by the service for which the role is made; even an administrator cannot assume it", async () => {
      const services = [
        "lambda",
        "states",
        "codedeploy",
        "events",
        "apigateway",
        "edgelambda",
        "cloudformation",
        "backup",
      ];
      const stranger = { ...administrator, role: `arn:aws:iam::${other}:role/Administrator` };
      const asked = roles.flatMap((role): readonly ExpectedCall[] => {
        const call = { action: "sts:AssumeRole", resource: readArn(role) };
        const right = others.find(([id]) => id.test(role.id))?.[1] ?? "lambda";
        return [
          ...services.map((one) => [one === right, makeCaller(one), call, role] as const),
          [false, administrator, call, role],
          [false, stranger, call, role],
        ];
      });
      expect(await listUnexpectedCalls(asked)).toEqual([]);
    });

    test("the audit's state machine may call its four steps and no other function, and may write its log and its traces", async () => {
      const machine = authority.readCaller(stage.findResource("AWS::IAM::Role", "machinerole"));
      const makeCall = (id: string) => ({
        action: "lambda:InvokeFunction",
        resource: readArn(stage.lambda(id)),
      });
      const everywhere = [
        ...["Create", "Get", "Update", "Delete"].map((verb) => `logs:${verb}LogDelivery`),
        "logs:ListLogDeliveries",
        "logs:PutResourcePolicy",
        "logs:DescribeResourcePolicies",
        "logs:DescribeLogGroups",
        "xray:PutTraceSegments",
        "xray:GetSamplingRules",
      ];
      const steps = ["audit-facts", "audit-rules", "audit-review", "audit-store"];
      expect(
        await listUnexpectedCalls([
          ...steps.map((id) => [true, machine, makeCall(id)] as const),
          ...everywhere.map((action) => [true, machine, { action, resource: "*" }] as const),
          ...["pay-treasury", "repair", "verdict-post"].map((id) => [false, machine, makeCall(id)] as const),
          [
            false,
            machine,
            { action: "dynamodb:GetItem", resource: readArn(stage.findOnly("AWS::DynamoDB::Table")) },
          ],
          [false, machine, { action: "iam:PassRole", resource: machine.role }],
        ]),
      ).toEqual([]);
    });

    test("the function that publishes the site writes files to its bucket and clears the edge's cache, and deletes nothing", async () => {
      const publisher = authority.readCaller(stage.findResource("AWS::IAM::Role", "publisherrole"));
      const uploads = `arn:aws:s3:::cdk-hnb659fds-assets-${account}-${region}`;
      const [site, index, logs] = ["site", "searchindex", "accesslogs"].map((id) => readArn(findBucket(id)));
      const makeDistributionArn = (of: string) => `arn:aws:cloudfront::${of}`;
      const ours = authority.readAttribute(stage.findOnly("AWS::CloudFront::Distribution"), "Ref");
      const makePublisherCall = (may: boolean, action: string, resource: string): ExpectedCall => [
        may,
        publisher,
        { action, resource },
      ];
      expect(
        await listUnexpectedCalls([
          makePublisherCall(true, "s3:GetObject", `${uploads}/site.zip`),
          makePublisherCall(true, "s3:ListBucket", uploads),
          makePublisherCall(true, "s3:ListBucket", site ?? ""),
          makePublisherCall(true, "s3:PutObject", `${site}/index.html`),
          makePublisherCall(true, "s3:GetObject", `${site}/index.html`),
          makePublisherCall(
            true,
            "cloudfront:CreateInvalidation",
            makeDistributionArn(`${account}:distribution/${ours}`),
          ),
          makePublisherCall(
            true,
            "cloudfront:GetInvalidation",
            makeDistributionArn(`${account}:distribution/${ours}`),
          ),
          makePublisherCall(
            false,
            "cloudfront:UpdateDistribution",
            makeDistributionArn(`${account}:distribution/${ours}`),
          ),
          makePublisherCall(
            false,
            "cloudfront:CreateInvalidation",
            makeDistributionArn(`${account}:distribution/EOTHER`),
          ),
          makePublisherCall(false, "s3:DeleteObject", `${site}/index.html`),
          makePublisherCall(false, "s3:PutBucketPolicy", site ?? ""),
          makePublisherCall(false, "s3:PutObject", `${uploads}/site.zip`),
          makePublisherCall(false, "s3:PutObject", `${index}/index.json`),
          makePublisherCall(false, "s3:PutObject", `${logs}/log`),
          makePublisherCall(
            false,
            "kms:Sign",
            authority.readAttribute(stage.ofType("AWS::KMS::Key")[0] ?? findBucket("site"), "Arn"),
          ),
        ]),
      ).toEqual([]);
    });

    test("the function that empties buckets may empty only the buckets that are deleted with the stage", async () => {
      const kept = stage.ofType("AWS::S3::Bucket").map((found) => {
        const custom = stage
          .ofType("Custom::S3AutoDeleteObjects")
          .some(
            ({ stack, resource }) =>
              stage.text(resource.Properties.BucketName, stack) === stage.formatName(found, "Ref"),
          );
        return { found, goes: custom };
      });
      const asked = roles
        .filter(({ id }) => id.startsWith("CustomS3AutoDelete"))
        .flatMap((role) => {
          const cleaner = authority.readCaller(role);
          return kept.flatMap(({ found, goes }): readonly ExpectedCall[] => {
            const may = goes && found.stack === role.stack;
            const makeExpectedCall = (action: string, suffix = ""): ExpectedCall => [
              may,
              cleaner,
              { action, resource: `${readArn(found)}${suffix}` },
              found,
            ];
            return [
              makeExpectedCall("s3:GetBucketPolicy"),
              makeExpectedCall("s3:PutBucketPolicy"),
              makeExpectedCall("s3:GetBucketTagging"),
              makeExpectedCall("s3:ListBucketVersions"),
              makeExpectedCall("s3:DeleteObject", "/one"),
              makeExpectedCall("s3:DeleteObjectVersion", "/one"),
              [false, cleaner, { action: "s3:GetObject", resource: `${readArn(found)}/one` }, found],
            ];
          });
        });
      expect(asked.length).toBeGreaterThan(0);
      expect(await listUnexpectedCalls(asked)).toEqual([]);
    });

    test("only the edge reads the site's files, and only for our own distribution", async () => {
      const site = findBucket("site");
      const edge = makeCaller("cloudfront");
      const makeContext = (id: string, of = account) => ({
        "AWS:SourceArn": `arn:aws:cloudfront::${of}:distribution/${id}`,
      });
      const ours = makeContext(
        authority.readAttribute(stage.findOnly("AWS::CloudFront::Distribution"), "Ref"),
      );
      const file = { action: "s3:GetObject", resource: `${readArn(site)}/index.html` };
      const stranger = { ...administrator, role: `arn:aws:iam::${other}:role/Administrator` };
      expect(
        await listUnexpectedCalls([
          [true, edge, { ...file, context: ours }, site],
          [false, edge, { ...file, context: makeContext("EOTHER") }, site],
          [false, edge, { ...file, context: makeContext("EOTHER", other) }, site],
          [false, edge, { ...file, context: { ...ours, "aws:SecureTransport": "false" } }, site],
          [false, edge, { ...file, action: "s3:PutObject", context: ours }, site],
          [false, edge, { action: "s3:ListBucket", resource: readArn(site), context: ours }, site],
          [false, stranger, file, site],
          ...["searchindex", "accesslogs"].map(findBucket).map((found): ExpectedCall => {
            const resource = `${readArn(found)}/one`;
            return [false, edge, { ...file, resource, context: ours }, found];
          }),
        ]),
      ).toEqual([]);
    });

    test("the log service writes the edge's log only to the log's own folder and only for our distribution, and cannot read the log", async () => {
      const logs = findBucket("accesslogs");
      const writer = makeCaller("delivery.logs");
      const source = authority.readAttribute(stage.findOnly("AWS::Logs::DeliverySource"), "Arn");
      const from = { "aws:SourceArn": source, "aws:SourceAccount": account };
      const context = { ...from, "s3:x-amz-acl": "bucket-owner-full-control" };
      const put = { action: "s3:PutObject", resource: `${readArn(logs)}/edge/2026/11/26/one.gz`, context };
      expect(
        await listUnexpectedCalls([
          [true, writer, put, logs],
          [false, writer, { ...put, resource: `${readArn(logs)}/site/one` }, logs],
          [false, writer, { ...put, action: "s3:GetObject", context: from }, logs],
          [false, writer, { ...put, context: { ...context, "aws:SourceAccount": other } }, logs],
          [false, writer, { ...put, context: { ...context, "aws:SourceArn": `${source}-other` } }, logs],
        ]),
      ).toEqual([]);
    });

    test("nobody reaches a bucket without TLS, not even an administrator", async () => {
      const context = { "aws:SecureTransport": "false" };
      const asked = stage.ofType("AWS::S3::Bucket").flatMap((found): readonly ExpectedCall[] => {
        const call = { action: "s3:GetObject", resource: `${readArn(found)}/one` };
        return [
          [true, administrator, call, found],
          [false, administrator, { ...call, context }, found],
        ];
      });
      expect(await listUnexpectedCalls(asked)).toEqual([]);
    });

    test("only our gateway may call a route's function, and only for the route's path", async () => {
      const gateway = authority.readAttribute(stage.findOnly("AWS::ApiGatewayV2::Api"), "Ref");
      const asked = routes.flatMap(({ id, method, path, caller }, index): readonly ExpectedCall[] => {
        const on =
          caller === "payer" ? stage.findResource("AWS::Lambda::Alias", `${id}live`) : stage.lambda(id);
        const resource = authority.readAttribute(on, caller === "payer" ? "Ref" : "Arn");
        const makeRouteCall = (who: string, from: string, of = gateway): [IamCaller, Call, StackResource] => {
          const source = `arn:aws:execute-api:${region}:${account}:${of}/$default/${from}`;
          const call = { action: "lambda:InvokeFunction", resource, context: { "aws:SourceArn": source } };
          return [makeCaller(who), call, on];
        };
        const next = routes[(index + 1) % routes.length]?.path ?? path;
        return [
          [true, ...makeRouteCall("apigateway", `${method}${path}`)],
          [false, ...makeRouteCall("apigateway", `${method}${path}`, "another")],
          ...(next === path || next.endsWith(path)
            ? []
            : [[false, ...makeRouteCall("apigateway", `${method}${next}`)] as const]),
          [false, ...makeRouteCall("events", `${method}${path}`)],
        ];
      });
      expect(await listUnexpectedCalls(asked)).toEqual([]);
    });

    test("the clock starts the function of each of its rules, and nobody else starts a worker", async () => {
      const workers = [
        "payment-reconcile",
        "payment-watch",
        "market-record",
        "search-prepare",
        "views-count",
      ];
      const asked = workers.flatMap((id, index): readonly ExpectedCall[] => {
        const on = stage.lambda(id);
        const makeRuleContext = (of: string) => {
          const found = stage.findResource("AWS::Events::Rule", `${of}clock`);
          return { "aws:SourceArn": readArn(found) };
        };
        const call = { action: "lambda:InvokeFunction", resource: readArn(on) };
        const next = workers[(index + 1) % workers.length] ?? id;
        return [
          [true, makeCaller("events"), { ...call, context: makeRuleContext(id) }, on],
          [false, makeCaller("events"), { ...call, context: makeRuleContext(next) }, on],
          [false, makeCaller("s3"), { ...call, context: makeRuleContext(id) }, on],
          [false, makeCaller("sns"), { ...call, context: makeRuleContext(id) }, on],
        ];
      });
      const fromQueues = ["mint-confirm", "verdict-post", "audit-review", "repair"].flatMap((id) => {
        const on = stage.lambda(id);
        // Lambda's pollers and the state machine call a function with the rights of roles, so no service uses the function's own policy.
        return ["sqs", "states", "events", "apigateway"].map(
          (who): ExpectedCall => [
            false,
            makeCaller(who),
            { action: "lambda:InvokeFunction", resource: readArn(on) },
            on,
          ],
        );
      });
      expect(await listUnexpectedCalls([...asked, ...fromQueues])).toEqual([]);
    });

    test("the role that brings new versions of payment functions into use may move aliases and read alarms, and may change no code and no role", async () => {
      const releases = roles.filter(({ id }) => id.includes("releaseServiceRole")).map(authority.readCaller);
      const resource = readArn(stage.lambda("pay-treasury"));
      const asked = releases.flatMap((who): readonly ExpectedCall[] => [
        [true, who, { action: "lambda:UpdateAlias", resource }],
        [
          true,
          who,
          {
            action: "cloudwatch:DescribeAlarms",
            resource: `arn:aws:cloudwatch:${region}:${account}:alarm:one`,
          },
        ],
        [false, who, { action: "lambda:UpdateFunctionCode", resource }],
        [false, who, { action: "lambda:InvokeFunction", resource }],
        [false, who, { action: "iam:PassRole", resource: who.role }],
      ]);
      expect(await listUnexpectedCalls(asked)).toEqual([]);
    });

    test("this account's alarms may publish to both topics, its event bus may publish only to the urgent topic, and the trail writes only to this account's folder", async () => {
      if (!hasAlarms) return;
      const [usual, urgent] = [
        stage.findResource("AWS::SNS::Topic", "alarms"),
        stage.findResource("AWS::SNS::Topic", "urgentalarms"),
      ];
      const trail = findBucket("trailbucket");
      const publish = (on: StackResource, who: string, of = account): [IamCaller, Call, StackResource] => [
        makeCaller(who),
        {
          action: "sns:Publish",
          resource: readArn(on),
          context: { "aws:SourceAccount": of },
        },
        on,
      ];
      const put = (of: string) => ({
        action: "s3:PutObject",
        resource: `${readArn(trail)}/AWSLogs/${of}/one`,
        context: { "s3:x-amz-acl": "bucket-owner-full-control" },
      });
      expect(
        await listUnexpectedCalls([
          [true, ...publish(usual, "cloudwatch")],
          [false, ...publish(usual, "cloudwatch", other)],
          [false, ...publish(usual, "events")],
          [true, ...publish(urgent, "cloudwatch")],
          [true, ...publish(urgent, "events")],
          [false, ...publish(urgent, "s3")],
          [true, makeCaller("cloudtrail"), { action: "s3:GetBucketAcl", resource: readArn(trail) }, trail],
          [true, makeCaller("cloudtrail"), put(account), trail],
          [false, makeCaller("cloudtrail"), put(other), trail],
          [false, makeCaller("cloudtrail"), { ...put(account), action: "s3:GetObject", context: {} }, trail],
        ]),
      ).toEqual([]);
    });

    test("only resources of the tested kinds have a policy, and each role in a stage that the pipeline deploys has a permissions boundary", () => {
      const read = [
        "AWS::IAM::Policy",
        "AWS::IAM::Role",
        "AWS::KMS::Key",
        "AWS::S3::BucketPolicy",
        "AWS::SNS::TopicPolicy",
        "AWS::SQS::QueuePolicy",
        // A firewall has no policy: its statements are rules for requests.
        "AWS::WAFv2::WebACL",
      ];
      const found = stage.all.filter(({ resource }) => {
        const text = JSON.stringify(resource);
        return text.includes('"Statement"') || text.includes("PermissionsBoundary");
      });
      expect(
        [...new Set(found.map(({ resource }) => resource.Type))].filter((type) => !read.includes(type)),
      ).toEqual([]);
      const isBounded = ({ resource }: StackResource) => "PermissionsBoundary" in resource.Properties;
      expect(roles.filter((role) => isBounded(role) === (name === "jane"))).toEqual([]);
    });
  },
);
