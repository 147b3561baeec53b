import { randomUUID } from "node:crypto";
import type { Stack } from "./stacks.ts";

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
  /** Requests that no stand-in supports. A rehearsal that makes one proves nothing. */
  readonly unsupported: string[];
  /** How long an operation on a stack takes. */
  operationMs: number;
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
    secrets: new Map(),
    zones: new Map(),
    stacks: [],
    templates: new Set(),
    resources: new Map(),
    history: [],
    requests: 0,
    unsupported: [],
    operationMs: 0,
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
