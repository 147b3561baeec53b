import { makeAccount } from "./aws/account.ts";
import { startAws } from "./aws/index.ts";
import { copyCheckout } from "./checkout.ts";
import { openShell } from "./shell.ts";
import { stepsOf } from "./steps.ts";

/** A step of the rehearsal, with what was seen or with what is wrong. */
export type Step = {
  readonly name: string;
  readonly seconds: number;
  readonly note: string;
  readonly fault?: string;
};

export type Rehearsal = {
  readonly stage: string;
  /** Without bundles, site and bootstrap, and with fewer steps: for the tests. */
  readonly isShort: boolean;
  /** Called with each step when it is over. */
  readonly report?: (step: Step) => void;
};

/**
 * Takes a stage from its first deployment to its removal with the documented commands, against stand-ins of AWS on this
 * machine that keep what they are given. Answers all steps, those with a fault too.
 */
export async function rehearse({ stage, isShort, report = () => {} }: Rehearsal): Promise<readonly Step[]> {
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
  const done: Step[] = [];
  try {
    for (const { name, run } of stepsOf(context)) {
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
