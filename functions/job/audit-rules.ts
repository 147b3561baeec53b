import * as Audit from "../../core/audit/index.ts";
import { Evidence } from "../../core/audit/schema.ts";
import { step } from "../../core/audit/step.ts";

export const handler = step(Evidence, ({ draft, facts }) => ({ issues: Audit.inspect(draft, facts) }));
