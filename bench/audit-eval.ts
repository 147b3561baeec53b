import { parseArgs } from "node:util";
import { findSettings } from "../infra/stages.ts";
import {
  development,
  type Engine,
  fresh,
  makeStageModel,
  makeStandInEngine,
  measured,
  measuredFresh,
  rulesAlone,
  runCases,
  tuning,
  tuningFresh,
} from "./audit-eval/engine.ts";
import {
  computeCost,
  computeMeasures,
  estimateCost,
  formatKinds,
  formatMistakes,
  formatOverview,
  type Measures,
  writeFigures,
} from "./audit-eval/measure.ts";

/**
 * `npm run audit:eval` measures how many faulty drafts and how many clean drafts the audit stops.
 *
 * The report shows two parts of the corpus separately: the part for tuning rules and prompts, and the part that is only measured. Prints
 * Markdown. `--model` also asks the model that `--stage` uses. To ask the model, the command needs AWS credentials and the flag `--yes`,
 * which accepts the printed cost. `--write` puts the numbers of the corpus's measured part on the site's page about the audit.
 * `--rules-only` measures the rules alone, without the local stand-in for the model. `--show-measured` lists the mistakes on the measured
 * part of the corpus; after reading this list, do not change rules or prompts.
 */
const { values } = parseArgs({
  options: {
    stage: { type: "string", default: "prod" },
    model: { type: "boolean", default: false },
    "rules-only": { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    yes: { type: "boolean", default: false },
    "show-measured": { type: "boolean", default: false },
  },
});
const parts = [
  { name: "The tuning part", cases: tuning, isMeasured: false },
  { name: "The second tuning part", cases: tuningFresh, isMeasured: false },
  { name: "The measured part", cases: measured, isMeasured: true },
  { name: "The second measured part", cases: measuredFresh, isMeasured: true },
  { name: "The development part", cases: development, isMeasured: false },
  { name: "The fresh part", cases: fresh, isMeasured: true },
] as const;

const asked = values.model ? [await makeRealModel()] : [];
const engines = [rulesAlone, ...(values["rules-only"] ? [] : [await makeStandInEngine()]), ...asked];
try {
  const results = new Map<string, { readonly name: string; readonly measures: Measures }[]>();
  for (const engine of engines) {
    for (const part of parts) {
      const { outcomes, usage } = await runCases(engine, part.cases);
      const measures = computeMeasures(outcomes);
      results.set(part.name, [...(results.get(part.name) ?? []), { name: engine.name, measures }]);
      console.log(`\n## ${part.name}, ${engine.name}\n\n${formatKinds(measures)}`);
      if (!part.isMeasured || values["show-measured"]) console.log(`\n${formatMistakes(outcomes)}`);
      if (engine !== rulesAlone) console.log(`\nTokens: ${describeTokens(usage)}.`);
    }
  }
  for (const { name, cases } of parts) {
    console.log(`\n# ${name}: ${cases.length} drafts\n\n${formatOverview(results.get(name) ?? [])}`);
  }
  const [rules, ...others] = results.get("The fresh part") ?? [];
  if (values.write && rules !== undefined)
    await writeFigures(rules.measures, values.model ? others.at(-1) : undefined);
} finally {
  await Promise.all(engines.map(({ stop }) => stop()));
}

async function makeRealModel(): Promise<Engine> {
  const settings = findSettings(values.stage);
  const engine = makeStageModel(settings);
  const cases = parts.flatMap((part) => part.cases);
  const { usual, most } = estimateCost(engine.reviewer, cases, 2, settings.model.prices);
  console.log(
    `Asking ${settings.model.name} twice about ${cases.length} drafts usually costs about ${formatUsd(usual)}, and at most ${formatUsd(most)}.`,
  );
  if (!values.yes) throw new Error("The model was not asked. Add --yes to accept the cost.");
  await engine.findCredentials();
  return engine;
}

function describeTokens(usage: Parameters<typeof computeCost>[0]): string {
  const formatSum = (field: "inputTokens" | "outputTokens") =>
    usage.reduce((total, one) => total + one[field], 0).toLocaleString("en-US");
  const cost = formatUsd(computeCost(usage, findSettings(values.stage).model.prices));
  return `${usage.length} calls, ${formatSum("inputTokens")} read and ${formatSum("outputTokens")} written, ${cost} at the stage's list prices`;
}

function formatUsd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
