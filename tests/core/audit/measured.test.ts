import { describe, expect, test } from "vitest";
import { SaveInput } from "../../../core/press/schema.ts";
import { cleanEssays } from "./corpus/measured/clean-essays.ts";
import { cleanReports } from "./corpus/measured/clean-reports.ts";
import { faults } from "./corpus/measured/faults.ts";
import { type CleanDraft, type FaultyDraft, quotes } from "./corpus/measured/form.ts";

/**
 * That the part of the corpus that is only measured is sound: each draft could be saved, and each fault is really planted.
 * Names alone are printed, for whoever writes rules must not read it.
 */
const clean = [...cleanReports, ...cleanEssays];
const byName = new Map(clean.map((draft) => [draft.name, draft]));

function cleanOf({ of }: FaultyDraft): CleanDraft {
  const found = byName.get(of);
  if (found === undefined) throw new Error(`There is no clean draft ${of}`);
  return found;
}

function planted(fault: FaultyDraft) {
  const { headline, preview, body, stock } = cleanOf(fault);
  const texts = { headline: fault.headline ?? headline, preview: fault.preview ?? preview, body };
  const missed = (fault.replace ?? []).filter(
    ([old]) => Object.values(texts).join("\n").split(old).length !== 2,
  );
  const change = (text: string) =>
    (fault.replace ?? []).reduce((changed, [old, young]) => changed.replace(old, () => young), text);
  const added = fault.add === undefined ? "" : `\n\n${fault.add}`;
  return {
    stock,
    missed: missed.length,
    headline: change(texts.headline),
    preview: change(texts.preview),
    body: `${change(texts.body)}${added}`,
  };
}

function savable({
  headline,
  preview,
  body,
  stock,
}: Pick<CleanDraft, "headline" | "preview" | "body" | "stock">) {
  const saved = { headline, preview, body, stock, priceUsdg: 0.25, publisherName: "The Measured Desk" };
  return SaveInput.safeParse(saved).error?.issues.map(({ path }) => path.join(".")) ?? [];
}

test("every draft has a name of its own and a stock with a quote", () => {
  const names = [...clean, ...faults].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(clean.filter(({ stock }) => !(stock in quotes)).map(({ name }) => name)).toEqual([]);
  expect(clean.length).toBeGreaterThan(40);
  expect(faults.length).toBeGreaterThan(55);
});

describe("each could be saved", () => {
  test.each([...clean])("clean: $name", (draft) => {
    expect(savable(draft)).toEqual([]);
  });

  test.each([...faults])("with a fault: $name", (fault) => {
    const { missed, ...draft } = planted(fault);
    expect(savable(draft)).toEqual([]);
    expect(missed).toBe(0);
    const { headline, preview, body } = cleanOf(fault);
    const isAsItWas = draft.headline === headline && draft.preview === preview && draft.body === body;
    const isElsewhere = fault.publisherName ?? fault.holds ?? fault.copyOf;
    expect(isAsItWas && isElsewhere === undefined).toBe(false);
  });
});
