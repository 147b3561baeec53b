import { Evidence } from "../../core/audit/schema.ts";
import { machineStep } from "../lib/job.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = machineStep("audit-review", Evidence, async ({ draft, facts }) => {
  const reviewer = runtime.reviewer();
  return { review: await reviewer.review({ draft, facts }), engine: reviewer.engine };
});
