import { type IMetric, MathExpression, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Function as AnyLambda } from "aws-cdk-lib/aws-lambda";
import type { Function as Lambda } from "sst/constructs";
import { type Job, jobs } from "../functions/jobs.ts";
import { type Route, routes } from "../functions/routes.ts";
import { minutes } from "./measured.ts";
import { functionsOf, type Trouble, type Watched } from "./trouble.ts";

type Row = Route | Job;

/** Functions that fail for the same reasons and are looked after together. */
type Concern = "payments" | "audit" | "work" | "publishing" | "sessions" | "reading" | "documents";

/** What a row is about, by what it says of itself. */
function concernOf(row: Row): Concern {
  if (row.touches.some((touch) => touch.startsWith("relayers:"))) return "payments";
  if ("trigger" in row) return row.trigger.kind === "step" ? "audit" : "work";
  if (row.caller === "publisher") return "publishing";
  if (row.caller === "site" || row.caller === "session") return "sessions";
  return row.path.startsWith("/api/") ? "reading" : "documents";
}

/** An alarm takes ten metrics and ten expressions at most: one for each function, and one over all of them. */
const mostTogether = 9;

/** What can go wrong with functions, a concern at a time, and with what the clock starts. */
export function functionTroubles(watched: Watched): readonly Trouble[] {
  const functions = functionsOf(watched);
  const rows: readonly Row[] = [...routes, ...jobs];
  const members = rows.map((row) => ({ row, made: madeOf(functions, row) }));
  const concerns = Map.groupBy(members, ({ row }) => concernOf(row));
  return [
    ...[...concerns].flatMap(([concern, all]) =>
      parts(all).flatMap((some, index) => usual(index === 0 ? concern : `${concern}-${index + 1}`, some)),
    ),
    throttled,
    ...members.flatMap(ofClock),
  ];
}

type Member = { readonly row: Row; readonly made: Lambda };

function usual(name: string, members: readonly Member[]): readonly Trouble[] {
  const ids = members.map(({ row }) => row.id).join(", ");
  return [
    {
      name: `${name}-errors`,
      entry: "functions-errors",
      meaning: `Functions crashed or ran out of time, and their calls got no answer of their own: ${ids}.`,
      metric: together(
        "SUM",
        members.map(({ made }) => made.metricErrors(minutes(5))),
        "errors",
      ),
      limit: { above: 2 },
      periods: 1,
    },
    {
      name: `${name}-slow`,
      entry: "functions-slow",
      meaning: `One call in a hundred of a function takes more than four fifths of its time limit: ${ids}.`,
      metric: together("MAX", members.map(share), "p99, % of the time limit"),
      limit: { above: 80 },
      periods: 3,
    },
  ];
}

/** How much of its time a function's slowest hundredth takes, in percent. */
function share({ row, made }: Member): IMetric {
  const p99 = made.metricDuration({ ...minutes(5), statistic: Stats.percentile(99) });
  const term = termOf(row.id);
  return new MathExpression({
    expression: `100 * ${term} / ${row.timeoutSeconds * 1000}`,
    usingMetrics: { [term]: p99 },
    ...minutes(5),
  });
}

/** The account's, which is what runs out: AWS counts it over all functions. */
const throttled: Trouble = {
  name: "functions-throttled",
  meaning: "Functions were refused a place to run: the account's concurrency is used up.",
  metric: AnyLambda.metricAllThrottles(minutes(5)),
  limit: { above: 0 },
  periods: 1,
};

function ofClock({ row, made }: Member): readonly Trouble[] {
  if (!("trigger" in row) || row.trigger.kind !== "schedule") return [];
  return [
    {
      name: `${row.id}-stopped`,
      entry: "stopped",
      meaning: `${row.id} has not been started three times over: what it does stays undone.`,
      metric: made.metricInvocations(minutes(3 * row.trigger.everyMinutes)),
      limit: { below: 1 },
      periods: 1,
    },
  ];
}

function together(how: "SUM" | "MAX", all: readonly IMetric[], label: string): IMetric {
  const terms = all.map((metric, index) => [`m${index}`, metric] as const);
  return new MathExpression({
    expression: `${how}([${terms.map(([term]) => term).join(", ")}])`,
    usingMetrics: Object.fromEntries(terms),
    label,
    ...minutes(5),
  });
}

/** An id as the terms of an expression may be called. */
function termOf(id: string): string {
  return `d_${id.replaceAll("-", "_")}`;
}

function parts<Item>(all: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(all.length / mostTogether);
  return Array.from({ length: count }, (_, part) =>
    all.slice(part * mostTogether, (part + 1) * mostTogether),
  );
}

function madeOf(functions: ReadonlyMap<Row["id"], Lambda>, { id }: Row): Lambda {
  const made = functions.get(id);
  if (made === undefined) throw new Error(`No function was made for ${id}`);
  return made;
}
