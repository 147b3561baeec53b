import { randomUUID } from "node:crypto";
import { escapeUTF8 } from "entities/escape";
import { makeValidationError, type Template, type Value } from "./template.ts";

/** The error of a failed operation on a resource, with the message of the resource's service. */
export class ResourceFailure extends Error {}

/** A resource that CloudFormation has created and not deleted. */
export type AccountResource = {
  readonly type: string;
  readonly physicalId: string;
  /** The name of the resource's stack; `undefined` if the stack has left the resource in the account without deleting it. */
  readonly owner: string | undefined;
};

export type Secret = { readonly name: string; readonly arn: string; readonly value: string };

/** An AWS account with one region: the whole state of the stand-ins. */
export type AwsAccount = ReturnType<typeof makeAccount>;

export function makeAccount(id: string, region: string) {
  const stacks: AccountStack[] = [];
  /** Finished operations on stacks, in the order in which they ended, such as `dev-press-market-web CREATE_COMPLETE`. */
  const history: string[] = [];
  /** Requests that no stand-in supports. A rehearsal with an unsupported request proves nothing. */
  const unsupported: string[] = [];
  return {
    id,
    region,
    /** Access keys that may sign requests. */
    signers: new Set<string>(),
    /** The objects of each S3 bucket, under the objects' keys. */
    buckets: new Map<string, Map<string, Buffer>>(),
    parameters: new Map<string, string>(),
    /** The private keys of the existing KMS keys, under the ids of the KMS keys. */
    keys: new Map<string, `0x${string}`>(),
    secrets: new Map<string, Secret>(),
    /** The zones of Route 53 under their ids, each with its records as `NAME TYPE`. */
    zones: new Map<string, { readonly name: string; readonly records: Set<string> }>(),
    stacks,
    /** Templates that the validator has accepted. */
    templates: new Set<string>(),
    /** The resources, each under its type and its unique name, or its physical id if the type has no unique name. */
    resources: new Map<string, AccountResource>(),
    history,
    /** Calls, such as `cloudformation:UpdateStack stage`, that were made with the rights of the person who deploys. */
    asked: new Set<string>(),
    requests: 0,
    unsupported,
    /** Milliseconds that an operation on a stack takes. */
    operationMs: 0,
    /** The number of functions that may run at once: Lambda's quota L-B99A9384. */
    concurrency: 1_000,
    /** Whether an alarm is raised while CodeDeploy sends the first requests to a new version. */
    isCanaryBroken: false,
    /** Names of alarms that are in the state ALARM whenever rollback triggers are checked. */
    alarming: new Set<string>(),
    /** Returns a reason if the creation of a resource must fail. */
    failureOf: (_stackName: string, _logicalId: string, _type: string): string | undefined => undefined,
  };
}

/** Stores a secret. A secret without an ARN gets a new ARN, which ends in six random characters as on AWS. */
export function storeSecret(
  { id, region, secrets }: AwsAccount,
  { name, value, arn }: { readonly name: string; readonly value: string; readonly arn?: string },
): Secret {
  const random = randomUUID().slice(0, 6);
  const secret = {
    name,
    value,
    arn: arn ?? `arn:aws:secretsmanager:${region}:${id}:secret:${name}-${random}`,
  };
  secrets.set(name, secret);
  return secret;
}

export function findSecret({ secrets }: AwsAccount, nameOrArn: string): Secret | undefined {
  return [...secrets.values()].find(({ name, arn }) => name === nameOrArn || arn === nameOrArn);
}

/** The resources that their stacks have left in the account without deleting them. */
export function listOrphans({ resources }: AwsAccount): readonly AccountResource[] {
  return [...resources.values()].filter(({ owner }) => owner === undefined);
}

export type Properties = Readonly<Record<string, Value>>;

export type StackResource = {
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId: string;
  /** The key under which the AWS account stores the resource. */
  readonly key: string;
  readonly properties: Properties;
};

export type Rollback = { readonly triggers: readonly string[]; readonly minutes: number };

/** The target state of a stack. */
export type StackPlan = {
  /** The text of the template, exactly as the client sent it. */
  readonly text: string;
  readonly template: Template;
  readonly parameters: ReadonlyMap<string, string>;
  readonly tags: Readonly<Record<string, string>>;
  /** `undefined` if the request leaves the stack's rollback triggers unchanged. */
  readonly rollback?: Partial<Rollback>;
};

export type StackEvent = {
  readonly id: string;
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly at: Date;
};

