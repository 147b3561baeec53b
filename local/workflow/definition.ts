import { StateMachine, type StateMachineDefinition } from "aws-local-stepfunctions";
import * as z from "zod";

/** Longest that an Express execution runs on AWS, in seconds. */
const EXPRESS_SECONDS = 300;

/** Fields that the interpreter ignores without a word, though AWS obeys them. */
const UNSUPPORTED = [
  "Assign",
  "HeartbeatSeconds",
  "HeartbeatSecondsPath",
  "Arguments",
  "Output",
  "Items",
  "Credentials",
  "ItemReader",
  "ItemBatcher",
  "ResultWriter",
  "ToleratedFailureCount",
  "ToleratedFailurePercentage",
] as const;

const state = z.looseObject({ Type: z.string() });
type State = z.output<typeof state>;
const machine = z.looseObject({
  StartAt: z.string(),
  States: z.record(z.string(), state),
  TimeoutSeconds: z.int().positive().default(EXPRESS_SECONDS),
});
const definition = z.custom<StateMachineDefinition>((value) => machine.safeParse(value).success);

export type Workflow = {
  readonly machine: StateMachine;
  /** Which resource each Task state calls. */
  readonly resources: ReadonlyMap<string, string>;
  /** Time limit of an execution; the caller has to hold it. */
  readonly limitSeconds: number;
};

/**
 * Loads a state machine in the Amazon States Language for execution here.
 *
 * Throws, naming every reason, for a definition that is not valid, that calls a resource outside `known`, or that
 * would run differently here than on AWS: JSONata, variables, heartbeats, distributed maps. A machine runs at most
 * 300 s, as Express workflows do; a Task state without a limit of its own at most 60 s (the interpreter's default).
 * A definition that a test has found valid already `isValid`: the check compiles the language's schema, for 0.2 s.
 */
export function loadWorkflow(source: unknown, known: ReadonlySet<string>, isValid = false): Workflow {
  const states = allStates(source);
  const resources = new Map(
    states.filter(([, { Type }]) => Type === "Task").map(([name, { Resource }]) => [name, String(Resource)]),
  );
  const problems = [
    ...languageProblems("The machine", source),
    ...states.flatMap(([name, one]) => stateProblems(name, one)),
    ...duplicates(states.map(([name]) => name)).map((name) => `Two states are called ${name}.`),
    ...[...resources]
      .filter(([, resource]) => !known.has(resource))
      .map(([name, resource]) => `State ${name} calls ${resource}, for which no task is given.`),
  ];
  if (problems.length > 0) throw new Error(`The workflow cannot run here:\n${problems.join("\n")}`);
  // The interpreter's own time limit would let a state that waits for its retry run once more.
  const { TimeoutSeconds, ...unlimited } = machine.parse(source);
  return {
    // Resources are checked above, against what is there to run; they need not look like ARNs.
    machine: new StateMachine(definition.parse(unlimited), {
      validationOptions: { checkArn: false, noValidate: isValid },
    }),
    resources,
    limitSeconds: Math.min(TimeoutSeconds, EXPRESS_SECONDS),
  };
}

/** The states of a machine and of the machines inside its Parallel and Map states. */
function allStates(source: unknown): readonly (readonly [string, State])[] {
  return Object.entries(machine.parse(source).States).flatMap(([name, one]) => {
    const branches = z.array(z.unknown()).default([]).parse(one.Branches);
    const inner = [...branches, one.Iterator, one.ItemProcessor].filter((nested) => nested !== undefined);
    return [[name, one] as const, ...inner.flatMap(allStates)];
  });
}

function stateProblems(name: string, one: State): readonly string[] {
  const where = `State ${name}`;
  const nested = z.array(z.looseObject({})).default([]);
  const parts = [one, ...nested.parse(one.Catch), ...nested.parse(one.Choices)];
  const used = UNSUPPORTED.filter((field) => parts.some((part) => field in part));
  const emptyResult = one.Type === "Pass" && "Result" in one && !one.Result;
  const inner = JSON.stringify([one.Branches, one.Iterator, one.ItemProcessor]);
  return [
    ...languageProblems(where, one),
    ...used.map((field) => `${where} uses ${field}, which would be ignored.`),
    ...(emptyResult ? [`${where} has an empty Result, which would be ignored.`] : []),
    ...(inner.includes("$$.Execution.Input")
      ? [`${where} would see its own input as $$.Execution.Input.`]
      : []),
  ];
}

function languageProblems(where: string, source: unknown): readonly string[] {
  const language = z
    .looseObject({ QueryLanguage: z.string().default("JSONPath") })
    .parse(source).QueryLanguage;
  return language === "JSONPath" ? [] : [`${where} is in ${language}; only JSONPath runs.`];
}

function duplicates(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
