import * as Audit from "../../core/audit/index.ts";
import { Findings } from "../../core/audit/schema.ts";
import { step } from "../../core/audit/step.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = step(Findings, async (findings) => {
  const { verdict, score } = await Audit.store({ table: runtime.table(), clock: runtime.clock }, findings);
  return { verdict, score };
});
