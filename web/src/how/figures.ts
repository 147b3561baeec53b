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

/** The results that `npm run audit:eval -- --write` measured on the corpus of drafts. */
export const Figures = z.object({
  rules: z.object({
    ...Part,
    kinds: z.array(z.object({ kind: z.string(), label: z.string(), drafts: z.int(), stopped: z.int() })),
  }),
  /** The results of the stage's model; `undefined` until the model has been measured. */
  model: z.object({ name: z.string(), ...Part }).optional(),
});

export const figures = Figures.parse(stored);
