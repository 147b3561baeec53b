import { createHash } from "node:crypto";
import { matchesGlob } from "node:path/posix";
import { runSimulation, runUnsafeSimulation, type Simulation } from "@cloud-copilot/iam-simulate";
import * as z from "zod";
import { makeResources } from "./pipeline-roles.ts";
import type { Reader, StackResource } from "./reading.ts";

export const account = "123456789012";
const makeArn = (service: string, resource: string) => `arn:aws:${service}:us-east-1:${account}:${resource}`;

/**
 * The value that an attribute of a resource would have in AWS. AWS chooses the names of resources, so in these tests a resource's logical
 * id replaces its name.
 */
const named: Readonly<
  Record<string, (id: string, properties: StackResource["resource"]["Properties"], stack: string) => string>
> = {
  "AWS::DynamoDB::Table.Arn": (id) => makeArn("dynamodb", `table/${id}`),
  "AWS::KMS::Key.Arn": (id) => makeArn("kms", `key/${id}`),
  "AWS::SQS::Queue.Arn": (id) => makeArn("sqs", id),
  "AWS::S3::Bucket.Arn": (id) => `arn:aws:s3:::${id.toLowerCase()}`,
  "AWS::S3::Bucket.Ref": (id) => id.toLowerCase(),
  "AWS::SecretsManager::Secret.Ref": (id) => makeArn("secretsmanager", `secret:${id}-AbCdEf`),
  "AWS::StepFunctions::StateMachine.Ref": (id) => makeArn("states", `stateMachine:${id}`),
  "AWS::Logs::LogGroup.Arn": (id) => makeArn("logs", `log-group:${id}:*`),
  "AWS::Logs::DeliverySource.Arn": (id) => makeArn("logs", `delivery-source:${id}`),
  "AWS::Lambda::Function.Arn": (id) => makeArn("lambda", `function:${id}`),
  "AWS::Lambda::Function.Ref": (id) => id,
  "AWS::Lambda::Alias.Ref": (id) => makeArn("lambda", `function:${id}:live`),
  "AWS::Events::Rule.Arn": (id) => makeArn("events", `rule/${id}`),
  "AWS::SNS::Topic.Ref": (id) => makeArn("sns", id),
  // CDK's own roles have the same logical id in several stacks.
  "AWS::IAM::Role.Arn": (id, { Path = "/" }, stack) => `arn:aws:iam::${account}:role${Path}${stack}-${id}`,
};

/**
 * The texts of AWS's own policies, as AWS's reference "AWS managed policies" prints them. The key of each text is the end of the policy's
 * ARN.
 */
const managed: Readonly<Record<string, readonly object[]>> = {
  AWSLambdaBasicExecutionRole: [
    {
      Effect: "Allow",
      Action: ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"],
      Resource: "*",
    },
  ],
  AWSCodeDeployRoleForLambdaLimited: [
    {
      Effect: "Allow",
      Action: [
        "cloudwatch:DescribeAlarms",
        "lambda:UpdateAlias",
        "lambda:GetAlias",
        "lambda:GetProvisionedConcurrencyConfig",
      ],
      Resource: "*",
    },
    {
      Effect: "Allow",
      Action: ["s3:GetObject", "s3:GetObjectVersion"],
      Resource: "arn:aws:s3:::*/CodeDeploy/*",
    },
    {
      Effect: "Allow",
      Action: ["s3:GetObject", "s3:GetObjectVersion"],
      Resource: "*",
      Condition: { StringEquals: { "s3:ExistingObjectTag/UseWithCodeDeploy": "true" } },
    },
    {
      Effect: "Allow",
      Action: "lambda:InvokeFunction",
      Resource: "arn:aws:lambda:*:*:function:CodeDeployHook_*",
    },
  ],
};

type PolicyText = { readonly Version: "2012-10-17"; readonly Statement: unknown };
const Policy = z.object({
  PolicyDocument: z.object({ Statement: z.array(z.unknown()) }),
  Roles: z.array(z.unknown()),
});
const Isolated = z.object({ PolicyDocument: z.object({ Statement: z.array(z.unknown()) }) });

/** A caller: a role with its ARN and its policies, or one of AWS's own services with its name. */
export type IamCaller = {
  readonly role: string;
  readonly policies: readonly PolicyText[];
  /** The permissions boundary: the role is not allowed to do anything beyond the boundary, whatever the role's policies say. */
  readonly boundary?: PolicyText | undefined;
};
/**
 * One call that IAM allows or denies. If a call names no condition keys, it has only the condition keys that every SDK call has: the
 * caller, and TLS.
 */
export type Call = {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string | string[]>>;
};

/** A call, its expected decision, and the called resource if the resource has a policy. */
export type ExpectedCall = readonly [
  may: boolean,
  who: IamCaller,
  call: Call,
  on?: StackResource | undefined,
];

