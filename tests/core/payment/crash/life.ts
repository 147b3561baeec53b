import * as z from "zod";
import { pay, reconcile } from "../../../../core/payment/index.ts";
import { openPlace, Place } from "./place.ts";
import type { Visit } from "./watch.ts";

/** The work that a process does. */
const Act = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("pay"),
    leg: z.enum(["fee", "publisher"]),
    pressId: z.number(),
    header: z.string(),
  }),
  z.object({ kind: z.literal("reconcile") }),
]);

/** The work of a process, and the ports and settings with which it runs. */
export const Life = z.object({ place: Place, act: Act });
export type Life = z.infer<typeof Life>;

/** The point where a process dies: before or after which step, and at which repeat of the step. */
export const Point = z.object({
  step: z.string(),
  visit: z.number(),
  moment: z.enum(["before", "unanswered", "after"]),
});
export type Point = z.infer<typeof Point>;

/** The message to a process that will die: the concurrent pieces of work, and the point where each piece ends. */
export const Doom = z.array(z.object({ life: Life, point: Point }));
export type Doom = z.infer<typeof Doom>;

/** Pays or reconciles with the given ports and settings. */
export async function runLife({ place, act }: Life): Promise<unknown> {
  const ports = openPlace(place);
  return act.kind === "pay" ? pay(ports, act) : reconcile(ports);
}

/**
 * Lets steps pass until the point where this piece of work stops for ever, and calls `stopped` there. All later steps of the work stop too;
 * other work of the process may go on.
 */
export function stopAt({ step, visit, moment }: Point, stopped: () => void): Visit {
  let visits = 0;
  let dead = false;
  const forEver = (): Promise<never> => {
    dead = true;
    stopped();
    return new Promise(() => {});
  };
  return async (name, run, unanswered) => {
    if (dead) return new Promise(() => {});
    if (name !== step) return run();
    visits += 1;
    if (visits !== visit) return run();
    if (moment === "before") return forEver();
    await (moment === "unanswered" && unanswered !== undefined ? unanswered() : run());
    return forEver();
  };
}
