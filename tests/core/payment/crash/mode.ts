import { expect } from "vitest";
import { comeBack, reconcileAll } from "./ending.ts";
import { freshHeader } from "./header.ts";
import type { Phase } from "./matrix.ts";
import type { Case } from "./world.ts";

/** What the payer does after the process has died. */
export type Mode = {
  readonly title: string;
  /** Whether the payer has given the attempt a name. */
  readonly named: boolean;
  readonly returns: boolean;
  /** Brings the case to its end, and checks what the payer hears. `header` is what the dead process was given. */
  end(open: Case, header: string, phase: Phase): Promise<void>;
};

const [sameHeader, sameName, freshSignature, noReturn] = [
  {
    title: "returns with the same header",
    named: false,
    returns: true,
    async end(open, header, phase) {
      expect(await comeBack(open, async () => header, true)).toEqual(answer(open, phase));
    },
  },
  {
    title: "returns with the same header and its name",
    named: true,
    returns: true,
    async end(open, header) {
      expect(await comeBack(open, async () => header, false)).toEqual(paid(open));
    },
  },
  {
    title: "returns with a fresh signature",
    named: false,
    returns: true,
    async end(open, _, phase) {
      expect(await comeBack(open, () => freshHeader(open), true)).toEqual(answer(open, phase));
    },
  },
  {
    title: "does not return",
    named: false,
    returns: false,
    end: reconcileAll,
  },
] as const satisfies readonly Mode[];

/** All that a payer may do. */
export const modes: readonly Mode[] = [sameHeader, sameName, freshSignature, noReturn];

/** The same after the payer's own second request, and after a reconciler's run. */
export const modesOfPayer: readonly Mode[] = [sameHeader, freshSignature, noReturn];
export const modesOfReconciler: readonly Mode[] = [freshSignature, noReturn];

/** Who comes after the unlock has nothing to pay for and is told so (specification §4.4). */
function answer(open: Case, phase: Phase): unknown {
  return open.leg === "publisher" && phase === "settled" ? "already_unlocked" : paid(open);
}

function paid({ leg, pressId }: Case): unknown {
  const body = `The text of ${pressId}.`;
  return expect.objectContaining({
    kind: "paid",
    receipt: expect.objectContaining({ success: true }),
    unlocked: leg === "publisher" ? { body, token: expect.any(String) } : undefined,
  });
}
