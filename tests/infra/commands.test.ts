import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Entity } from "electrodb";
import { expect, test } from "vitest";
import * as z from "zod";
import { settlementRecord } from "../../core/record/payment.ts";
import { transactionRecord } from "../../core/record/relayer.ts";
import { counterRecord } from "../../core/record/wallet.ts";
import { jobs } from "../../functions/jobs.ts";
import { routes } from "../../functions/routes.ts";
import { storage } from "../../functions/storage.ts";
import { findSettings } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { administrator, isAllowed } from "./authority.ts";
import { makeResources } from "./pipeline-roles.ts";
import { makeReader } from "./reading.ts";

/** Checks that every name in a command line of docs/operations.md exists in prod's templates, the tables or the scripts. */
const page = readFileSync("docs/operations.md", "utf8");
/** The page's fenced code blocks, indented lines and inline code. */
const code = [
  ...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm),
  ...page.matchAll(/`([^`\n]+)`/g),
  ...page.matchAll(/^ {4}(\S.*)$/gm),
]
  .map(([, text = ""]) => text)
  .join("\n");
const listMatches = (pattern: RegExp) => [
  ...new Set([...code.matchAll(pattern)].map(([, name = ""]) => name)),
];
/** Fails if a matched name does not exist, or if the page has too few matches. */
function expectAllNamesExist(pattern: RegExp, minMatches: number, exists: (name: string) => boolean): void {
  const named = listMatches(pattern);
  expect(named.length).toBeGreaterThanOrEqual(minMatches);
  expect(named.filter((name) => !exists(name))).toEqual([]);
}

const made = await synthesize("prod");
const stage = makeReader(made);
const outputs = new Set(
  [...made].flatMap(([stack, { Outputs }]) => Object.keys(Outputs).map((key) => `${stack} ${key}`)),
);

test("the outputs that command lines read are outputs of the stacks", () => {
  expectAllNamesExist(/\boutput (\w+ [A-Z]\w+)/g, 3, (name) => outputs.has(name));
});

test("command lines start and stop only existing functions, and start no endpoint", () => {
  const ids = jobs.map(({ id }): string => id);
  expectAllNamesExist(/(?:^|["(\s])run ([a-z]+-[a-z-]+|repair)\b/gm, 3, (name) => ids.includes(name));
  const rows = [...routes, ...jobs].map(({ id }): string => id);
  expectAllNamesExist(/\bfunction in \[([^\]]+)\]/g, 1, (list) =>
    list.split(",").every((one) => rows.includes(one.replaceAll("'", ""))),
  );
  const levers = [
    ...(/\(`([a-z-]+)` or `([a-z-]+)`; to stop the model, `([a-z-]+)` and `([a-z-]+)`\)/.exec(page) ?? []),
  ].slice(1);
  expect(levers.filter((id) => !rows.includes(id))).toEqual([]);
  expect(levers).toHaveLength(4);
  const described = stage
    .ofType("AWS::Lambda::Function")
    .map(({ resource }) => resource.Properties.Description);
  for (const id of rows) expect(described).toContain(`prod: ${id}`);
});

test("queues in command lines have the names that CloudFormation gives them", () => {
  const ids = stage.ofType("AWS::SQS::Queue").map(({ id }) => id.slice(0, -8));
  expectAllNamesExist(/\bqueue ([a-z]+)\)/g, 1, (name) => ids.includes(name));
  for (const name of ["verdictsdead", "clockdead"]) {
    expect(page).toContain(`\`${name}\``);
    expect(ids).toContain(name);
  }
});

test("the names of rules and log groups in command lines begin with the names of their stacks", () => {
  const stacks = new Set(stage.all.map(({ stack }) => stack));
  expectAllNamesExist(/\$STAGE-press-market-([a-z]+)/g, 3, (name) => stacks.has(name) || name === "restored");
  for (const { resource } of stage.ofType("AWS::Events::Rule").filter(({ stack }) => stack === "jobs"))
    expect(resource.Properties.Name).toBeUndefined();
});

test("table keys in command lines are the keys that ElectroDB makes", () => {
  const settlement = new Entity(settlementRecord, { table: "t" });
  const pending = settlement.query.inFlight({ pending: "pending" }).params<{
    readonly IndexName: string;
    readonly ExpressionAttributeValues: object;
  }>();
  expect(listMatches(/--index-name (\w+)/g)).toEqual([pending.IndexName]);
  expect(storage.indexes.map(({ name, partitionKey }) => [name, partitionKey])).toContainEqual([
    "gsi1",
    "gsi1pk",
  ]);
  expect(Object.values(pending.ExpressionAttributeValues)).toContain(listMatches(/":p":\{"S":"([^"]+)"/g)[0]);
  // DynamoDB refuses attribute names that are reserved words, so the attribute `transaction` is written as #t.
  const projections = listMatches(/--projection-expression '([^']+)'/g).map((list) =>
    list.split(",").map((name) => name.split(".")[0]?.replace("#t", "transaction") ?? ""),
  );
  const transaction = new Entity(transactionRecord, { table: "t" });
  expect(projections.map((names) => names.length)).toEqual([7, 3]);
  for (const [index, { schema }] of [settlement, transaction].entries())
    expect(projections[index]?.filter((name) => !(name in schema.attributes))).toEqual([]);
  expect(code).toContain(`--expression-attribute-names '{"#t":"transaction"}'`);
  const named = transaction.get({ id: "ID" }).params<{ readonly Key: object }>();
  const { Key } = new Entity(counterRecord, { table: "t" })
    .get({ name: "press" })
    .params<{ readonly Key: object }>();
  for (const key of [Key, named.Key]) {
    const values = Object.entries(key).map(([name, S]) => [name, { S }]);
    expect(code).toContain(`--key '${JSON.stringify(Object.fromEntries(values))}'`);
  }
});