/** Administrators of an AWS account, who are allowed to do everything except what a resource's policy denies. */
export const administrator: IamCaller = {
  role: `arn:aws:iam::${account}:role/Administrator`,
  policies: [{ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] }],
};

/** Tells whether IAM would allow the call. Throws an Error if the evaluator finds a fault in a policy or in the call. */
export async function isAllowed(
  caller: IamCaller,
  { action, resource, context = {} }: Call,
  { ofResource }: { readonly ofResource?: PolicyText | undefined } = {},
): Promise<boolean> {
  const { role } = caller;
  const isService = !role.startsWith("arn:");
  const { policies, asker } = choosePolicies(caller, action, ofResource);
  const question = `${asker} ${JSON.stringify([action, resource, context])}`;
  const before = answers.get(question);
  if (before !== undefined) return before;
  const who = isService ? { "aws:SourceAccount": account } : { "aws:PrincipalArn": role };
  const simulation: Simulation = {
    ...policies,
    request: {
      // Lambda makes its calls in an IAM session of the role, and the ARN of such a session lacks the role's path.
      principal: isService
        ? role
        : `arn:aws:sts::${role.split(":")[4]}:assumed-role/${role.split("/").at(-1)}/session`,
      action,
      resource: { resource, accountId: account },
      contextVariables: { ...who, "aws:SecureTransport": "true", ...context },
    },
  };
  const allowed = await simulate(simulation, JSON.stringify([action, resource, context]));
  answers.set(question, allowed);
  return allowed;
}

type Choice = {
  readonly policies: Omit<Simulation, "request">;
  /** The caller's class: callers of one class get the same decisions about the action. */
  readonly asker: string;
};
/**
 * A cache of the policies that concern an action, for each caller and each resource's own policy. The tests check thousands of resources.
 */
const chosen = new WeakMap<IamCaller, WeakMap<object, Map<string, Choice>>>();
const none = {};

function choosePolicies(caller: IamCaller, action: string, ofResource: PolicyText | undefined): Choice {
  const byResource = chosen.get(caller) ?? new WeakMap<object, Map<string, Choice>>();
  chosen.set(caller, byResource);
  const byAction = byResource.get(ofResource ?? none) ?? new Map<string, Choice>();
  byResource.set(ofResource ?? none, byAction);
  const found = byAction.get(action) ?? selectPolicies(caller, action, ofResource);
  byAction.set(action, found);
  return found;
}

function selectPolicies(
  { role, policies, boundary }: IamCaller,
  action: string,
  ofResource: PolicyText | undefined,
): Choice {
  const said = policies.flatMap((policy) => selectStatements(action, policy) ?? []);
  const selected = {
    identityPolicies: said.map((policy, index) => ({ name: `policy-${index}`, policy })),
    serviceControlPolicies: [],
    resourceControlPolicies: [],
    ...(ofResource !== undefined && { resourcePolicy: selectStatements(action, ofResource) ?? ofResource }),
    ...(boundary !== undefined && {
      permissionBoundaryPolicies: [
        { name: "boundary", policy: selectStatements(action, boundary) ?? boundary },
      ],
    }),
  };
  const given = JSON.stringify(selected);
  // Roles below the same path get the same decisions, unless a policy names one of these roles.
  const [name = ""] = role.split("/").slice(-1);
  const isNamed = !role.startsWith("arn:") || given.includes(name);
  const asker = `${isNamed ? role : role.slice(0, -name.length)} ${createHash("sha256").update(given).digest("hex")}`;
  return { policies: selected, asker };
}

const answers = new Map<string, boolean>();
/**
 * The calls whose form is correct according to the evaluator. The evaluator needs longer to check a call's form than to decide whether the
 * call is allowed. All callers make the same calls, so each call is checked only once.
 */
const checked = new Set<string>();

/** A policy with only those statements that can concern the given action; `undefined` if no statement is left. */
function selectStatements(action: string, { Version, Statement }: PolicyText): PolicyText | undefined {
  const isAbout = (statement: unknown) => {
    const { Action } = Named.parse(statement);
    return Action?.some((name) => matchesGlob(action.toLowerCase(), name.toLowerCase())) ?? true;
  };
  const left = [Statement].flat().filter(isAbout);
  return left.length === 0 ? undefined : { Version, Statement: left };
}

const Several = z.union([z.array(z.string()), z.string().transform((one) => [one])]);
const Named = z.object({ Action: Several.optional() });
const Rights = z.array(z.object({ Action: Several, Resource: Several }));

