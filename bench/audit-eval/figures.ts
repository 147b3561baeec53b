import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod";
import { Figures } from "../../web/src/how/figures.ts";
import type { Measures } from "./measure.ts";

type Stored = z.output<typeof Figures>;

/** Where the site's page about the audit finds them. */
const path = join(import.meta.dirname, "..", "..", "web", "src", "how", "figures.json");

const three = (part: number) => Number(part.toFixed(3));

/** What the site tells of measures. */
export function figuresOf({ kinds, ...measures }: Measures): Stored["rules"] {
  const { faulty, clean, stopped, falseStops, precision, recall, flips } = measures;
  return {
    faulty,
    clean,
    stopped,
    falseStops,
    precision: three(precision),
    recall: three(recall),
    flips,
    kinds: kinds.map(({ kind, drafts, stopped: caught }) => ({ kind, drafts, stopped: caught })),
  };
}

/** Writes them for the site; a model's from before stay where it was not asked again. */
export async function writeFigures(
  rules: Measures,
  model: { readonly name: string; readonly measures: Measures } | undefined,
): Promise<void> {
  const before = Figures.parse(JSON.parse(await readFile(path, "utf8")));
  const { kinds: _, ...asked } = model === undefined ? { kinds: [] } : figuresOf(model.measures);
  const stored = model === undefined ? before.model : { name: model.name, ...asked };
  const figures = Figures.parse({ rules: figuresOf(rules), ...(stored !== undefined && { model: stored }) });
  await writeFile(path, `${JSON.stringify(figures, undefined, 2)}\n`);
}
