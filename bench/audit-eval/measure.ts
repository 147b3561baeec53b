import type { Issue } from "../../core/audit/schema.ts";
import { folded, plain, words } from "../../core/audit/text.ts";
import type { Outcome } from "./engine.ts";

/** Counts of one kind of fault. */
type KindCounts = {
  readonly kind: string;
  readonly drafts: number;
  /** Not approved. */
  readonly stopped: number;
  /** With a finding of medium weight or more that names the fault. */
  readonly named: number;
  /** Clean drafts that were stopped by a check that names this kind. */
  readonly falseStops: number;
};

/** What one engine reaches on one part of the corpus. */
export type Measures = {
  readonly faulty: number;
  readonly stopped: number;
  readonly named: number;
  readonly clean: number;
  readonly falseStops: number;
  /** Clean drafts with a finding of medium weight or more. */
  readonly falseAlarms: number;
  /** Of the stopped drafts, the share with a fault. */
  readonly precision: number;
  /** Of the faulty drafts, the share that was stopped. */
  readonly recall: number;
  readonly recallBlatant: number;
  readonly recallSubtle: number;
  /** How likely a clean draft's score is above a faulty one's; half where they are equal. */
  readonly auc: number;
  /** Findings of weight that quote, those whose quotation is in the text, and those that quote the planted fault. */
  readonly quoting: number;
  readonly quotedRightly: number;
  /** Of the named faults whose place is known, those that a finding quotes. */
  readonly placed: number;
  readonly placeable: number;
  /** Drafts whose verdict was another when they were audited again. */
  readonly flips: number;
  /** Faulty drafts that score above the clean draft that they were made of. */
  readonly inversions: number;
  readonly unreviewed: number;
  readonly kinds: readonly KindCounts[];
};

/** Everything that is counted of one engine's outcomes. */
export function measure(outcomes: readonly Outcome[]): Measures {
  const faulty = outcomes.filter(({ kind }) => kind !== undefined);
  const clean = outcomes.filter(({ kind }) => kind === undefined);
  const stopped = faulty.filter(isStopped).length;
  const falseStops = clean.filter(isStopped).length;
  const recallOf = (some: readonly Outcome[]) => share(some.filter(isStopped).length, some.length);
  const quotations = outcomes.flatMap((one) =>
    weighty(one).flatMap((issue) => (quotes(issue) ? [isQuotedRightly(textOf(one), issue)] : [])),
  );
  const placeable = faulty.filter((one) => one.planted.length > 0 && isNamed(one));
  return {
    faulty: faulty.length,
    stopped,
    named: faulty.filter(isNamed).length,
    clean: clean.length,
    falseStops,
    falseAlarms: clean.filter((one) => weighty(one).length > 0).length,
    precision: share(stopped, stopped + falseStops),
    recall: recallOf(faulty),
    recallBlatant: recallOf(faulty.filter(({ subtle }) => !subtle)),
    recallSubtle: recallOf(faulty.filter(({ subtle }) => subtle)),
    auc: separation(clean, faulty),
    quoting: quotations.length,
    quotedRightly: quotations.filter(Boolean).length,
    placed: placeable.filter(isPlaced).length,
    placeable: placeable.length,
    flips: outcomes.filter(isFlipped).length,
    inversions: faulty.filter((one) => scoresAboveTwin(one, clean)).length,
    unreviewed: outcomes.filter(({ judged }) => judged === undefined).length,
    kinds: kindsOf(faulty, clean),
  };
}

/** A share of nothing is whole. */
export const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

export const isStopped = ({ judged }: Outcome): boolean =>
  judged !== undefined && judged.verdict !== "approve";

/** Findings that an editor would act on. */
export const weighty = ({ judged }: Outcome): readonly Issue[] =>
  (judged?.issues ?? []).filter(({ severity }) => severity !== "low");

export const isNamed = (one: Outcome): boolean =>
  weighty(one).some(({ check }) => one.accepted.includes(check));

function kindsOf(faulty: readonly Outcome[], clean: readonly Outcome[]): readonly KindCounts[] {
  const kinds = [...new Set(faulty.flatMap(({ kind }) => kind ?? []))].toSorted();
  return kinds.map((kind) => {
    const drafts = faulty.filter((one) => one.kind === kind);
    const accepted = new Set(drafts.flatMap((one) => one.accepted));
    return {
      kind,
      drafts: drafts.length,
      stopped: drafts.filter(isStopped).length,
      named: drafts.filter(isNamed).length,
      falseStops: clean.filter(
        (one) => isStopped(one) && weighty(one).some(({ check }) => accepted.has(check)),
      ).length,
    };
  });
}

function isFlipped({ judged, again }: Outcome): boolean {
  return again.some(
    (other) => judged !== undefined && other !== undefined && other.verdict !== judged.verdict,
  );
}

function scoresAboveTwin({ cleanName, judged }: Outcome, clean: readonly Outcome[]): boolean {
  const twin = clean.find(({ name }) => name === cleanName)?.judged;
  return judged !== undefined && twin !== undefined && judged.score > twin.score;
}

/** The Mann-Whitney statistic as a share: 0.5 is chance. */
function separation(clean: readonly Outcome[], faulty: readonly Outcome[]): number {
  const scores = (some: readonly Outcome[]) => some.flatMap(({ judged }) => judged?.score ?? []);
  const pairs = scores(clean).flatMap((good) =>
    scores(faulty).map((bad) => (good > bad ? 1 : good === bad ? 0.5 : 0)),
  );
  return share(
    pairs.reduce<number>((sum, pair) => sum + pair, 0),
    pairs.length,
  );
}

const textOf = ({ draft }: Outcome) =>
  [draft.headline, draft.preview, draft.body, draft.publisherName].join("\n");

/** A finding about something else than the draft, such as a copied press, quotes that. */
const quotes = ({ check, detail }: Issue) => check !== "copied" && /".+"/s.test(folded(detail));

/** Whether what a finding quotes is in the text: one passage, which may hold quotes of its own, or each of several. */
function isQuotedRightly(text: string, { detail }: Issue): boolean {
  const whole = /"(.+)"/s.exec(folded(detail))?.[1] ?? "";
  const each = [...folded(detail).matchAll(/"([^"]+)"/g)].map(([, quoted = ""]) => quoted);
  const found = (quoted: string) => isIn(text, quoted.replace(/…$/, ""));
  return found(whole) || each.every(found);
}

/** Whether the words stand in a text, in whatever typography. */
function isIn(text: string, quoted: string): boolean {
  const wanted = words(plain(quoted)).join(" ");
  return (
    words(plain(text)).join(" ").includes(wanted) || folded(text).toLowerCase().includes(quoted.toLowerCase())
  );
}

/** A finding that names the fault quotes four words of it in a row, or all of a shorter one. */
function isPlaced(one: Outcome): boolean {
  const quotations = weighty(one)
    .filter(({ check }) => one.accepted.includes(check))
    .flatMap(({ detail }) => [...folded(detail).matchAll(/"([^"]+)"/g)].map(([, quoted = ""]) => quoted));
  return quotations.some((quoted) => one.planted.some((passage) => overlaps(quoted, passage)));
}

function overlaps(quoted: string, passage: string): boolean {
  const [short = [], long = []] = [words(plain(quoted)), words(plain(passage))].toSorted(
    (left, right) => left.length - right.length,
  );
  const run = Math.min(4, short.length);
  const joined = ` ${long.join(" ")} `;
  return short.some(
    (_, at) => at + run <= short.length && joined.includes(` ${short.slice(at, at + run).join(" ")} `),
  );
}
