import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { type Resource, synthesize } from "./assembly.ts";

/** Rules of AWS Control Tower whose findings we accept for a reason. A finding that is not in this list is a fault. */
const explained: readonly (readonly [rule: string, at: RegExp, why: string])[] = [
  [
    "CT.APIGATEWAY.PR.5",
    /route$/,
    "A route's function checks the session or the signed payment, as nag.ts says.",
  ],
  ["CT.CLOUDFRONT.PR.4", /^web\/distribution$/, "There is one API and one bucket: nothing to fail over to."],
  ["CT.CLOUDTRAIL.PR.1", /^watch\/trail$/, "S3 encrypts its files, and no key of ours is there to be lost."],
  [
    "CT.CLOUDTRAIL.PR.3",
    /^watch\/trail$/,
    "EventBridge tells at once what has to be told; files are for later.",
  ],
  ["CT.CLOUDWATCH.PR.1", /release(errors|defects)$/, "CodeDeploy listens to the alarms of a release."],
  [
    "CT.CLOUDWATCH.PR.3",
    /logs$/,
    "CloudWatch encrypts them. A key of ours would cost a request for each, and could be lost.",
  ],
  [
    "CT.CLOUDFRONT.PR.5",
    /^web\/distribution$/,
    "The rule knows the older log, which holds addresses. The newer one is another resource: edge.test.ts.",
  ],
  [
    "CT.DYNAMODB.PR.2",
    /^storage\/table$/,
    "DynamoDB encrypts it. Who loses a key of his own loses the table.",
  ],
  [
    "CT.KMS.PR.3",
    /^storage\/(relayer|auditor|receipt|push)\d+$/,
    "The policies let nobody make a grant at all: stacks.test.ts.",
  ],
  [
    "CT.LAMBDA.PR.2",
    /integrationPermission$/,
    "It names the gateway; the rule reads no ARN of another stack: iam-services.test.ts.",
  ],
  [
    "CT.LAMBDA.PR.3",
    /^(api|reading|audit|jobs|web)\//,
    "They speak to the internet and to AWS's own doors: a network would add a way out and no wall.",
  ],
  [
    "CT.S3.PR.2",
    /^(watch\/trailbucket|web\/accesslogs)$/,
    "They hold logs, and the trail records who changes its own bucket.",
  ],
  ["CT.S3.PR.4", /^(web|watch)\//, "Nothing waits for files."],
  ["CT.S3.PR.5", /^web\/accesslogs$/, "S3's log writer works with access lists."],
  ["CT.S3.PR.6", /^web\/searchindex$/, "It holds one file, which is written over."],
  ["CT.S3.PR.9", /^(web|watch)\//, "What is made again needs no lock, and a stage has to be able to go."],
  ["CT.S3.PR.10", /^(web|watch)\//, "S3 encrypts them with keys of its own."],
  [
    "CT.S3.PR.11",
    /^(watch\/trailbucket|web\/(accesslogs|searchindex))$/,
    "Files of logs are written once, and the trail's sign each other.",
  ],
  ["CT.SQS.PR.1", /dead$/, "They are themselves where what failed goes."],
];

const platform = { linux: "ubuntu", darwin: "macos" }[String(process.platform)] ?? "";
const machine = { x64: "x86_64", arm64: "aarch64" }[String(process.arch)] ?? "";
const home = join(fileURLToPath(import.meta.resolve("@cdklabs/cdk-validator-cfnguard")), "../..");
const program = join(home, "bin", platform, machine, "cfn-guard");

/**
 * The AWS services whose rules of Control Tower are checked. The stage uses each of these services. IAM is not in this list, because its
 * rules take as long as all the other rules together. For IAM, grants.test.ts and plain-cdk.test.ts forbid wildcards in the rights of
 * roles.
 */
const services = [
  ...["apigateway", "certificatemanager", "cloudfront", "cloudtrail", "cloudwatch", "dynamodb"],
  ...["keymanagementservice", "lambda", "s3", "sqs", "stepfunctions", "waf"],
];

const Report = z.array(z.object({ name: z.string(), not_compliant: z.array(z.unknown()) }));

/**
 * Types of resources that occur about a hundred times in the stage. Many resources of the same type differ only in values such as names,
 * code, memory size and time limit.
 */
const many = /^AWS::(?:ApiGatewayV2::(?:Integration|Route)|IAM::Role|Lambda::\w+)$/;

/** One resource of each form, because each check of a resource takes long. Resources have the same form if they differ only in names. */
function pickOneOfEachForm(
  resources: Readonly<Record<string, Resource>>,
): Readonly<Record<string, Resource>> {
  const names = /^(?:Ref|Fn::\w+|DependsOn|Description|Handler|MemorySize|RouteKey|Timeout|Variables)$/;
  const forms = new Map<string, readonly [string, Resource]>();
  for (const [id, resource] of Object.entries(resources)) {
    const form = JSON.stringify(resource, (name, value) => (names.test(name) ? "" : value));
    const key = many.test(resource.Type) ? form : id;
    if (!forms.has(key)) forms.set(key, [id, resource]);
  }
  return Object.fromEntries(forms.values());
}

/** The types of resources that occur in the rules of a folder. */
function readTypes(rules: string): ReadonlySet<string> {
  const texts = readdirSync(rules).map((file) => readFileSync(join(rules, file), "utf8"));
  return new Set(texts.flatMap((text) => text.match(/AWS::\w+::\w+/g) ?? []));
}

/** The resources of the given types, and the resources to which they refer. */
function pickTypes(
  resources: Readonly<Record<string, Resource>>,
  types: ReadonlySet<string>,
): Readonly<Record<string, Resource>> {
  const all = Object.entries(resources);
  const typed = JSON.stringify(all.filter(([, { Type }]) => types.has(Type)));
  const references = new Set(
    [...typed.matchAll(/"(?:Ref":|Fn::GetAtt":\[)"(\w+)"/g)].map(([, id = ""]) => id),
  );
  return Object.fromEntries(all.filter(([id, { Type }]) => types.has(Type) || references.has(id)));
}

/**
 * The findings in a stage, in the form `CT.SQS.PR.1 at jobs/clockdead`. Both the rules and the program that checks the rules come from AWS.
 * The program runs once for each AWS service and gets only the resources that concern this service. A single run would take more than twice
 * as long, because the program checks every rule against every resource.
 */
async function listFindings(stage: string): Promise<ReadonlySet<string>> {
  const templates = [...(await synthesize(stage))].map(
    ([name, template]) => [name, template, pickOneOfEachForm(template.Resources)] as const,
  );
  const found = services.flatMap((service) => {
    const folder = mkdtempSync(join(tmpdir(), "guard-"));
    const rules = join(home, "rules/control-tower/cfn-guard", service);
    const types = readTypes(rules);
    for (const [name, template, resources] of templates)
      writeFileSync(
        join(folder, `${name}.template.json`),
        JSON.stringify({ ...template, Resources: pickTypes(resources, types) }),
      );
    const asked = ["validate", "--rules", rules, "--data", folder, "--structured", "--output-format", "json"];
    const { stdout, stderr } = spawnSync(program, [...asked, "--show-summary", "none"], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    rmSync(folder, { recursive: true });
    expect(stderr).toBe("");
    return Report.parse(JSON.parse(stdout)).flatMap(({ name, not_compliant }) =>
      not_compliant.flatMap((finding) => {
        const said = JSON.stringify(finding);
        const [, rule] = /\[(CT\.[A-Z0-9.-]+)\]/.exec(said) ?? [];
        const places = [...said.matchAll(/\/Resources\/(\w+?)(?:[0-9A-F]{8})?\b/g)];
        return places.map(([, id]) => `${rule} at ${basename(name, ".template.json")}/${id}`);
      }),
    );
  });
  return new Set(found);
}

function explainFinding(found: string) {
  const [rule, at = ""] = found.split(" at ");
  return explained.find(([one, place]) => one === rule && place.test(at));
}

// AWS's program that checks the rules runs only on Linux and macOS.
test.skipIf(platform === "")(
  "every finding of AWS Control Tower's rules in prod's templates has an explanation in our list, and every explanation is needed",
  async () => {
    const found = [...(await listFindings("prod"))];
    expect(found.filter((one) => explainFinding(one) === undefined)).toEqual([]);
    expect(new Set(found.map(explainFinding))).toEqual(new Set(explained));
  },
);
