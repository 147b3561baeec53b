import * as Audit from "../../core/audit/index.ts";
import { AuditInput } from "../../core/audit/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { follow } from "../lib/log.ts";
import { measure } from "../lib/meter.ts";
import { isOutage, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("press-audit", AuditInput, async ({ body, caller }) => {
  follow({ press: body.id });
  const ports = {
    table: runtime.table(),
    clock: runtime.clock,
    ids: runtime.ids,
    settings: runtime.settings(),
    workflow: runtime.auditWorkflow(),
  };
  const audited = await Audit.run(ports, { id: body.id, wallet: caller.wallet }).catch((error: unknown) => {
    if (isOutage(error)) measure({ AuditEnded: 1 }, { outcome: "outage" });
    throw error;
  });
  measure({ AuditEnded: 1 }, { outcome: audited.audit.verdict });
  return json(audited);
});
