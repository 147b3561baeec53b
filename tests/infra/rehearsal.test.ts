import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type Capability,
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  ListTypesCommand,
  UpdateStackCommand,
} from "@aws-sdk/client-cloudformation";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AwsAccount, listOrphans, makeAccount } from "../../bench/rehearsal/aws/account.ts";
import { startAws } from "../../bench/rehearsal/aws/index.ts";
import { rehearse } from "../../bench/rehearse.ts";
import { startPart } from "../support/provide.ts";

/**
 * A rehearsal of a deployment proves something only if its stand-ins refuse everything that AWS would refuse. The stand-ins are called by
 * AWS's own client in these tests.
 */
const account: AwsAccount = makeAccount("123456789012", "us-east-1");
let client: CloudFormationClient;

const aws = startPart(() => startAws(account));
beforeAll(() => {
  account.signers.add("AKIA");
  account.operationMs = 0;
  client = new CloudFormationClient({ ...makeClientSettings("AKIA"), maxAttempts: 1 });
});
afterAll(() => client.destroy());
beforeEach(() => {
  for (const kept of [account.resources, account.buckets, account.parameters, account.secrets, account.zones])
    kept.clear();
  account.stacks.splice(0);
  account.unsupported.splice(0);
  account.failureOf = () => undefined;
});

function makeClientSettings(accessKeyId: string) {
  const credentials = { accessKeyId, secretAccessKey: "secret" };
  return { region: "us-east-1", endpoint: aws.endpoint, credentials };
}

type Resources = Readonly<Record<string, { readonly Type: string; readonly [key: string]: unknown }>>;

function makeStackInput(
  name: string,
  Resources: Resources,
  further: object = {},
  Capabilities: Capability[] = [],
) {
  return { StackName: name, TemplateBody: JSON.stringify({ Resources, ...further }), Capabilities };
}

/** Waits until the stack's operation has ended. Returns the stack's status and the reasons in the stack's events, latest first. */
async function waitForOutcome(name: string, sending: Promise<unknown>) {
  await sending;
  // A deleted stack can only be found by its id.
  const asked = { StackName: account.stacks.findLast((stack) => stack.name === name)?.id ?? name };
  for (;;) {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand(asked));
    const status = Stacks[0]?.StackStatus ?? "";
    if (!status.endsWith("_IN_PROGRESS")) {
      const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand(asked));
      return {
        status,
        reasons: StackEvents.flatMap(({ ResourceStatusReason }) => ResourceStatusReason ?? []),
      };
    }
    await setTimeout(5);
  }
}
type SendArguments = Parameters<typeof makeStackInput>;
const createStack = (...args: SendArguments) =>
  waitForOutcome(args[0], client.send(new CreateStackCommand(makeStackInput(...args))));
const updateStack = (...args: SendArguments) =>
  waitForOutcome(args[0], client.send(new UpdateStackCommand(makeStackInput(...args))));
const deleteStack = (name: string) =>
  waitForOutcome(name, client.send(new DeleteStackCommand({ StackName: name })));

const topic = { Type: "AWS::SNS::Topic" };
const makeLogGroup = (policy: string, name = "kept") => ({
  Type: "AWS::Logs::LogGroup",
  DeletionPolicy: policy,
  Properties: { LogGroupName: name },
});

describe("CloudFormation refuses a faulty request for a stack", () => {
  test.each<[string, Resources, object, RegExp]>([
    [
      "with roles, unasked",
      { it: { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: { Statement: [] } } } },
      {},
      /CAPABILITY_IAM/,
    ],
    [
      "without a parameter's value",
      { it: topic },
      { Parameters: { Name: { Type: "String" } } },
      /must have values/,
    ],
    [
      "with a parameter that SSM does not have",
      { it: topic },
      { Parameters: { Name: { Type: "AWS::SSM::Parameter::Value<String>", Default: "/a" } } },
      /Unable to fetch parameters \[\/a\]/,
    ],
    ["that is too long to be sent", { it: { ...topic, Metadata: "x".repeat(51_200) } }, {}, /templateBody/],
  ])("CloudFormation refuses a stack %s", async (_, resources, further, message) => {
    await expect(createStack("one", resources, further)).rejects.toThrow(message);
    expect(account.stacks).toEqual([]);
  });

  test("CloudFormation refuses an invalid template and names each fault that AWS's validator finds", async () => {
    const faulty: Resources = {
      a: { Type: "AWS::SNS::Topics" },
      b: { ...topic, DependsOn: "other" },
      c: { ...topic, Properties: { DisplayName: { "Fn::GetAtt": ["d", "Url"] } } },
      d: { ...topic, Properties: { Name: "x" } },
      e: { Type: "AWS::SNS::Subscription", Properties: { Protocol: "sms" } },
      f: { Type: "AWS::Logs::LogGroup", Properties: { RetentionInDays: 8 } },
    };
    const refused = await createStack("one", faulty).catch(String);
    for (const words of [
      /a : Unknown resource type/,
      /b .*'other' does not exist/,
      /c .*'Url' is not one of/,
      /d .*'Name' was unexpected/,
      /e .*'TopicArn' is a required property/,
      /f .*8 is not one of \[1, 3/,
    ])
      expect(refused).toMatch(words);
    expect(account.stacks).toEqual([]);
  });

  test("CloudFormation refuses a second stack of the same name, and an update of a missing stack", async () => {
    await createStack("one", { it: topic });
    await expect(createStack("one", { it: topic })).rejects.toThrow(/already exists/);
    await expect(updateStack("two", { it: topic })).rejects.toThrow(/does not exist/);
    await expect(updateStack("one", { it: topic })).rejects.toThrow(/No updates are to be performed/);
  });

  test("CloudFormation updates no stack whose creation failed or whose previous operation has not ended", async () => {
    account.failureOf = () => "not today";
    expect(await createStack("one", { it: topic })).toMatchObject({ status: "ROLLBACK_COMPLETE" });
    await expect(updateStack("one", { it: topic })).rejects.toThrow(
      /ROLLBACK_COMPLETE state and can not be updated/,
    );
    account.operationMs = 3_000;
    await client.send(new CreateStackCommand(makeStackInput("two", { it: topic })));
    await expect(updateStack("two", { it: topic, more: topic })).rejects.toThrow(/CREATE_IN_PROGRESS state/);
    account.operationMs = 0;
    await deleteWhenIdle("two");
  });
});

