import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as Lambda } from "sst/constructs";
import { type Job, jobs } from "../functions/jobs.ts";
import { type Route, routes } from "../functions/routes.ts";
import { functionsOf, minutes, type Trouble, type Watched } from "./trouble.ts";

/** What can go wrong with any function, and with what the clock starts. */
export function functionTroubles(watched: Watched): readonly Trouble[] {
  const functions = functionsOf(watched);
  const rows: readonly (Route | Job)[] = [...routes, ...jobs];
  return rows.flatMap((row) => {
    const made = functions.get(row.id);
    if (made === undefined) throw new Error(`No function was made for ${row.id}`);
    return [...usual(row, made), ...("trigger" in row ? ofClock(row, made) : [])];
  });
}

function usual({ id, timeoutSeconds }: Route | Job, made: Lambda): readonly Trouble[] {
  return [
    {
      name: `${id}-errors`,
      meaning: `${id} crashed or ran out of time: such calls leave no answer of its own.`,
      metric: made.metricErrors(minutes(5)),
      limit: { above: 2 },
      periods: 1,
    },
    {
      name: `${id}-throttles`,
      meaning: `${id} was refused a place to run: the account's concurrency is used up.`,
      metric: made.metricThrottles(minutes(5)),
      limit: { above: 0 },
      periods: 1,
    },
    {
      name: `${id}-slow`,
      meaning: `One in a hundred calls of ${id} takes more than four fifths of its ${timeoutSeconds} s.`,
      metric: made.metricDuration({ ...minutes(5), statistic: Stats.percentile(99) }),
      limit: { above: timeoutSeconds * 800 },
      periods: 3,
    },
  ];
}

function ofClock({ id, trigger }: Job, made: Lambda): readonly Trouble[] {
  if (trigger.kind !== "schedule") return [];
  return [
    {
      name: `${id}-stopped`,
      meaning: `${id} has not been started three times over: what it finishes stays unfinished.`,
      metric: made.metricInvocations(minutes(3 * trigger.everyMinutes)),
      limit: { below: 1 },
      periods: 1,
    },
  ];
}
