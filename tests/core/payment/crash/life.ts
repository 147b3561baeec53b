import * as z from "zod";
import { pay, reconcile } from "../../../../core/payment/index.ts";
import { openPlace, Place } from "./place.ts";
import type { Visit } from "./watch.ts";

/** What a process is at. */
const Act = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("pay"),
    leg: z.enum(["fee", "publisher"]),
    pressId: z.number(),
    header: z.string(),
  }),
  z.object({ kind: z.literal("reconcile") }),
]);

/** A place, and what happens there. */
export const Life = z.object({ place: Place, act: Act });
export type Life = z.infer<typeof Life>;

/** Where a process dies: at which visit of which step, on which side of it. */
export const Point = z.object({
  step: z.string(),
  visit: z.number(),
  moment: z.enum(["before", "unanswered", "after"]),
});
export type Point = z.infer<typeof Point>;

/** What a doomed process is told: the lives that it leads at once, each of which ends at its point. */
export const Doom = z.array(z.object({ life: Life, point: Point }));
export type Doom = z.infer<typeof Doom>;

/** Pays, or reconciles, at a place. */
export async function live({ place, act }: Life): Promise<unknown> {
  const ports = openPlace(place);
  return act.kind === "pay" ? pay(ports, act) : reconcile(ports);
}

/**
 * Sees steps go by until the point where everything stops for ever; calls `stopped` there. What the life does beside that
 * step takes no step any more either: other lives of the process may still go on.
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