/** The rights in a caller's policies that none of the given calls needs, each written as `action resource`. */
export function findUnneededRights({ policies }: IamCaller, calls: readonly Call[]): readonly string[] {
  const rights = policies.flatMap(({ Statement }) => Rights.parse(Statement));
  return rights.flatMap(({ Action, Resource }) =>
    Resource.flatMap((resource) => {
      const pattern = resource
        .replace(/[.+^${}()|[\]\\]/g, "\\$&")
        .replace(/[*?]/g, ".$&")
        .replaceAll(".?", ".");
      const needed = calls.filter((call) => new RegExp(`^${pattern}$`).test(call.resource));
      return Action.filter((action) => !needed.some((call) => call.action === action)).map(
        (action) => `${action} ${resource}`,
      );
    }),
  );
}

async function simulate(simulation: Simulation, callName: string): Promise<boolean> {
  const isPlain = simulation.resourcePolicy === undefined;
  if (isPlain && checked.has(callName)) return runUnsafeSimulation(simulation, {}) === "Allowed";
  const answer = await runSimulation(simulation, {});
  if (answer.resultType === "error") throw new Error(`${callName}: ${JSON.stringify(answer.errors)}`);
  const allowed = answer.overallResult === "Allowed";
  if (answer.resultType === "wildcard") return allowed;
  if ((answer.result.ignoredContextKeys?.length ?? 0) > 0)
    throw new Error(`${callName} knows nothing of ${answer.result.ignoredContextKeys}`);
  if (isPlain && (runUnsafeSimulation(simulation, {}) === "Allowed") !== allowed)
    throw new Error(`The evaluator decides in two ways about ${callName}`);
  if (isPlain) checked.add(callName);
  return allowed;
}

const Managed = z.object({
  PolicyDocument: z.object({ Version: z.literal("2012-10-17"), Statement: z.array(z.unknown()) }),
});

/** Finds a policy of `infra/pipeline-roles.yaml` by its ARN, which ends with the policy's name. Throws a TypeError for an unknown name. */
function findBoundary(policyArn: string): PolicyText {
  const [, stage = ""] = /:policy\/press-market-functions-(dev|staging|prod)$/.exec(policyArn) ?? [];
  const made = makeResources({ Stage: stage, Provider: "", Repository: "", "AWS::Partition": "aws" });
  const found = made.find(({ id }) => id === "Functions" && stage !== "");
  if (found === undefined) throw new TypeError(`Nothing makes the boundary ${policyArn}`);
  return Managed.parse(found.Properties).PolicyDocument;
}

