import { randomUUID } from "node:crypto";
import { invalid, type Template, type Value } from "./template.ts";

/** The failure of one resource, in the words of its service. */
export class ResourceFailure extends Error {}

/** A resource that CloudFormation has created and not deleted. */
export type AccountResource = {
  readonly type: string;
  readonly physicalId: string;
  /** The name of its stack, until the stack leaves it behind. */
  readonly owner: string | undefined;
};

export type Secret = { readonly name: string; readonly arn: string; readonly value: string };

/** An AWS account with one region: all that the stand-ins know. */
export type Account = {
  readonly id: string;
  readonly region: string;
  /** Access keys of those who may sign. */
  readonly signers: Set<string>;
  /** Objects of S3 by bucket and key. */
  readonly buckets: Map<string, Map<string, Buffer>>;
  /** The Parameter Store. */
  readonly parameters: Map<string, string>;
  /** KMS keys that are there, with their private halves, by id. */
  readonly keys: Map<string, `0x${string}`>;
  /** The Secrets Manager, by name. */
  readonly secrets: Map<string, Secret>;
  /** Zones of Route 53 by id, with their records as `NAME TYPE`. */
  readonly zones: Map<string, { readonly name: string; readonly records: Set<string> }>;
  readonly stacks: Stack[];
  /** All templates that the validator has accepted. */
  readonly templates: Set<string>;
  /** By type and unique name, or physical id where there is none. */
  readonly resources: Map<string, AccountResource>;
  /** Ended operations on stacks in their order, such as `dev-press-market-web CREATE_COMPLETE`. */
  readonly history: string[];
  /** How many requests were made. */
  requests: number;
  /** How many functions may run at once: Lambda's quota L-B99A9384. */
  concurrency: number;
  /** Requests that no stand-in supports. A rehearsal that makes one proves nothing. */
  readonly unsupported: string[];
  /** How long an operation on a stack takes. */
  operationMs: number;
  /** Whether an alarm goes off while CodeDeploy gives a new version its first requests. */
  isCanaryBroken: boolean;
  /** Names of alarms that go off during every operation. */
  readonly alarming: Set<string>;
  /** Why the creation of a resource is to fail. */
  failureOf: (stackName: string, logicalId: string, type: string) => string | undefined;
};

export function makeAccount(id: string, region: string): Account {
  return {
    id,
    region,
    signers: new Set(),
    buckets: new Map(),
    parameters: new Map(),
    keys: new Map(),
    secrets: new Map(),
    zones: new Map(),
    stacks: [],
    templates: new Set(),
    resources: new Map(),
    history: [],
    requests: 0,
    unsupported: [],
    operationMs: 0,
    concurrency: 1_000,
    isCanaryBroken: false,
    alarming: new Set(),
    failureOf: () => undefined,
  };
}

/** Keeps a secret. Without an ARN it gets one that ends in six random characters, as AWS's do. */
export function keepSecret(
  { id, region, secrets }: Account,
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

export function findSecret({ secrets }: Account, nameOrArn: string): Secret | undefined {
  return [...secrets.values()].find(({ name, arn }) => name === nameOrArn || arn === nameOrArn);
}

/** Resources that their stacks have left behind. */
export function orphansOf({ resources }: Account): readonly AccountResource[] {
  return [...resources.values()].filter(({ owner }) => owner === undefined);
}

export type Properties = Readonly<Record<string, Value>>;

/** A resource as its stack knows it. */
export type StackResource = {
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId: string;
  /** Under which the account has it. */
  readonly key: string;
  readonly properties: Properties;
};

export type Rollback = { readonly triggers: readonly string[]; readonly minutes: number };

/** What a stack is to become. */
export type Plan = {
  /** The template as it was sent. */
  readonly text: string;
  readonly template: Template;
  readonly parameters: ReadonlyMap<string, string>;
  readonly tags: Readonly<Record<string, string>>;
  /** As the stack has it, where the request says nothing. */
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

export type Stack = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  updatedAt: Date | undefined;
  status: string;
  /** `undefined` until a change set of a new stack is executed. */
  plan: Plan | undefined;
  readonly resources: Map<string, StackResource>;
  outputs: readonly StackOutput[];
  imports: ReadonlySet<string>;
  /** What is watched during updates: kept until an update names others. */
  rollback: Rollback;
  isProtected: boolean;
  /** The newest first. */
  readonly events: StackEvent[];
  changeSet:
    | { readonly name: string; readonly id: string; readonly plan: Plan; readonly isNew: boolean }
    | undefined;
};

/** The stack of a name or, of those that were deleted too, of an ARN. */
export function findStack({ stacks }: Account, nameOrId: string): Stack | undefined {
  return stacks.find(
    ({ name, id, status }) => id === nameOrId || (name === nameOrId && status !== "DELETE_COMPLETE"),
  );
}

export function addStack(account: Account, name: string, status: string): Stack {
  if (!/^[A-Za-z][-A-Za-z0-9]{0,127}$/.test(name)) throw invalid(`${name} is no name for a stack`);
  const stack: Stack = {
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

/** The stacks that use an export. */
export function importersOf({ stacks }: Account, exportName: string | undefined): readonly string[] {
  if (exportName === undefined) return [];
  return stacks.filter(({ imports }) => imports.has(exportName)).map(({ name }) => name);
}

/** Adds an event, of the stack itself where no resource is named. */
export function addEvent(
  stack: Stack,
  status: string,
  reason?: string,
  resource?: Pick<StackResource, "logicalId" | "physicalId" | "type">,
): void {
  const whole = { logicalId: stack.name, physicalId: stack.id, type: "AWS::CloudFormation::Stack" };
  const { logicalId, physicalId, type } = resource ?? whole;
  stack.events.unshift({ id: randomUUID(), logicalId, physicalId, type, status, reason, at: new Date() });
}

/** Markup of an answer: a text, a time, a list of elements of one name, or elements by their names. */
export type Markup =
  | string
  | number
  | boolean
  | Date
  | undefined
  | readonly Markup[]
  | { readonly [name: string]: Markup };

/** XML as AWS's query protocol writes it: each item of a list is a `member` (S3: the list's own name again). */
export function xml(name: string, value: Markup, item: "member" | "flat" = "member"): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) {
    const items = value.map((one) => xml(item === "flat" ? name : item, one, item)).join("");
    return item === "flat" ? items : `<${name}>${items}</${name}>`;
  }
  if (value instanceof Date) return xml(name, value.toISOString());
  if (typeof value !== "object") return `<${name}>${escaped(String(value))}</${name}>`;
  const inner = Object.entries(value).map(([key, one]) => xml(key, one, item));
  return `<${name}>${inner.join("")}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The parameters of a query, with `Tags.member.1.Key` as what it means: lists and objects. */
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
  return listed(root);
}

/** Objects whose keys are 1, 2, 3 are lists. */
function listed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => listed(inner));
  }
  return Object.fromEntries(entries.map(([key, inner]) => [key, listed(inner)]));
}
