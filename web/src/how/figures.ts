import * as z from "zod";
import stored from "./figures.json" with { type: "json" };

const Part = {
  faulty: z.int(),
  clean: z.int(),
  stopped: z.int(),
  falseStops: z.int(),
  precision: z.number(),
  recall: z.number(),
  flips: z.int(),
};

/** What `npm run audit:eval -- --write` has measured on the parts of the corpus that are only measured. */
export const Figures = z.object({
  rules: z.object({
    ...Part,
    kinds: z.array(z.object({ kind: z.string(), label: z.string(), drafts: z.int(), stopped: z.int() })),
  }),
  /** Once the stage's model has been asked. */
  model: z.object({ name: z.string(), ...Part }).optional(),
});

export const figures = Figures.parse(stored);
