import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../../../core/error.ts";
import { type PayOutcome, pay, reconcile } from "../../../../core/payment/index.ts";
import { roughSeed } from "../../../support/rough.ts";
import { openPlace } from "./place.ts";
import type { Case } from "./world.ts";

/** The milliseconds after which a payer repeats a request that was answered 503: longer than a lease lasts. */
const untilAgain = 35_000;

/** The milliseconds before each run of the reconciler, including the first run. */
const everyMinute = 61_000;

const tries = 4;

/** The payer repeats the request, at once or when a lease has expired, as long as the answer is 503. */
export async function comeBack(
  { place, leg, pressId }: Case,
  header: () => Promise<string>,
  atOnce: boolean,
): Promise<PayOutcome | "already_unlocked"> {
  const answers: unknown[] = [];
  for (let attempt = atOnce ? 0 : 1; attempt <= tries; attempt += 1) {
    const ports = openPlace({ ...place, ahead: place.ahead + attempt * untilAgain });
    try {
      return await pay(ports, { leg, pressId, header: await header() });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "already_unlocked") return error.code;
      if (error.kind !== "upstream") throw error;
      answers.push(error);
    }
  }
  throw new AggregateError(answers, "The payer was sent away every time");
}

/** Runs the reconciler every minute until no payment is under way. */
export async function reconcileAll({ place }: Case): Promise<void> {
  for (let minute = 1; minute <= tries; minute += 1) {
    const { pending, unknown } = await reconcile(
      openPlace({ ...place, ahead: place.ahead + minute * everyMinute }),
    );
    if (pending === 0 && unknown === 0) return;
    // Waits in real time for a block with the transactions that the reconciler sent again, and for the lag of an unreliable node.
    await delay(roughSeed === undefined ? 50 : 400);
  }
  throw new Error(`Something is under way after ${tries} runs`);
}