/** The authority of a stage: its roles, and the policies of its resources. */
export function readAuthority(stage: Reader) {
  const readAttribute = (found: StackResource, attribute: string): string => {
    const { stack, id, resource } = found;
    const worded = named[`${resource.Type}.${attribute}`];
    return worded === undefined ? `${stack}-${id}-${attribute}` : worded(id, resource.Properties, stack);
  };
  const resolveText = (text: string) =>
    text
      .replace(/\{[\w-]+\/AWS::AccountId\.Ref\}/g, account)
      .replace(/\{([\w-]+)\/(\w+)\.([\w.]+)\}/g, (all, stack, id, attribute) => {
        const found = stage.all.find((one) => one.stack === stack && one.id === id);
        return found === undefined ? all : readAttribute(found, attribute);
      });
  function resolveValue(value: unknown, stack: string): unknown {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.map((one) => resolveValue(one, stack));
    if (typeof value !== "object" || value === null) return value;
    const [first = "", ...others] = Object.keys(value);
    if (others.length === 0 && (first === "Ref" || first.startsWith("Fn::")))
      return resolveText(stage.text(value, stack));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolveValue(one, stack)]));
  }
  const makePolicy = (statements: unknown, stack: string): PolicyText => ({
    Version: "2012-10-17",
    Statement: resolveValue(statements, stack),
  });

  const policies = Map.groupBy(
    stage.ofType("AWS::IAM::Policy").flatMap(({ stack, resource }) => {
      const { PolicyDocument, Roles } = Policy.parse(resource.Properties);
      return Roles.map((role) => ({
        role: stage.text(role, stack),
        policy: makePolicy(PolicyDocument.Statement, stack),
      }));
    }),
    ({ role }) => role,
  );
  const attached = ["AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy", "AWS::S3::BucketPolicy"].flatMap(
    (type) =>
      stage.ofType(type).flatMap(({ stack, resource }) => {
        const { Queues, Topics, Bucket } = resource.Properties;
        const { PolicyDocument } = Isolated.parse(resource.Properties);
        const places = [Queues ?? Topics ?? Bucket].flat();
        return places.map((place) => ({
          place: stage.text(place, stack),
          policy: makePolicy(PolicyDocument.Statement, stack),
        }));
      }),
  );

  const permissions = stage.ofType("AWS::Lambda::Permission").map(({ stack, resource }) => {
    const { Action, FunctionName, Principal, SourceArn } = resource.Properties;
    if (SourceArn === undefined) throw new TypeError(`${Principal} may call ${stack} from anywhere`);
    const Resource = resolveValue(FunctionName, stack);
    const Condition = { ArnLike: { "aws:SourceArn": resolveValue(SourceArn, stack) } };
    // The form in which Lambda writes a permission into the function's policy.
    return { Effect: "Allow", Principal: { Service: Principal }, Action, Resource, Condition };
  });

  function readCaller(role: StackResource): IamCaller {
    const { ManagedPolicyArns = [], Policies, PermissionsBoundary } = role.resource.Properties;
    if (Policies !== undefined) throw new TypeError(`${role.id} has policies beside its own`);
    const own = policies.get(stage.formatName(role, "Ref")) ?? [];
    const ofAws = [ManagedPolicyArns].flat().map((found) => {
      const name = /\/(\w+)"/.exec(JSON.stringify(found))?.[1] ?? "";
      const Statement = managed[name];
      if (Statement === undefined) throw new TypeError(`Nothing is known of ${JSON.stringify(found)}`);
      return { Version: "2012-10-17", Statement } as const;
    });
    return {
      role: readAttribute(role, "Arn"),
      policies: [...own.map(({ policy }) => policy), ...ofAws],
      ...(PermissionsBoundary !== undefined && {
        boundary: findBoundary(stage.text(PermissionsBoundary, role.stack)),
      }),
    };
  }

  const known = new Map<StackResource, PolicyText | undefined>();
  function findResourcePolicy(found: StackResource): PolicyText | undefined {
    if (found.resource.Type.startsWith("AWS::Lambda::")) {
      const names = ["Arn", "Ref"].map((attribute) => readAttribute(found, attribute));
      const own = permissions.filter(({ Resource }) => names.includes(String(Resource)));
      const [Resource] = names.filter((name) => name.startsWith("arn:"));
      return { Version: "2012-10-17", Statement: own.map((one) => ({ ...one, Resource })) };
    }
    if (found.resource.Type === "AWS::IAM::Role") {
      const { AssumeRolePolicyDocument } = found.resource.Properties;
      return makePolicy(Object(AssumeRolePolicyDocument).Statement, found.stack);
    }
    if (found.resource.Type === "AWS::KMS::Key") {
      const { Statement } = z
        .object({ Statement: z.array(z.unknown()) })
        .parse(found.resource.Properties.KeyPolicy);
      return makePolicy(Statement, found.stack);
    }
    const [first, ...further] = attached.filter(({ place }) => place === stage.formatName(found, "Ref"));
    if (further.length > 0) throw new TypeError(`${found.id} has several policies`);
    return first?.policy;
  }

  /**
   * The resource's own policy, which says who is allowed to call the resource, or to assume the role if the resource is a role. `undefined`
   * if the resource has no policy.
   */
  function readPolicy(found: StackResource): PolicyText | undefined {
    if (!known.has(found)) known.set(found, findResourcePolicy(found));
    return known.get(found);
  }

  return {
    readAttribute,
    /** Whether IAM would allow the call. If the called resource has a policy of its own, this policy counts too. */
    allows: (who: IamCaller, call: Call, on?: StackResource) =>
      isAllowed(who, call, { ofResource: on && readPolicy(on) }),
    /** Describes the calls for which the decision differs from the expected decision. */
    async listUnexpectedCalls(expectedCalls: readonly ExpectedCall[]): Promise<readonly string[]> {
      const wrong: string[] = [];
      for (const [may, who, call, on] of expectedCalls) {
        if ((await isAllowed(who, call, { ofResource: on && readPolicy(on) })) === may) continue;
        const context = JSON.stringify(call.context ?? {});
        wrong.push(`${who.role} ${may ? "may not" : "may"} ${call.action} ${call.resource} ${context}`);
      }
      return wrong;
    },
    text: (value: unknown, stack: string) => resolveText(stage.text(value, stack)),
    /** The caller that acts in the given role. Throws a TypeError if the role has rights of a kind that this file does not read. */
    readCaller,
    /**
     * The caller that stands for a function: the function's role with the role's rights. Throws a TypeError if the function's role has
     * rights of a kind that this file does not read.
     */
    findCaller({ stack, resource }: StackResource): IamCaller {
      const name = stage.text(resource.Properties.Role, stack);
      const role = stage.ofType("AWS::IAM::Role").find((one) => stage.formatName(one, "Arn") === name);
      if (role === undefined) throw new TypeError(`${name} is no role of the stage`);
      if (role.resource.Properties.ManagedPolicyArns !== undefined)
        throw new TypeError(`${name} has policies beside its own`);
      return readCaller(role);
    },
  };
}
