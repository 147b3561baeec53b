import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { openReviewer } from "../../core/adapter/model/reviewer.ts";
import { makeReview, type Reading } from "../../core/audit/reading.ts";
import { applyRules } from "../../core/audit/rule/index.ts";
import type { AuditDraft, Issue, Reviewer, ReviewRequest, Verdict } from "../../core/audit/schema.ts";
import { decide } from "../../core/audit/store.ts";
import type { ModelAnswer, ModelUsage } from "../../core/port/model.ts";
import type { StageSettings } from "../../infra/stages.ts";
import { startBedrock } from "../../local/bedrock/index.ts";
import { type Case, readCorpus } from "../../tests/corpus/read.ts";

/** The parts of an audit's result that are measured; `undefined` when the model gave no review. */
type JudgedDraft = {
  readonly verdict: Verdict;
  readonly score: number;
  readonly issues: readonly Issue[];
};

/** A draft with its audits: the first audit, and repeated audits that should reach the same verdict. */
export type CaseOutcome = Case & {
  readonly judged: JudgedDraft | undefined;
  readonly again: readonly (JudgedDraft | undefined)[];
};

export type Engine = {
  readonly name: string;
  /** Whether each draft is audited a third time, with other quotation marks, apostrophes and spaces. */
  readonly retypes: boolean;
  readonly reviewer: Reviewer<Reading>;
  readonly stop: () => Promise<void>;
};

const silence: Reading = {
  summary: "Nothing was read.",
  claims: [],
  teasers: [],
  calculations: [],
  findings: [],
};

/** An engine without a model, which measures what the rules find on their own. */
export const rulesAlone: Engine = {
  name: "rules alone",
  retypes: true,
  reviewer: { most: () => [], review: async () => ({ value: silence, engine: "silence", usage: [] }) },
  stop: async () => {},
};

/** The local stand-in for the model, which the real Bedrock client calls. */
export async function makeStandInEngine(): Promise<Engine> {
  const { endpoint, stop } = await startBedrock();
  const client = new BedrockRuntimeClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  return {
    name: "with the stand-in",
    retypes: true,
    reviewer: openReviewer({ client, modelId: "local.amazon.nova-stand-in-v1" }),
    async stop() {
      client.destroy();
      await stop();
    },
  };
}

/** The first model in the stage's settings. */
export function makeStageModel({
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
    retypes: false,
    reviewer: openReviewer({ client, modelId: model.inferenceProfile }, timeLimit),
    stop: async () => client.destroy(),
    async findCredentials() {
      try {
        await client.config.credentials();
      } catch (cause) {
        throw new Error("The model was not asked: there are no AWS credentials on this machine.", { cause });
      }
    },
  };
}

/** Audits every case twice, and then a third time with other quotation marks, apostrophes and spaces. */
export async function runCases(
  engine: Engine,
  cases: readonly Case[],
): Promise<{ readonly outcomes: readonly CaseOutcome[]; readonly usage: readonly ModelUsage[] }> {
  const usage: ModelUsage[] = [];
  const auditOnce = async (request: ReviewRequest): Promise<JudgedDraft | undefined> => {
    const asked: ModelAnswer<Reading> = await engine.reviewer.review(request);
    usage.push(...asked.usage);
    if (asked.failure !== undefined) return undefined;
    const review = makeReview(request.draft, asked.value);
    const issues = applyRules(request.draft, request.facts);
    return decide({ issues, review });
  };
  const outcomes = await mapConcurrently(cases, async (one): Promise<CaseOutcome> => {
    const { draft, facts } = one;
    const judged = await auditOnce({ draft, facts });
    const again = [await auditOnce({ draft, facts })];
    if (engine.retypes) again.push(await auditOnce({ draft: changeTypography(draft), facts }));
    return { ...one, judged, again };
  });
  return { outcomes, usage };
}

/** Returns the draft with typographic quotation marks, apostrophes and spaces. */
function changeTypography(draft: AuditDraft): AuditDraft {
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

async function mapConcurrently<From, To>(
  list: readonly From[],
  map: (entry: From) => Promise<To>,
): Promise<readonly To[]> {
  const results: To[] = [];
  // All workers take their cases from one iterator.
  const entries = list.entries();
  const runWorker = async () => {
    for (const [index, entry] of entries) results[index] = await map(entry);
  };
  await Promise.all(Array.from({ length: 4 }, runWorker));
  return results;
}

/** Drafts for tuning rules and prompts. `kind` is the check that names the fault which an editor would report first. */
export const tuning = readCases("tuning", "tuning-shelf");
/** Drafts for measuring only: do not read them before you change rules or prompts. */
export const measured = readCases("measured");

/**
 * A second corpus by another author. The corpus's faults are wrong sums, times, prices and sequences, which can be seen in the text.
 */
export const tuningFresh = readCases("second-tuning");
export const measuredFresh = readCases("second-measured");

/**
 * Drafts whose authors had seen neither the audit's rules nor the other corpora. The rules were tuned on the drafts in `development`. The
 * drafts in `fresh` were used for only one measurement.
 */
export const development = readCases("development");
export const fresh = readCases("fresh");

/**
 * Reads the cases of the given corpora. Leaves out drafts that no author wrote, and that only serve as the clean version of a faulty draft.
 */
function readCases(...corpora: readonly string[]): readonly Case[] {
  return corpora.flatMap(readCorpus).filter(({ isTwin }) => !isTwin);
}
