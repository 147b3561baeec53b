import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { bedrockReviewer } from "../../core/adapter/model/reviewer.ts";
import { type Reading, reviewOf } from "../../core/audit/reading.ts";
import { inspect } from "../../core/audit/rule/index.ts";
import type { AuditDraft, Issue, ReviewRequest, Verdict } from "../../core/audit/schema.ts";
import { decide } from "../../core/audit/store.ts";
import type { ModelAnswer, ModelUsage, Reviewer } from "../../core/port/model.ts";
import type { StageSettings } from "../../infra/stages.ts";
import { startBedrock } from "../../local/bedrock/index.ts";
import { type Case, readCorpus } from "../../tests/corpus/read.ts";

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

/** The drafts that rules and prompts are made with. Their kind is the first check that an editor would raise. */
export const tuning = casesOf("tuning", "tuning-shelf");
/** The drafts that are only measured: whoever writes rules or prompts does not read them. */
export const measured = casesOf("measured");

/** A second corpus by another author; its faults are wrong sums, times, prices and orders to a checker. */
export const tuningFresh = casesOf("second-tuning");
export const measuredFresh = casesOf("second-measured");

/** Drafts by authors who saw neither rules nor corpora: the rules were decided by the first, the second was run once. */
export const development = casesOf("development");
export const fresh = casesOf("fresh");

/** A twin that was written for its faulty draft alone is no draft of an author's, and is not measured. */
function casesOf(...corpora: readonly string[]): readonly Case[] {
  return corpora.flatMap(readCorpus).filter(({ isTwin }) => !isTwin);
}
