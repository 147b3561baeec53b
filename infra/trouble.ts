import type { IMetric } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as Lambda } from "sst/constructs";
import type { Job } from "../functions/jobs.ts";
import type { Route } from "../functions/routes.ts";
import type { Audit } from "./audit.ts";
import type { Work } from "./jobs.ts";
import type { Stored } from "./storage.ts";
import type { Web } from "./web.ts";

/** Everything of a stage that can be looked at. */
export type Watched = {
  readonly stored: Stored;
  readonly web: Web;
  readonly audit: Audit;
  readonly work: Work;
  readonly endpoints: ReadonlyMap<Route["id"], Lambda>;
};

/** Trouble that somebody is told of. */
export type Trouble = {
  readonly name: string;
  /** The title of its entry in the runbook, where several share one: their name otherwise. */
  readonly entry?: string;
  /** What is the matter, for whoever is woken by it. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** Beyond it, `periods` times in a row, it is trouble. Silence is trouble where something must happen. */
  readonly limit: { readonly above: number } | { readonly below: number };
  readonly periods: number;
};

/** All functions of a stage, by the ids of their rows. */
export function functionsOf({ endpoints, audit, work }: Watched): ReadonlyMap<(Route | Job)["id"], Lambda> {
  return new Map([...endpoints, ...audit.steps, ...work.workers]);
}
