import { type App, Stack } from "sst/constructs";
import { apiStack } from "./api.ts";
import { auditStack } from "./audit.ts";
import { jobsStack } from "./jobs.ts";
import { reservedFault, type StageSettings } from "./stages.ts";
import { storageStack } from "./storage.ts";
import { watchStack } from "./watch/index.ts";
import { webStack } from "./web.ts";

/**
 * All stacks of a stage, in the order in which they come to stand: what each needs is handed to it.
 * `siteFolder` holds the built site. Throws an Error where the settings cannot be deployed in one account.
 */
export function addStacks(app: App, settings: StageSettings, siteFolder: string): void {
  const fault = reservedFault(settings, settings.quotas.concurrency);
  if (fault !== undefined) throw new Error(`infra/stages.ts does not fit its quota: ${fault}`);
  const stored = storageStack(new Stack(app, "storage"), settings);
  const web = webStack(new Stack(app, "web"), settings, siteFolder);
  const context = { ...stored, settings, origin: web.origin, files: web.files };
  const audit = auditStack(new Stack(app, "audit"), context);
  const work = jobsStack(new Stack(app, "jobs"), context);
  const api = new Stack(app, "api");
  const endpoints = apiStack(api, { ...context, audit: audit.machine, queues: work.queues }, web);
  api.addOutputs({ Site: web.origin });
  watchStack(new Stack(app, "watch"), settings, { stored, web, audit, work, endpoints });
}
