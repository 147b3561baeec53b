import type { RouteId } from "../routes.ts";
import type { Json, SchemaName } from "./schemas.ts";

export const tags = {
  Reading: "Presses, their audits and the market they are about: free, but for the text.",
  Paying: "Two x402 payments unlock a press.",
  "Signing in": "A wallet's signature for a session cookie, from the site's own pages.",
  Chain: "What a wallet needs of the chain, and the votes on it.",
  Publishing: "From a draft to a live press. A publisher sees and changes their own presses only.",
  Drafting: "Angles and drafts by a model.",
  Documents: "The service described.",
} as const;

export type Parameter = { readonly description: string; readonly schema: Json };

/** What a header of an answer holds; `always` when no such answer is without it. */
export type Header = { readonly description: string; readonly always?: boolean; readonly schema?: Json };

/** An answer that is no refusal. Without a schema it has no body. */
export type Answer = {
  readonly description: string;
  readonly schema?: SchemaName | readonly SchemaName[];
  /** JSON unless told otherwise. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, Header>>;
};

/** Refusals by status, then by stable code: when they are given. */
export type Refusals = Readonly<Record<number, Readonly<Record<string, string>>>>;

type Values = Readonly<Record<string, string | number>>;

/**
 * A request as it may be sent, and how it is answered: in the document both carry the example's name. A test sends
 * every one to a running service.
 */
export type Example = {
  readonly summary: string;
  readonly path?: Values;
  readonly query?: Values;
  readonly headers?: Values;
  readonly body?: Json;
  readonly status: number;
  readonly answer?: Json;
};

/** What the document says of a route beyond its row. */
export type Operation = {
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description: string;
  readonly path?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly headers?: Readonly<Record<string, Parameter>>;
  readonly body?: SchemaName | readonly SchemaName[];
  readonly answers: Readonly<Record<number, Answer>>;
  readonly refusals?: Refusals;
  readonly examples: Readonly<Record<string, Example>>;
  /** Fields whose names begin with `x-`. */
  readonly extensions?: Readonly<Record<`x-${string}`, Json>>;
};

export type Operations = Readonly<Record<RouteId, Operation>>;