export type StackOutput = {
  readonly key: string;
  readonly value: string;
  readonly exportName: string | undefined;
};

export type AccountStack = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  updatedAt: Date | undefined;
  status: string;
  /** The stack's template. For a new stack, the template is `undefined` until the stack's first change set is executed. */
  plan: StackPlan | undefined;
  readonly resources: Map<string, StackResource>;
  outputs: readonly StackOutput[];
  imports: ReadonlySet<string>;
  /** The rollback triggers that are watched during updates. The triggers stay the same until a request sets other triggers. */
  rollback: Rollback;
  isProtected: boolean;
  readonly events: StackEvent[];
  changeSet:
    | { readonly name: string; readonly id: string; readonly plan: StackPlan; readonly isNew: boolean }
    | undefined;
};

/** Finds a stack by name or ARN. A deleted stack is found only by its ARN. */
export function findStack({ stacks }: AwsAccount, nameOrId: string): AccountStack | undefined {
  return stacks.find(
    ({ name, id, status }) => id === nameOrId || (name === nameOrId && status !== "DELETE_COMPLETE"),
  );
}

export function addStack(account: AwsAccount, name: string, status: string): AccountStack {
  if (!/^[A-Za-z][-A-Za-z0-9]{0,127}$/.test(name))
    throw makeValidationError(`${name} is no name for a stack`);
  const stack: AccountStack = {
    id: `arn:aws:cloudformation:${account.region}:${account.id}:stack/${name}/${randomUUID()}`,
    name,
    createdAt: new Date(),
    updatedAt: undefined,
    status,
    plan: undefined,
    resources: new Map(),
    outputs: [],
    imports: new Set(),
    rollback: { triggers: [], minutes: 0 },
    isProtected: false,
    events: [],
    changeSet: undefined,
  };
  account.stacks.push(stack);
  return stack;
}

export function listImporters({ stacks }: AwsAccount, exportName: string | undefined): readonly string[] {
  if (exportName === undefined) return [];
  return stacks.filter(({ imports }) => imports.has(exportName)).map(({ name }) => name);
}

/** Adds an event of a resource, or of the stack itself. */
export function addEvent(
  stack: AccountStack,
  status: string,
  reason?: string,
  resource?: Pick<StackResource, "logicalId" | "physicalId" | "type">,
): void {
  const whole = { logicalId: stack.name, physicalId: stack.id, type: "AWS::CloudFormation::Stack" };
  const { logicalId, physicalId, type } = resource ?? whole;
  stack.events.unshift({ id: randomUUID(), logicalId, physicalId, type, status, reason, at: new Date() });
}

/** The content of an answer: a text, a time, a list of elements that share a name, or elements with different names. */
export type AnswerContent =
  | string
  | number
  | boolean
  | Date
  | undefined
  | readonly AnswerContent[]
  | { readonly [name: string]: AnswerContent };

/**
 * Writes XML in the form of AWS's query protocol: a list's items are `member` elements. In S3's answers, each item of a list is an element
 * with the list's name.
 */
export function writeXml(name: string, value: AnswerContent, item: "member" | "flat" = "member"): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) {
    const items = value.map((one) => writeXml(item === "flat" ? name : item, one, item)).join("");
    return item === "flat" ? items : `<${name}>${items}</${name}>`;
  }
  if (value instanceof Date) return writeXml(name, value.toISOString());
  if (typeof value !== "object") return `<${name}>${escapeUTF8(String(value))}</${name}>`;
  const inner = Object.entries(value).map(([key, one]) => writeXml(key, one, item));
  return `<${name}>${inner.join("")}</${name}>`;
}

/** Parses the parameters of a query: `Tags.member.1.Key` becomes nested lists and objects. */
export function readQuery(body: string): unknown {
  const root: Record<string, unknown> = {};
  for (const [path, value] of new URLSearchParams(body)) {
    const names = path.split(".").filter((name) => name !== "member");
    let at = root;
    for (const [index, name] of names.entries()) {
      if (index === names.length - 1) at[name] = value;
      else {
        const next = at[name] ?? {};
        at[name] = next;
        at = Object(next);
      }
    }
  }
  return toNestedLists(root);
}

/** Turns objects with the keys 1, 2, 3 into lists. */
function toNestedLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => toNestedLists(inner));
  }
  return Object.fromEntries(entries.map(([key, inner]) => [key, toNestedLists(inner)]));
}
