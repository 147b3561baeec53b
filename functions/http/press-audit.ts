import * as Audit from "../../core/audit/index.ts";
import { AuditInput } from "../../core/audit/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("press-audit", AuditInput, async ({ body, caller }) =>
  json(
    await Audit.run(
      {
        table: runtime.table(),
        clock: runtime.clock,
        ids: runtime.ids,
        settings: runtime.settings(),
        workflow: runtime.auditWorkflow(),
      },
      { id: body.id, wallet: caller.wallet },
    ),
  ),
);
