import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { bedrockReviewer } from "../../core/adapter/model/reviewer.ts";
import { decide } from "../../core/audit/decide.ts";
import { type Reading, reviewOf } from "../../core/audit/reading.ts";
import { inspect } from "../../core/audit/rule/index.ts";
import type { AuditDraft, AuditFacts, Issue, ReviewRequest, Verdict } from "../../core/audit/schema.ts";
import { mostAlike, sharedBetween } from "../../core/audit/similar.ts";
import type { ModelAnswer, ModelUsage, Reviewer } from "../../core/port/model.ts";
import type { StageSettings } from "../../infra/stages.ts";
import { startBedrock } from "../../local/bedrock/index.ts";
import { authored, authoredTwins, noted } from "../../tests/core/audit/corpus/authored.ts";
import { clean as cleanTuning } from "../../tests/core/audit/corpus/clean.ts";
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
import { readCorpus } from "../../tests/corpus/read.ts";

/** An audit's result as it matters here; `undefined` when the model gave no review. */
type Judged = {
  readonly verdict: Verdict;
  readonly score: number;
  readonly issues: readonly Issue[];
  /** Entries of the model's that quote what is not in the draft. */
  readonly dropped: number;
};

/** A case with the audits of it: the first, and those that ought to come to the same. */
export type Outcome = Case & {
  readonly judged: Judged | undefined;
  readonly again: readonly (Judged | undefined)[];
};

/** What reads the drafts beside the rules. */
export type Engine = {
  readonly name: string;
  /** How many drafts at once. */
  readonly width: number;
  /** Whether each draft is read a third time, as another editor would have saved it. */
  readonly retypes: boolean;
  readonly reviewer: Reviewer;
  readonly stop: () => Promise<void>;
};

const silence: Reading = {
  summary: "Nothing was read.",
  claims: [],
  teasers: [],
  calculations: [],
  findings: [],
};

/** Nobody reads: what the audit is worth by its rules alone. */
export const rulesAlone: Engine = {
  name: "rules alone",
  width: 1,
  retypes: true,
  reviewer: { most: () => [], review: async () => ({ value: silence, engine: "silence", usage: [] }) },
  stop: async () => {},
};

/** The local stand-in behind the real client. */
export async function standIn(): Promise<Engine> {
  const { endpoint, stop } = await startBedrock({ port: 0 });
  const client = new BedrockRuntimeClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  return {
    name: "with the stand-in",
    width: 4,
    retypes: true,
    reviewer: bedrockReviewer({ client, modelId: "local.amazon.nova-stand-in-v1" }),
    async stop() {
      client.destroy();
      await stop();
    },
  };
}

/** The stage's first model. */
export function stageModel({
  region,
  model,
}: Pick<StageSettings, "region" | "model">): Engine & { readonly findCredentials: () => Promise<void> } {
  const client = new BedrockRuntimeClient({
    region,
    requestHandler: { disableConcurrentStreams: true },
    maxAttempts: 4,
  });
  const timeLimit = 60_000;
  return {
    name: `with ${model.name}`,
    width: 4,
    retypes: false,
    reviewer: bedrockReviewer({ client, modelId: model.inferenceProfile }, timeLimit),
    stop: async () => client.destroy(),
    async findCredentials() {
      try {
        await client.config.credentials();
      } catch (cause) {
        throw new Error("Nothing was asked: there are no AWS credentials here.", { cause });
      }
    },
  };
}

/** Audits every case twice, and once more as another editor would have saved it. */
export async function judge(
  engine: Engine,
  cases: readonly Case[],
): Promise<{ readonly outcomes: readonly Outcome[]; readonly usage: readonly ModelUsage[] }> {
  const usage: ModelUsage[] = [];
  const once = async (request: ReviewRequest): Promise<Judged | undefined> => {
    const asked: ModelAnswer<Reading> = await engine.reviewer.review(request);
    usage.push(...asked.usage);
    if (asked.failure !== undefined) return undefined;
    const review = reviewOf(request.draft, asked.value);
    const issues = inspect(request.draft, request.facts);
    return { ...decide({ issues, review }), dropped: review.dropped };
  };
  const outcomes = await inTurns(engine.width, cases, async (one): Promise<Outcome> => {
    const { draft, facts } = one;
    const judged = await once({ draft, facts });
    const again = [await once({ draft, facts })];
    if (engine.retypes) again.push(await once({ draft: retyped(draft), facts }));
    return { ...one, judged, again };
  });
  return { outcomes, usage };
}

/** The same words with typographic quotes, apostrophes and spaces. */
function retyped(draft: AuditDraft): AuditDraft {
  const change = (text: string) =>
    text
      .replace(/(^|[\s([])"/g, "$1“")
      .replace(/"(?=[\s.,;:!?)\]]|$)/g, "”")
      .replace(/(?<=\p{L})'(?=\p{L})/gu, "’")
      .replace(/(?<=\d) (?=(?:million|billion|trillion|percent)\b)/g, "\u00a0");
  return {
    ...draft,
    headline: change(draft.headline),
    preview: change(draft.preview),
    body: change(draft.body),
  };
}

/** Maps a list, at most so many entries at once. */
async function inTurns<From, To>(
  width: number,
  list: readonly From[],
  map: (entry: From) => Promise<To>,
): Promise<readonly To[]> {
  const entries = list.map((entry, index) => ({ entry, index }));
  const results = new Map<number, To>();
  const work = async () => {
    for (let next = entries.shift(); next !== undefined; next = entries.shift()) {
      results.set(next.index, await map(next.entry));
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return list.flatMap((_, index) => {
    const result = results.get(index);
    return result === undefined ? [] : [result];
  });
}

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
  ...cleanTuning,
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
  return new Map<string, readonly string[]>(Object.entries(naming)).get(kind) ?? [];
}

/** The drafts that are only measured: whoever writes rules or prompts does not read them. */
export const measured: readonly Case[] = casesOf([...cleanReports, ...cleanEssays], faults);

/** A second corpus by another author; its faults are wrong sums, times, prices and orders to a checker. */
export const tuningFresh: readonly Case[] = casesOf(freshTuning.clean, freshTuning.faulty);
export const measuredFresh: readonly Case[] = casesOf(freshHeld.clean, freshHeld.faulty);

/** Drafts by authors who saw neither rules nor corpora: the rules were decided by the first, the second was run once. */
export const development: readonly Case[] = casesIn("development");
export const fresh: readonly Case[] = casesIn("fresh");

function casesIn(corpus: string): readonly Case[] {
  return readCorpus(corpus).map(({ name, kind, excerpt, draft, facts }) => ({
    name,
    kind,
    subtle: false,
    accepted: kind === undefined ? [] : naming[kind],
    planted: excerpt === undefined ? [] : [excerpt],
    cleanName: undefined,
    draft,
    facts,
  }));
}

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
