import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { computeShare, findSimilarPresses } from "../../core/audit/rule/copied.ts";
import { Calculation } from "../../core/audit/rule/operation.ts";
import type { AuditDraft, AuditFacts } from "../../core/audit/schema.ts";
import { Quote } from "../../core/market/schema.ts";

/** A draft as its author submits the draft, with the facts that the audit knows. */
const Whole = z.object({
  stock: z.string(),
  /** The company and the quote. If the company and the quote are absent, `quotes.jsonl` gives both for the corpus's usual time. */
  company: z.string().optional(),
  quote: Quote.pick({ mid: true, dayHigh: true, dayLow: true, volume: true, halted: true }).optional(),
  auditedAt: z.iso.datetime().optional(),
  publisherName: z.string(),
  publisherHolds: z.boolean().optional(),
  headline: z.string(),
  preview: z.string(),
  body: z.string(),
  /** The sources from which an AI draft was written. */
  sources: z
    .array(
      z.object({ title: z.string(), source: z.string(), link: z.string(), text: z.string().default("") }),
    )
    .optional(),
  /** Similar presses that are live while the draft is audited. */
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
 * One line of a corpus: either a whole draft, or changes to another draft (`of`): changed fields, replaced passages and an added paragraph.
 * A faulty draft equals its clean twin except for one fault.
 */
const Line = z.strictObject({
  ...Whole.partial().shape,
  name: z.string(),
  /**
   * `clean`, or the kind of fault. A draft of the kind `twin` is clean, but was written only for a faulty draft, so the twin is not
   * measured.
   */
  kind: z.string(),
  of: z.string().optional(),
  /** Pairs of an old and a new passage. The old passage occurs exactly once in headline, preview, body and publisher's name together. */
  replace: z.array(z.tuple([z.string(), z.string()])).optional(),
  add: z.string().optional(),
  /** The checks that may report the fault, if they differ from the usual checks for this kind of fault. */
  checks: z.array(z.string()).optional(),
  /** Whether somebody who reads the draft quickly would miss the fault. */
  subtle: z.literal(true).optional(),
  /** A remark that an editor would write in the margin. */
  fault: z.object({ excerpt: z.string(), truth: z.string() }).nullable().optional(),
  /** Whether this draft is a live press of another publisher while other drafts about the same stock are audited. */
  live: z.literal(true).optional(),
  /** The id of the copied draft: a live draft about another stock, or the draft's own twin. */
  copyOf: z.string().optional(),
});
type Line = z.infer<typeof Line>;

/** One draft in a corpus, with an editor's judgement of the draft. */
export type Case = {
  readonly name: string;
  /** The kind of the draft's fault; `undefined` if an editor would publish the draft. */
  readonly kind: string | undefined;
  readonly isTwin: boolean;
  /** The checks that may report the draft's fault. */
  readonly accepted: readonly string[];
  /** The clean draft to which the fault was added. */
  readonly cleanName: string | undefined;
  readonly draft: AuditDraft;
  readonly facts: AuditFacts;
};

/** Reads the drafts in `tests/corpus/{name}.jsonl`. */
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
      applyLine(line, Whole.parse(line.of === undefined ? line : { ...wholeOf(find(line.of)), ...line }));
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
      accepted: isClean ? [] : (line.checks ?? listNames(line.kind)),
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

function applyLine({ name, replace = [], add }: Line, whole: Whole): Whole {
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

/** The right and wrong calculations in the drafts of the second tuning part, in the form in which a good model would list calculations. */
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
      shared: press.body === undefined ? 0 : computeShare(body, press.body),
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
      similar: findSimilarPresses(draft, presses),
    },
  };
}

/** The checks that may report a fault of a kind, for each kind whose name is not the name of a check. */
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

export function listNames(kind: string): readonly string[] {
  return naming[kind] ?? [kind];
}
