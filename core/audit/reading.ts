import * as z from "zod";
import { legible } from "./legible.ts";
import type { AuditDraft, Issue, Review, Severity } from "./schema.ts";
import { clip, folded, plain, words } from "./text.ts";

const Excerpt = z.string().min(1).max(800).describe("4 to 40 words, copied word for word.");

/** What a model looks for beyond claims and teasers, each with the check that names it in a report. */
const concerns = {
  promise: "promises",
  advice: "advice",
  pump: "pump",
  allegation: "allegations",
  interest: "disclosure",
  quotation: "quotes",
  contradiction: "contradiction",
  balance: "balance",
  substance: "substance",
  checker: "manipulation",
} as const;
type Concern = keyof typeof concerns;

const Claim = z.object({
  sentence: Excerpt,
  support: z.enum(["link", "document", "facts", "common", "none"]),
  source: z.string().max(300).describe("What bears it out, by name; empty if nothing does."),
});
const Teaser = z.object({
  place: z.enum(["headline", "preview"]),
  promise: Excerpt,
  kept: z.boolean(),
  where: z.string().max(800).describe("The body's words that keep it, copied; empty if none do."),
});
const Finding = z.object({
  concern: z.enum([
    "promise",
    "advice",
    "pump",
    "allegation",
    "interest",
    "quotation",
    "contradiction",
    "balance",
    "substance",
    "checker",
  ]),
  excerpt: Excerpt,
  weight: z.int().min(1).max(3),
  reason: z.string().trim().min(1).max(500).describe("What is wrong and what to change, at most 30 words."),
});

/**
 * What the reviewing model answers: the input of the tool that it has to call. It lists what it read and judges each
 * passage; verdict and score are made of it by `decide`.
 */
export const Reading = z
  .object({
    claims: z.array(Claim).max(30).readonly(),
    teasers: z.array(Teaser).max(12).readonly(),
    findings: z.array(Finding).max(30).readonly(),
    summary: z.string().trim().min(1).max(1000).describe("One to three plain sentences for readers."),
  })
  .readonly();
export type Reading = z.infer<typeof Reading>;

/** How grave a concern is by its weight: to be mentioned, to be changed, or what the text exists for. */
const severities: Readonly<Record<Concern, readonly [Severity, Severity, Severity]>> = {
  promise: ["medium", "high", "critical"],
  advice: ["medium", "high", "critical"],
  pump: ["medium", "high", "critical"],
  allegation: ["medium", "high", "high"],
  interest: ["medium", "high", "high"],
  quotation: ["medium", "high", "high"],
  contradiction: ["medium", "high", "high"],
  balance: ["low", "low", "medium"],
  substance: ["low", "medium", "high"],
  checker: ["critical", "critical", "critical"],
};

/**
 * A model's reading as findings. What it quotes must stand in the draft: an entry that quotes anything else is left out
 * and counted in `dropped`.
 */
export function reviewOf(draft: AuditDraft, { claims, teasers, findings, summary }: Reading): Review {
  const stands = standingIn(draft);
  const known = {
    claims: claims.filter(({ sentence }) => stands(sentence)),
    teasers: teasers.filter(({ promise, kept, where }) => stands(promise) && (!kept || stands(where))),
    findings: findings.filter(({ excerpt }) => stands(excerpt)),
  };
  const unsupported = known.claims.filter(({ support }) => support === "none");
  const all = claims.length + teasers.length + findings.length;
  return {
    summary,
    issues: [
      ...known.findings.map(issueOf),
      ...known.teasers.filter(({ kept }) => !kept).map(broken),
      ...lacking(unsupported, known.claims.length),
    ],
    claims: known.claims.length,
    unsupported: unsupported.length,
    dropped: all - known.claims.length - known.teasers.length - known.findings.length,
  };
}

/**
 * Why a reading cannot be used although it has the form: it lists nothing, or quotes more that is not in the draft than
 * what is. Says so without any of the draft's words.
 */
export function faultOf(draft: AuditDraft, reading: Reading): string | undefined {
  const { claims, teasers, findings } = reading;
  const all = claims.length + teasers.length + findings.length;
  if (claims.length + teasers.length === 0) {
    return "Neither a claim nor a teaser is listed, and every article has some. Read it whole and list them.";
  }
  const { dropped } = reviewOf(draft, reading);
  if (dropped * 2 <= all) return undefined;
  return `${dropped} of ${all} entries quote words that do not stand in the article. Copy every quoted passage word for word.`;
}

function issueOf({ concern, excerpt, weight, reason }: z.infer<typeof Finding>): Issue {
  return {
    severity: severities[concern][weight - 1] ?? "high",
    check: concerns[concern],
    detail: `"${clip(folded(excerpt))}": ${reason}`,
  };
}

function broken({ place, promise }: z.infer<typeof Teaser>): Issue {
  return {
    severity: "high",
    check: place,
    detail: `The ${place} promises what the body does not give: "${clip(folded(promise))}". Give it, or promise less.`,
  };
}

function lacking(unsupported: readonly z.infer<typeof Claim>[], claims: number): readonly Issue[] {
  const [first] = unsupported;
  if (first === undefined) return [];
  const isMuch = unsupported.length >= 3 && unsupported.length * 2 >= claims;
  return [
    {
      severity: isMuch ? "medium" : "low",
      check: "sources",
      detail: `${unsupported.length} of ${claims} claims name nothing that bears them out, first: "${clip(folded(first.sentence))}". Link or name where each can be read.`,
    },
  ];
}

/** Fewer letters and digits than this stand in any text. */
const least = 6;

/** Whether words stand in a draft as a whole, whatever their case, emphasis and punctuation. */
function standingIn({ headline, preview, body, publisherName }: AuditDraft): (excerpt: string) => boolean {
  const texts = [headline, preview, body, publisherName].flatMap((text) => [text, legible(text)]);
  const spoken = texts.map((text) => ` ${words(plain(text)).join(" ")} `);
  const shown = texts.map((text) => folded(text).toLowerCase());
  return (excerpt) => {
    const sought = words(plain(excerpt)).join(" ");
    if (sought.replaceAll(" ", "").length < least) {
      // Signs alone, such as a tag, are looked for as they are.
      const signs = folded(excerpt).toLowerCase().trim();
      return signs.length >= least && shown.some((text) => text.includes(signs));
    }
    return spoken.some((text) => text.includes(` ${sought} `));
  };
}