/** Deletes a stack when the stack's current operation has ended. */
async function deleteWhenIdle(name: string) {
  while (account.stacks.some(({ status }) => status.endsWith("_IN_PROGRESS"))) await setTimeout(5);
  return deleteStack(name);
}

describe("a stack handles the failure of one of its resources", () => {
  const fn = {
    Type: "AWS::Lambda::Function",
    Properties: {
      Code: { S3Bucket: "code", S3Key: "k" },
      Handler: "a.b",
      Role: "arn:aws:iam::123456789012:role/r",
      Runtime: "nodejs24.x",
    },
  };
  const makeKey = (Action: string) => {
    const Principal = { AWS: "arn:aws:iam::123456789012:root" };
    const Statement = [{ Effect: "Allow", Principal, Action, Resource: "*" }];
    return { Type: "AWS::KMS::Key", Properties: { KeyPolicy: { Version: "2012-10-17", Statement } } };
  };
  const theirs = { type: "AWS::Logs::LogGroup", physicalId: "theirs", owner: "theirs" };
  test.each<[string, Resources, RegExp]>([
    ["its code was not uploaded", { it: fn }, /bucket does not exist/],
    ["its name is somebody else's", { it: makeLogGroup("Delete", "theirs") }, /already exists/],
    [
      "its zone is unknown",
      {
        it: {
          Type: "AWS::Route53::RecordSet",
          Properties: { HostedZoneId: "Z9", Name: "a.test.", Type: "A" },
        },
      },
      /No hosted zone found/,
    ],
    [
      "its secret is not there",
      { it: { ...topic, Properties: { DisplayName: "{{resolve:secretsmanager:none:SecretString:::}}" } } },
      /can't find the specified secret/,
    ],
    [
      "it takes an export that nobody has",
      { it: { ...topic, Properties: { DisplayName: { "Fn::ImportValue": "x" } } } },
      /No export named x/,
    ],
    [
      "its function is not there",
      {
        it: {
          Type: "Custom::AccountResource",
          Properties: { ServiceToken: "arn:aws:lambda:us-east-1:1:function:f" },
        },
      },
      /there is no function/,
    ],
    [
      "its policy leaves nobody who can change the key",
      { it: makeKey("kms:Sign") },
      /not allow you to update/,
    ],
  ])("a resource cannot be made when %s, and its stack is rolled back", async (_, resources, message) => {
    account.resources.set("AWS::Logs::LogGroup theirs", theirs);
    account.zones.set("Z1", { name: "press.test", records: new Set() });
    const { status, reasons } = await createStack("one", resources);
    expect([status, reasons.join("\n")]).toEqual(["ROLLBACK_COMPLETE", expect.stringMatching(message)]);
    expect([...account.resources.values()]).toEqual([theirs]);
  });

  test("if a stack's creation fails, the stack removes the resources that it made, except resources whose deletion policy retains them", async () => {
    account.failureOf = (_stack, _id, type) => (type === topic.Type ? "not today" : undefined);
    const resources = {
      a: makeLogGroup("Delete", "a"),
      b: makeLogGroup("Retain", "b"),
      c: makeLogGroup("RetainExceptOnCreate", "c"),
      it: topic,
    };
    expect(await createStack("one", resources)).toMatchObject({ status: "ROLLBACK_COMPLETE" });
    expect(listOrphans(account).map(({ physicalId }) => physicalId)).toEqual(["b"]);
    await deleteStack("one");
    account.failureOf = () => undefined;
    const again = await createStack("one", resources);
    expect([again.status, again.reasons.join()]).toEqual([
      "ROLLBACK_COMPLETE",
      expect.stringMatching(/ b already exists/),
    ]);
  });

  test("a failed stack cannot remove a protected table", async () => {
    account.failureOf = (_stack, _id, type) => (type === topic.Type ? "not today" : undefined);
    const Properties = {
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      DeletionProtectionEnabled: true,
    };
    const table = { Type: "AWS::DynamoDB::Table", Properties };
    expect(await createStack("one", { table, it: { ...topic, DependsOn: "table" } })).toMatchObject({
      status: "ROLLBACK_FAILED",
    });
    expect(await deleteStack("one")).toMatchObject({ status: "DELETE_FAILED" });
  });
});

