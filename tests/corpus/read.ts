import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { AuditDraft, AuditFacts } from "../../core/audit/schema.ts";
import { mostAlike, sharedBetween } from "../../core/audit/similar.ts";
import { Quote } from "../../core/market/schema.ts";

/** One line of a corpus: a draft as its author submits it, what the market says, and the one fault that was planted. */
const Line = z.object({
  name: z.string(),
  kind: z.enum(["clean", "arithmetic", "dates", "prices", "injections", "copies", "outlets"]),
  stock: z.string(),
  company: z.string(),
  quote: Quote.pick({ mid: true, dayHigh: true, dayLow: true, volume: true, halted: true }),
  auditedAt: z.iso.datetime(),
  publisherName: z.string(),
  publisherHolds: z.boolean(),
  headline: z.string(),
  preview: z.string(),
  body: z.string(),
  sources: z.array(z.object({ title: z.string(), source: z.string(), link: z.string() })).optional(),
  /** Live presses of others. */
  similar: z.array(z.object({ headline: z.string(), body: z.string() })).optional(),
  fault: z.object({ excerpt: z.string(), truth: z.string() }).nullable(),
});

/** A draft of a corpus. `kind` is undefined for one that an editor would publish. */
export type Written = {
  readonly name: string;
  readonly kind: Exclude<z.infer<typeof Line>["kind"], "clean"> | undefined;
  readonly excerpt: string | undefined;
  readonly draft: AuditDraft;
  readonly facts: AuditFacts;
};

/** The drafts of `tests/corpus/{name}.jsonl`. */
export function readCorpus(name: string): readonly Written[] {
  return readFileSync(join(import.meta.dirname, `${name}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => written(Line.parse(JSON.parse(line))));
}

function written(line: z.infer<typeof Line>): Written {
  const { name, kind, stock, headline, preview, body, publisherName, publisherHolds, sources = [] } = line;
  const draft = { headline, preview, body, stock, publisherName, aiAssisted: sources.length > 0 };
  const presses = (line.similar ?? []).map((press) => ({
    headline: press.headline,
    preview: "",
    own: false,
    shared: sharedBetween(body, press.body),
  }));
  return {
    name,
    kind: kind === "clean" ? undefined : kind,
    excerpt: line.fault?.excerpt,
    draft,
    facts: {
      gatheredAt: line.auditedAt,
      quote: { symbol: stock, ...line.quote, asOf: line.auditedAt },
      stock: { symbol: stock, name: `${line.company} • Robinhood Token`, address: `0x${"2".repeat(40)}` },
      publisherHolds,
      publisherBalance: publisherHolds ? "2500000000000000000" : "0",
      sources: sources.map((source) => ({ ...source, text: "" })),
      similar: mostAlike(draft, presses),
    },
  };
}
