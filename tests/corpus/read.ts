import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { mostAlike, sharedBetween } from "../../core/audit/rule/copied.ts";
import { Calculation } from "../../core/audit/rule/operation.ts";
import type { AuditDraft, AuditFacts } from "../../core/audit/schema.ts";
import { Quote } from "../../core/market/schema.ts";

/** What its author submits, and what is known beside it. */
const Whole = z.object({
  stock: z.string(),
  /** Both are in `quotes.jsonl` for whoever was audited at the corpus's usual time. */
  company: z.string().optional(),
  quote: Quote.pick({ mid: true, dayHigh: true, dayLow: true, volume: true, halted: true }).optional(),
  auditedAt: z.iso.datetime().optional(),
  publisherName: z.string(),
  publisherHolds: z.boolean().optional(),
  headline: z.string(),
  preview: z.string(),
  body: z.string(),
  /** What an AI draft was written from. */
  sources: z
    .array(
      z.object({ title: z.string(), source: z.string(), link: z.string(), text: z.string().default("") }),
    )
    .optional(),
  /** Live presses beside it. */
  similar: z
    .array(
      z.object({
        headline: z.string(),
        preview: z.string().optional(),
        body: z.string().optional(),
        own: z.boolean().optional(),
      }),
    )
    .optional(),
});
type Whole = z.infer<typeof Whole>;

/**
 * One line of a corpus: a whole draft, or another one (`of`) with some fields anew, passages replaced and a paragraph added.
 * A faulty draft is a clean one, its twin, with one fault.
 */
const Line = z.strictObject({
  ...Whole.partial().shape,
  name: z.string(),
  /** `clean`, or what is wrong. A `twin` is clean, and was written for its faulty draft alone: nothing is measured by it. */
  kind: z.string(),
  of: z.string().optional(),
  /** Old and new. The old stands once in headline, preview, body and the publisher's name. */
  replace: z.array(z.tuple([z.string(), z.string()])).optional(),
  add: z.string().optional(),
  /** The checks that may name the fault, where they are other ones than those of its kind. */
  checks: z.array(z.string()).optional(),
  /** A quick reader would miss it. */
  subtle: z.literal(true).optional(),
  /** What an editor would write in the margin. */
  fault: z.object({ excerpt: z.string(), truth: z.string() }).nullable().optional(),
  /** It is live, by another publisher, while the others about its stock are audited. */
  live: z.literal(true).optional(),
  /** One that is live though it is about another stock, or the draft's own twin. */
  copyOf: z.string().optional(),
});
type Line = z.infer<typeof Line>;

/** A draft of a corpus with what an editor knows of it. */
export type Case = {
  readonly name: string;
  /** What is wrong with it: `undefined` when an editor would publish it. */
  readonly kind: string | undefined;
  readonly isTwin: boolean;
  /** The checks that name its fault. */
  readonly accepted: readonly string[];
  /** The clean draft that the fault was planted in. */
  readonly cleanName: string | undefined;
  readonly draft: AuditDraft;
  readonly facts: AuditFacts;
};

/** The drafts of `tests/corpus/{name}.jsonl`. */
export function readCorpus(name: string): readonly Case[] {
  const all = linesOf(name, Line);
  const lines = new Map(all.map((line) => [line.name, line]));
  if (lines.size < all.length) throw new Error(`Two drafts of ${name} have one name`);
  const find = (wanted: string): Line => {
    const line = lines.get(wanted);
    if (line === undefined) throw new Error(`${name} has no draft ${wanted}`);
    return line;
  };
  const wholes = new Map<string, Whole>();
  const wholeOf = (line: Line): Whole => {
    const whole =
      wholes.get(line.name) ??
      change(line, Whole.parse(line.of === undefined ? line : { ...wholeOf(find(line.of)), ...line }));
    wholes.set(line.name, whole);
    return whole;
  };
  const rootOf = (line: Line): string => (line.of === undefined ? line.name : rootOf(find(line.of)));
  return all.map((line) => {
    const whole = wholeOf(line);
    const live = all.filter(
      (other) =>
        other.name === line.copyOf ||
        (other.live === true && other.stock === whole.stock && other.name !== rootOf(line)),
    );
    const isClean = line.kind === "clean" || line.kind === "twin";
    return {
      name: line.name,
      kind: isClean ? undefined : line.kind,
      isTwin: line.kind === "twin",
      accepted: isClean ? [] : (line.checks ?? namesOfKind(line.kind)),
      cleanName: isClean ? undefined : line.of,
      ...audit(whole, live.map(wholeOf)),
    };
  });
}