test("an update replaces a resource that cannot be changed in place, and fails if the resource has a fixed name", async () => {
  await createStack("one", { it: { ...topic, Properties: { TopicName: "a" } } });
  const [before] = account.resources.values();
  await updateStack("one", { it: { ...topic, Properties: { TopicName: "b" } } });
  const [after] = account.resources.values();
  expect([account.resources.size, before?.physicalId === after?.physicalId]).toEqual([1, false]);
  const named = { ...topic, Properties: { TopicName: "b", FifoTopic: true } };
  const { status, reasons } = await updateStack("one", { it: named });
  expect([status, reasons.join()]).toEqual([
    "UPDATE_ROLLBACK_COMPLETE",
    expect.stringMatching(/already exists/),
  ]);
});

test("a bucket that contains a file is not deleted", async () => {
  await createStack("one", { it: { Type: "AWS::S3::Bucket", Properties: { BucketName: "full" } } });
  account.buckets.get("full")?.set("a", Buffer.from("b"));
  expect(await deleteStack("one")).toMatchObject({ status: "DELETE_FAILED" });
});

test("a request is refused if it is signed with an unknown key or not signed", async () => {
  const stranger = new CloudFormationClient({ ...makeClientSettings("AKIASTRANGER"), maxAttempts: 1 });
  await expect(stranger.send(new DescribeStacksCommand({}))).rejects.toThrow(/security token .* invalid/);
  expect((await fetch(aws.endpoint, { method: "POST" })).status).toBe(403);
});

test("a call that no stand-in knows is refused and listed as unsupported", async () => {
  await expect(client.send(new ListTypesCommand({}))).rejects.toThrow(/ListTypes/);
  const s3 = new S3Client({ ...makeClientSettings("AKIA"), forcePathStyle: true });
  await expect(s3.send(new GetObjectCommand({ Bucket: "none", Key: "k" }))).rejects.toThrow(/does not exist/);
  expect(account.unsupported).toEqual([expect.stringContaining("cloudformation")]);
});

test("a command that runs under the network guard reaches this machine and no other machine", () => {
  const contacts = join(mkdtempSync(join(tmpdir(), "guard-")), "contacts");
  writeFileSync(contacts, "");
  const program = `
    const { createServer } = await import("node:http");
    const server = createServer((_, response) => response.end("here")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const here = "http://localhost:" + server.address().port;
    const said = [];
    for (const url of ["https://sts.amazonaws.com/", "http://192.0.2.1/", here]) {
      said.push(await fetch(url).then((answer) => answer.text(), ({ cause }) => cause.message));
    }
    console.log(JSON.stringify(said));
    process.exit();`;
  const { stdout } = spawnSync(
    process.execPath,
    [`--import=${resolve("bench/rehearsal/guard.ts")}`, "--input-type=module", "--eval", program],
    { env: { REHEARSAL_CONTACTS: contacts }, encoding: "utf8" },
  );
  const formatRefusal = (host: string) => `The rehearsal blocks connections to ${host}.`;
  expect(readFileSync(contacts, "utf8")).toBe("sts.amazonaws.com\n192.0.2.1\n");
  expect(JSON.parse(stdout)).toEqual([
    formatRefusal("sts.amazonaws.com"),
    formatRefusal("192.0.2.1"),
    "here",
  ]);
});

test("the documented commands deploy prod, remove prod, and deploy prod again with the data that remained", async () => {
  const steps = await rehearse({ stage: "prod", isShort: true });
  expect(steps.filter(({ fault }) => fault !== undefined)).toEqual([]);
  expect(steps.map(({ name }) => name)).toEqual([
    "the zone and the nodes' secret, made by hand",
    "CDK's bootstrap stack",
    "the first deployment",
    "the bootstrap that the first deployment made",
    "the secrets that functions read at run time",
    "remove without confirmation, and by SST itself",
    "remove",
    "the stage again, with the table and the keys that it left",
    "what was asked, and of whom",
  ]);
});
