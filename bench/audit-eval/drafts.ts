import type { AuditDraft, AuditFacts } from "../../core/audit/schema.ts";
import { mostAlike, sharedBetween } from "../../core/audit/similar.ts";
import { authored, authoredTwins, noted } from "../../tests/core/audit/corpus/authored.ts";
import { clean as fresh } from "../../tests/core/audit/corpus/clean.ts";
import { copies } from "../../tests/core/audit/corpus/copies.ts";
import { figures } from "../../tests/core/audit/corpus/figures.ts";
import { held as freshHeld, tuning as freshTuning } from "../../tests/core/audit/corpus/fresh/index.ts";
import { good } from "../../tests/core/audit/corpus/good.ts";
import { injections } from "../../tests/core/audit/corpus/injections.ts";
import { cleanEssays } from "../../tests/core/audit/corpus/measured/clean-essays.ts";
import { cleanReports } from "../../tests/core/audit/corpus/measured/clean-reports.ts";
import { faults } from "../../tests/core/audit/corpus/measured/faults.ts";
import {
  type CleanDraft,
  type FaultKind,
  type FaultyDraft,
  quotes,
} from "../../tests/core/audit/corpus/measured/form.ts";
import { planted, twins } from "../../tests/core/audit/corpus/planted.ts";
import { promotional } from "../../tests/core/audit/corpus/promotional.ts";
import { sloppy } from "../../tests/core/audit/corpus/sloppy.ts";

/** A draft of the corpus with what an editor knows of it. */
export type Case = {
  readonly name: string;
  /** What is wrong with it: `undefined` when an editor would publish it. */
  readonly kind: string | undefined;
  /** A quick reader would miss what is wrong. */
  readonly subtle: boolean;
  /** The checks that name its fault. */
  readonly accepted: readonly string[];
  /** The passages that hold the fault, where the corpus tells them. */
  readonly planted: readonly string[];
  /** The clean draft that the fault was planted in. */
  readonly cleanName: string | undefined;
  readonly draft: AuditDraft;
  readonly facts: AuditFacts;
};

/** The drafts that rules and prompts are made with. Their kind is the first check that an editor would raise. */
export const tuning: readonly Case[] = [
  ...good,
  ...fresh,
  ...sloppy,
  ...promotional,
  ...figures,
  ...copies,
  ...injections,
  ...Object.values(planted).flat(),
  ...twins,
  ...Object.values(authored).flat(),
  ...Object.values(noted).flat(),
  ...authoredTwins,
].map(({ name, draft, facts, expected }) => ({
  name,
  kind: expected[0],
  subtle: false,
  accepted: expected,
  planted: [],
  cleanName: undefined,
  draft,
  facts,
}));

/** The checks that may name a fault of each kind. */
const naming: Readonly<Record<FaultKind, readonly string[]>> = {
  arithmetic: ["arithmetic", "figures", "headline", "preview"],
  dates: ["dates"],
  prices: ["figures", "prices", "dates"],
  copies: ["copied"],
  outlets: ["sources", "outlets"],
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

/** The drafts that are only measured: whoever writes rules or prompts does not read them. */
export const measured: readonly Case[] = casesOf([...cleanReports, ...cleanEssays], faults);

/** A second corpus by another author; its faults are wrong sums, times, prices and orders to a checker. */
export const tuningFresh: readonly Case[] = casesOf(freshTuning.clean, freshTuning.faulty);
export const measuredFresh: readonly Case[] = casesOf(freshHeld.clean, freshHeld.faulty);

/** Clean drafts, and the same with one planted fault each. */
function casesOf(clean: readonly CleanDraft[], faulty: readonly FaultyDraft[]): readonly Case[] {
  const cleanCases = clean.map((draft) => ({
    name: draft.name,
    kind: undefined,
    subtle: false,
    accepted: [],
    planted: [],
    cleanName: undefined,
    ...audited(clean, draft, {}),
  }));
  const faultyCases = faulty.map((fault) => ({
    name: fault.name,
    kind: fault.kind,
    subtle: fault.subtle,
    accepted: naming[fault.kind],
    planted: [
      ...(fault.headline === undefined ? [] : [fault.headline]),
      ...(fault.preview === undefined ? [] : [fault.preview]),
      ...(fault.replace ?? []).map(([, young]) => young),
      ...(fault.add === undefined ? [] : [fault.add]),
    ],
    cleanName: fault.of,
    ...audited(clean, cleanNamed(clean, fault.of), fault),
  }));
  return [...cleanCases, ...faultyCases];
}

function cleanNamed(clean: readonly CleanDraft[], name: string): CleanDraft {
  const found = clean.find((draft) => draft.name === name);
  if (found === undefined) throw new Error(`There is no clean draft ${name}`);
  return found;
}

/** The other clean drafts of the stock are live meanwhile, written by others; of a faulty draft's own only a copied one. */
function audited(clean: readonly CleanDraft[], original: CleanDraft, fault: Partial<FaultyDraft>) {
  const change = (text: string) =>
    (fault.replace ?? []).reduce((changed, [old, young]) => changed.replace(old, () => young), text);
  const body = change(original.body);
  const draft: AuditDraft = {
    headline: change(fault.headline ?? original.headline),
    preview: change(fault.preview ?? original.preview),
    body: fault.add === undefined ? body : `${body}\n\n${fault.add}`,
    stock: original.stock,
    publisherName: fault.publisherName ?? "The Measured Desk",
    aiAssisted: false,
  };
  const live = clean.filter(
    ({ name, stock }) => name === fault.copyOf || (stock === original.stock && name !== original.name),
  );
  const presses = live.map(({ headline, preview, body: other }) => ({
    headline,
    preview,
    own: false,
    shared: sharedBetween(draft.body, other),
  }));
  const holds = fault.holds ?? original.holds ?? false;
  return { draft, facts: { ...factsOf(original.stock, holds), similar: mostAlike(draft, presses) } };
}

function factsOf(stock: string, holds: boolean): AuditFacts {
  const prices = quotes[stock];
  if (prices === undefined) throw new Error(`There is no quote of ${stock}`);
  const [name, mid, dayLow, dayHigh] = prices;
  return {
    gatheredAt: "2026-09-04T15:03:00.000Z",
    quote: {
      symbol: stock,
      mid,
      dayLow,
      dayHigh,
      volume: 31_400_270,
      halted: false,
      asOf: "2026-09-04T15:02:30.000Z",
    },
    stock: { symbol: stock, name: `${name} • Robinhood Token`, address: `0x${"2".repeat(40)}` },
    publisherHolds: holds,
    publisherBalance: holds ? "2500000000000000000" : "0",
    sources: [],
    similar: [],
  };
}
