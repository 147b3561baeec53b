import * as z from "zod";
import * as Audit from "../../core/audit/index.ts";
import { AuditInput, DisputeInput } from "../../core/audit/schema.ts";
import * as Verdict from "../../core/verdict/index.ts";
import { makeHandler, makeWalletHandler } from "../lib/endpoint.ts";
import { addLogFields } from "../lib/log.ts";
import { logMetrics } from "../lib/meter.ts";
import { isOutage, isPostponed, makeJson, makeText, passing } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const audit = makeWalletHandler("press-audit", AuditInput, async ({ body, caller }) => {
  addLogFields({ press: body.id });
  const ports = {
    ...runtime.makeTablePorts(),
    settings: runtime.readSettings(),
    workflow: runtime.auditWorkflow(),
  };
  const audited = await Audit.run(ports, { id: body.id, wallet: caller.wallet }).catch((error: unknown) => {
    if (isOutage(error) && !isPostponed(error)) logMetrics({ AuditEnded: 1 }, { outcome: "outage" });
    throw error;
  });
  logMetrics({ AuditEnded: 1 }, { outcome: audited.audit.verdict });
  return makeJson(audited);
});

export const dispute = makeWalletHandler("press-dispute", DisputeInput, async ({ body, caller }) => {
  addLogFields({ press: body.id });
  const ports = runtime.makeTablePorts();
  return makeJson(await Audit.disputeFinding(ports, caller.wallet, body));
});

/**
 * Answers with the report's bytes exactly as they are stored, because the auditor's onchain verdict contains the hash of these bytes. The
 * answer is cached only briefly until the verdict is on the chain, which happens shortly after the press goes live.
 */
export const report = makeHandler("audit-report", z.undefined(), async ({ path }) => {
  const { text, final } = await Verdict.readPublishedReport({ table: runtime.table() }, path.id);
  return makeText("application/json", text, { headers: final ? {} : passing });
});
