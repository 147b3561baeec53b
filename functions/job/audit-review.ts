import { Evidence } from "../../core/audit/schema.ts";
import { step } from "../../core/audit/step.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = step(Evidence, async ({ draft, facts }) => {
  const reviewer = runtime.reviewer();
  return { review: await reviewer.review({ draft, facts }), engine: reviewer.engine };
});