/** The text of all source files in `core` and `functions`. The tests search the text for log messages. */
const sources = ["core", "functions"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

test("the code contains all messages, codes and metrics that command lines search for", () => {
  expectAllNamesExist(/'([a-z]+(?:_[a-z]+)+|Unexpected error)'/g, 8, (said) => sources.includes(said));
  expectAllNamesExist(/ispresent\((\w+)\)/g, 2, (name) => sources.includes(name));
});

test("variables in command lines are read by workflows, scripts or prod's functions", () => {
  const workflows = readdirSync(".github/workflows").map((file) =>
    readFileSync(`.github/workflows/${file}`, "utf8"),
  );
  const scripts = [
    "infra/check/paid-read.ts",
    "local/testnet/index.ts",
    "local/start.ts",
    "local/settings.ts",
  ].map((file) => readFileSync(file, "utf8"));
  const shell = ["AWS_REGION", "STAGE", "TABLE", "SITE", "R"];
  const variables = [...routes, ...jobs].flatMap(({ id }) => Object.keys(stage.readVariables(id)));
  const known = [...workflows, ...scripts].join("\n");
  expectAllNamesExist(
    /(?:^|[\s"$(])([A-Z][A-Z_]{2,})(?==)|\b(?:variable|secret) set (?:[A-Z_]+)/gm,
    3,
    (name) => name === "" || shell.includes(name) || variables.includes(name) || known.includes(name),
  );
  expectAllNamesExist(/\b(?:variable|secret) set ([A-Z_]+)/g, 4, (name) => known.includes(name));
  // A variable that other stages set but prod lacks would be useless during an alarm.
  const told = [...readFileSync("functions/lib/environment.ts", "utf8").matchAll(/read\("([A-Z_0-9]+)"/g)];
  expect(told.length).toBeGreaterThan(30);
  const absent = told.flatMap(([, name = ""]) => (variables.includes(name) ? [] : [name]));
  expect(absent).toContain("CHAIN_RPC_URL");
  expect(absent.filter((name) => new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});

test("the scripts accept the flags that command lines give them", () => {
  const Scripts = z.object({ scripts: z.record(z.string(), z.string()) });
  const { scripts } = Scripts.parse(JSON.parse(readFileSync("package.json", "utf8")));
  const lines = listMatches(/(npm run [a-z:]+ --.*)$/gm);
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    const [, name = ""] = /npm run ([a-z:]+)/.exec(line) ?? [];
    const file = /node (\S+\.ts)/.exec(scripts[name] ?? "")?.[1] ?? "";
    expect([line, existsSync(file)]).toEqual([line, true]);
    const source = readFileSync(file, "utf8");
    for (const [, flag = ""] of line.replace(/\s#.*/, "").matchAll(/ --([a-z0-9][a-z0-9-]*)/g))
      expect([line, flag, new RegExp(`\\b${flag}\\b`).test(source)]).toEqual([line, flag, true]);
  }
});

test("the operations page shows only existing settings and existing parameters of the pipeline", () => {
  const [overrides = ""] = listMatches(/--parameter-overrides (.+)$/gm);
  const named = [...overrides.matchAll(/(\w+)=/g)].map(([, name]) => name);
  const text = readFileSync("infra/pipeline-roles.yaml", "utf8");
  for (const name of [...named, "Provider"]) expect(text).toContain(`\n  ${name}:\n    Type: String`);
  expect(named).toEqual(["Stage", "Repository"]);
  const roles = makeResources({ Stage: "prod", Repository: "r", Provider: "" });
  expectAllNamesExist(
    /:role\/press-market-([a-z]+)/g,
    2,
    (name) => name === "diff" || roles.some(({ id }) => id.toLowerCase() === name),
  );
  const prod = findSettings("prod");
  expectAllNamesExist(/^(\w+): (?:\{|")/gm, 3, (name) => name in prod);
});

test("each AWS command in a command line is an action of an AWS service", async () => {
  /** Commands whose name differs from the name of their action, and commands that exist only in the AWS command line. */
  const other: Readonly<Record<string, string>> = {
    "lambda invoke": "lambda:InvokeFunction",
    "dynamodb wait": "dynamodb:DescribeTable",
    "cloudformation deploy": "cloudformation:CreateChangeSet",
    "deploy list-deployments": "codedeploy:ListDeployments",
    "backup list-copy-jobs": "backup:ListCopyJobs",
    "dynamodb restore-table-to-point-in-time": "dynamodb:RestoreTableToPointInTime",
  };
  const told = listMatches(/\baws ([a-z0-9]+ [a-z-]+)/g);
  expect(told.length).toBeGreaterThan(25);
  const unknown: string[] = [];
  for (const command of told) {
    const [service = "", verb = ""] = command.split(" ");
    const name = verb.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const action = other[command] ?? `${service}:${name}`;
    await isAllowed(administrator, { action, resource: "*" }).catch((error: unknown) => {
      if (/invalid.action/i.test(String(error))) unknown.push(command);
    });
  }
  expect(unknown).toEqual([]);
});
