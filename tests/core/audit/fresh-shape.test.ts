import { expect, test } from "vitest";
import { SaveInput } from "../../../core/press/schema.ts";
import type { FreshFault } from "./corpus/fresh/form.ts";
import { held, tuning } from "./corpus/fresh/index.ts";
import { type CleanDraft, quotes } from "./corpus/measured/form.ts";

type Text = { headline: string; preview: string; body: string; publisherName: string };

/** Clean drafts, and faults in sums, dates, prices and orders. */
const numbers = { tuning: [69, 20, 8, 16, 11], held: [30, 15, 6, 6, 8] } as const;

for (const [half, { clean, faulty }, stated] of [
  ["tuning", tuning, numbers.tuning],
  ["held", held, numbers.held],
] as const) {
  test(`every clean draft of ${half} can be saved, and is of a stock with a quote`, () => {
    for (const draft of clean) {
      expect(saveable(draft.stock, { ...draft, publisherName: "Desk" }), draft.name).toBe(true);
      expect(quotes[draft.stock], draft.name).toBeDefined();
    }
    expect(new Set(clean.map(({ name }) => name)).size).toBe(clean.length);
  });

  test(`every faulty draft of ${half} can be saved and has its one fault`, () => {
    for (const fault of faulty) {
      const origin = clean.find(({ name }) => name === fault.of);
      if (origin === undefined) throw new Error(`${fault.name} is of no clean draft`);
      const before = fields(whole(origin));
      const text = planted(origin, fault);
      expect(saveable(origin.stock, text), fault.name).toBe(true);
      expect(fields(text).split(fault.excerpt), fault.name).toHaveLength(2);
      expect(before, fault.name).not.toContain(fault.excerpt);
    }
    expect(new Set(faulty.map(({ name }) => name)).size).toBe(faulty.length);
  });

  test(`${half} has the stated number of each kind`, () => {
    const count = (kind: FreshFault["kind"]) => faulty.filter((fault) => fault.kind === kind).length;
    const counts = (["arithmetic", "dates", "prices", "injections"] as const).map(count);
    expect([clean.length, ...counts]).toEqual(stated);
  });
}

function whole({ headline, preview, body }: CleanDraft): Text {
  return { headline, preview, body, publisherName: "Desk" };
}

function planted(origin: CleanDraft, fault: FreshFault): Text {
  const { headline = origin.headline, preview = origin.preview, publisherName = "Desk" } = fault;
  let text: Text = { headline, preview, body: origin.body, publisherName };
  for (const [old, now] of fault.replace ?? []) {
    expect(fields(text).split(old), `${fault.name}: ${old}`).toHaveLength(2);
    const swap = (field: string) => field.replace(old, () => now);
    text = {
      headline: swap(text.headline),
      preview: swap(text.preview),
      body: swap(text.body),
      publisherName: text.publisherName,
    };
  }
  return fault.add === undefined ? text : { ...text, body: `${text.body}\n\n${fault.add}` };
}

function fields({ headline, preview, body, publisherName }: Text): string {
  return [publisherName, headline, preview, body].join("\n");
}

function saveable(stock: string, { headline, preview, body, publisherName }: Text): boolean {
  const read = SaveInput.safeParse({ headline, preview, body, publisherName, stock, priceUsdg: 1 });
  if (!read.success) console.error(headline, read.error.issues);
  return read.success;
}
