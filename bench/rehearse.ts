import { parseArgs } from "node:util";
import { makeAccount } from "./rehearsal/aws/account.ts";
import { startAws } from "./rehearsal/aws/index.ts";
import { copyCheckout, openShell } from "./rehearsal/stage.ts";
import { listSteps } from "./rehearsal/steps.ts";

/** A finished step of the rehearsal, with what was observed or what went wrong. */
export type RehearsalStep = {
  readonly name: string;
  readonly seconds: number;
  readonly note: string;
  readonly fault?: string;
};

export type Rehearsal = {
  readonly stage: string;
  /** The short rehearsal skips the bundles, the site, the bootstrap and the long steps. The tests use the short rehearsal. */
  readonly isShort: boolean;
  /** The function that is called with each finished step. */
  readonly report?: (step: RehearsalStep) => void;
};

/**
 * Takes a stage from its first deployment to its removal with the documented commands. The commands run against stand-ins of AWS on this
 * machine, which keep their state between the commands. Returns all steps, including failed steps.
 */
export async function rehearse({
  stage,
  isShort,
  report = () => {},
}: Rehearsal): Promise<readonly RehearsalStep[]> {
  const account = makeAccount("123456789012", "us-east-1");
  if (!isShort) account.operationMs = 500;
  const checkout = copyCheckout(stage, isShort);
  const aws = await startAws(account);
  const shell = openShell(checkout, aws.endpoint);
  const leave = () => {
    shell.close();
    checkout.remove();
  };
  process.once("exit", leave);
  const context = { account, checkout, shell, stage, endpoint: aws.endpoint, isShort };
  const done: RehearsalStep[] = [];
  try {
    for (const { name, run } of listSteps(context)) {
      const started = performance.now();
      const outcome = await run().then(
        (note) => ({ note }),
        (error: unknown) => ({ note: "", fault: error instanceof Error ? error.message : String(error) }),
      );
      const step = { name, seconds: (performance.now() - started) / 1000, ...outcome };
      done.push(step);
      report(step);
    }
    return done;
  } finally {
    process.off("exit", leave);
    leave();
    await aws.stop();
  }
}

if (import.meta.main) await run();

/**
 * `npm run rehearse -- --stage dev` runs the documented commands from the first deployment of a stage to its removal, against stand-ins of
 * AWS on this machine. The rehearsal needs no AWS account. The command prints a table of the steps, and exits with 1 if a step failed.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({ options: { stage: { type: "string", default: "dev" } } });
  // An interrupted rehearsal must leave neither processes nor files.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const steps = await rehearse({
    stage: values.stage,
    isShort: false,
    report: ({ name, fault, seconds }) => {
      console.log(`${fault === undefined ? "ok  " : "FAIL"} ${seconds.toFixed(0).padStart(4)} s  ${name}`);
      if (fault !== undefined) console.log(fault);
    },
  });

  const failures = steps.filter(({ fault }) => fault !== undefined).length;
  const width = Math.max(...steps.map(({ name }) => name.length));
  console.log(`\nThe stage ${values.stage}, rehearsed:`);
  for (const { name, note, fault } of steps) {
    console.log(`${fault === undefined ? "ok  " : "FAIL"}  ${name.padEnd(width)}  ${note}`);
  }
  console.log(`\n${steps.length} steps, ${failures} failures`);
  if (failures > 0) process.exitCode = 1;
}