function linesOf<Row>(name: string, schema: z.ZodType<Row>): readonly Row[] {
  return readFileSync(join(import.meta.dirname, `${name}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

function change({ name, replace = [], add }: Line, whole: Whole): Whole {
  const swap = (text: Whole, [old, young]: readonly [string, string]): Whole => {
    const { headline, preview, body, publisherName } = text;
    const fields = { headline, preview, body, publisherName };
    if (Object.values(fields).join("\n").split(old).length !== 2)
      throw new Error(`In ${name} this does not stand once: ${old}`);
    const put = (field: string) => field.replace(old, () => young);
    return {
      ...text,
      headline: put(headline),
      preview: put(preview),
      body: put(body),
      publisherName: put(publisherName),
    };
  };
  const replaced = replace.reduce(swap, whole);
  return add === undefined ? replaced : { ...replaced, body: `${replaced.body}\n\n${add}` };
}

/** Calculations of drafts of the second tuning part, right and wrong, as a model that reads well lists them. */
export const calculations = linesOf(
  "calculations",
  z.object({ draft: z.string(), isRight: z.boolean(), calculation: Calculation }),
);

const Listing = Quote.omit({ symbol: true }).extend({ stock: z.string(), company: z.string() });
const market = new Map(linesOf("quotes", Listing).map((listing) => [listing.stock, listing]));
/** A Friday. */
const usualTime = "2026-09-04T15:03:00.000Z";

function audit(whole: Whole, live: readonly Whole[]): Pick<Case, "draft" | "facts"> {
  const { stock, headline, preview, body, publisherName, publisherHolds = false, sources = [] } = whole;
  const draft = { headline, preview, body, stock, publisherName, aiAssisted: sources.length > 0 };
  const { company, stock: _, ...usual } = market.get(stock) ?? { company: "", stock };
  const presses = [...(whole.similar ?? []), ...live.map((press) => ({ ...press, own: false }))].map(
    (press) => ({
      headline: press.headline,
      preview: press.preview ?? "",
      own: press.own ?? false,
      shared: press.body === undefined ? 0 : sharedBetween(body, press.body),
    }),
  );
  return {
    draft,
    facts: {
      gatheredAt: whole.auditedAt ?? usualTime,
      quote: Quote.parse({
        symbol: stock,
        ...usual,
        ...(whole.auditedAt && { asOf: whole.auditedAt }),
        ...whole.quote,
      }),
      stock: {
        symbol: stock,
        name: `${whole.company ?? company} • Robinhood Token`,
        address: `0x${"1".repeat(40)}`,
      },
      publisherHolds,
      publisherBalance: publisherHolds ? "2500000000000000000" : "0",
      sources,
      similar: mostAlike(draft, presses),
    },
  };
}

/** The checks that may name a fault of a kind, where that is not the name of one check. */
const naming: Readonly<Record<string, readonly string[]>> = {
  arithmetic: ["arithmetic", "figures", "headline", "preview"],
  dates: ["dates"],
  prices: ["figures", "dates"],
  copies: ["copied"],
  outlets: ["outlets", "sources"],
  injections: ["manipulation", "hidden"],
  promises: ["promises", "advice", "pump"],
  advice: ["advice", "promises", "pump"],
  pump: ["pump", "promises", "advice"],
  allegations: ["allegations", "sources"],
  disclosure: ["disclosure"],
  quotes: ["quotes", "sources"],
  headline: ["headline", "figures"],
  preview: ["preview", "figures", "headline"],
};

export function namesOfKind(kind: string): readonly string[] {
  return naming[kind] ?? [kind];
}
