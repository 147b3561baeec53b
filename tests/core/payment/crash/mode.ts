import { expect } from "vitest";
import { isAnswered } from "./account.ts";
import { comeBack, reconcileAll } from "./ending.ts";
import { makeFreshHeader } from "./header.ts";
import type { Case } from "./world.ts";

/** What the payer does after the process has died. */
export type Mode = {
  readonly title: string;
  /** Whether the payer has given the payment an identifier. */
  readonly named: boolean;
  readonly returns: boolean;
  /** Brings the test case to its end, and checks the answer to the payer. `header` is the dead process's payment header. */
  end(open: Case, header: string): Promise<void>;
};

const [sameHeader, sameName, freshSignature, noReturn] = [
  {
    title: "returns with the same header",
    named: false,
    returns: true,
    async end(open, header) {
      const expected = await readExpectedAnswer(open);
      expect(await comeBack(open, async () => header, true)).toEqual(expected);
    },
  },
  {
    title: "returns with the same header and its name",
    named: true,
    returns: true,
    async end(open, header) {
      expect(await comeBack(open, async () => header, false)).toEqual(makePaidOutcome(open));
    },
  },
  {
    title: "returns with a fresh signature",
    named: false,
    returns: true,
    async end(open) {
      const expected = await readExpectedAnswer(open);
      expect(await comeBack(open, () => makeFreshHeader(open), true)).toEqual(expected);
    },
  },
  {
    title: "does not return",
    named: false,
    returns: false,
    end: reconcileAll,
  },
] as const satisfies readonly Mode[];

/** All ways in which a payer may continue after the death. */
export const modes: readonly Mode[] = [sameHeader, sameName, freshSignature, noReturn];

/** The ways in which a payer may continue after a reconciler's death. */
export const modesOfReconciler: readonly Mode[] = [freshSignature, noReturn];

/** A payer who repeats the payment after the text was delivered is refused as already unlocked (specification §4.4). */
async function readExpectedAnswer(open: Case): Promise<unknown> {
  return (await isAnswered(open)) ? "already_unlocked" : makePaidOutcome(open);
}

function makePaidOutcome({ leg, pressId }: Case): unknown {
  const body = `The text of ${pressId}.`;
  return expect.objectContaining({
    kind: "paid",
    receipt: expect.objectContaining({ success: true }),
    unlocked: leg === "publisher" ? { body, token: expect.any(String) } : undefined,
  });
}
