import * as z from "zod";
import type { Refusal } from "../../core/catalogue/schema.ts";
import type { DescribedId } from "../routes.ts";
import type { FormName, Json } from "./forms.ts";

export const tags = {
  Reading: "Presses, audits and market data: free, except the text.",
  Agents: "The same operations for language models, over MCP.",
  Paying: "Two x402 payments unlock a press.",
  "Signing in": "A wallet's signature for a session cookie.",
  Chain: "RPC proxy and votes.",
  Publishing: "From draft to live press; own presses only.",
  Drafting: "Angles and drafts by a model.",
  Discovery: "What the service is.",
} as const;

/** A header of an answer; `always` when every such answer has it. */
export type Header = { readonly description: string; readonly always?: boolean; readonly schema?: Json };

/** An answer that is no refusal. Without a form it has no body. */
export type Answer = {
  readonly description?: string;
  readonly form?: FormName | readonly FormName[];
  readonly headers?: Readonly<Record<string, Header>>;
};

/** An internal id in a path. */
export const idOf = (description: string) => z.int().min(1).describe(description);

/** JSON in base64, as headers carry it. */
export const encodedJson = { contentEncoding: "base64", contentMediaType: "application/json" } as const;

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

/** The document's entry for a route, beyond its row. */
export type Operation = {
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description: string;
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: FormName | readonly FormName[];
  /** Of status 200: its form, or more of it. */
  readonly answer: FormName | Answer;
  readonly otherAnswers?: Readonly<Record<number, Answer>>;
  /** Its refusals, beside those of every route of its kind. */
  readonly refusals?: readonly Refusal[];
  readonly examples: Readonly<Record<string, Example>>;
  /** Fields whose names begin with `x-`. */
  readonly extensions?: Readonly<Record<`x-${string}`, Json>>;
};

export type Operations = Readonly<Record<DescribedId, Operation>>;

/** An operation as it is written: an example without a status is answered 200, and one that needs nothing is left out. */
type Written = Omit<Operation, "tag" | "examples"> & {
  readonly examples?: Readonly<Record<string, Omit<Example, "status"> & { readonly status?: number }>>;
};

/** Operations under one tag. */
export function tagged<Id extends DescribedId>(
  tag: keyof typeof tags,
  written: Readonly<Record<Id, Written>>,
): Readonly<Record<Id, Operation>>;
export function tagged(tag: keyof typeof tags, written: Readonly<Record<string, Written>>) {
  return Object.fromEntries(
    Object.entries(written).map(([id, { examples = { all: { summary: "As it is" } }, ...rest }]) => {
      const complete = Object.entries(examples).map(([name, example]) => [name, { status: 200, ...example }]);
      return [id, { tag, ...rest, examples: Object.fromEntries(complete) }];
    }),
  );
}
