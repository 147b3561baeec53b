import type { ApiProblem } from "../../api/problem.ts";
import type { Generation } from "./copies.ts";
import { bodyOf, faultsOf, sameText, type Text } from "./text.ts";

/** A text as the service has it, and when it was saved. */
export type Saved = { readonly text: Text; readonly updatedAt: string };

export type Phase =
  /** Nothing is under way. A text that is not saved waits for a pause in the writing, or for its limits. */
  | { readonly name: "rest" }
  | { readonly name: "saving" }
  /** There was no answer, or no room: tried again by itself. */
  | { readonly name: "waiting"; readonly problem: ApiProblem }
  /** Waits for the person: something else was saved meanwhile. */
  | { readonly name: "conflict"; readonly theirs: Saved }
  /** Waits for the person, or for another text. */
  | { readonly name: "refused"; readonly problem: ApiProblem };

/** A draft on a publisher's desk, between what they type and what the service has. */
export type DeskState = {
  readonly wallet: string;
  /** Its name in this browser before it has an id. */
  readonly local: string;
  readonly id: number | undefined;
  readonly text: Text;
  readonly generation: Generation | undefined;
  /** What the service has, as far as is known here. */
  readonly saved: Saved | undefined;
  /** When it was last written on, ISO 8601. */
  readonly changedAt: string | undefined;
  readonly phase: Phase;
  /** Whether a first save was sent whose answer is not known. */
  readonly uncertain: boolean;
  /** Whether the text stands still, because it is being audited. */
  readonly locked: boolean;
  /** This browser keeps no copy: what is not saved is lost with the page. */
  readonly notKept: boolean;
};

/** Whether there is something that the service does not have. */
export function isUnsaved({ saved, text, changedAt }: DeskState): boolean {
  return saved === undefined ? changedAt !== undefined : !sameText(saved.text, text);
}

/** Whether a save can be sent now. */
export function isDue(state: DeskState): boolean {
  const free = state.phase.name === "rest" || state.phase.name === "waiting";
  return free && !state.locked && isUnsaved(state) && Object.keys(faultsOf(state.text)).length === 0;
}

/** The body of the next save. An AI draft is named as long as the text is about its stock: a save takes no other. */
export function saveInput({ id, text, generation, saved }: DeskState): object {
  const stock = text.stock.trim().toUpperCase();
  return {
    ...bodyOf(text),
    ...(id !== undefined && { id }),
    ...(saved !== undefined && { updatedAt: saved.updatedAt }),
    ...(generation?.stock === stock && { generationId: generation.id }),
  };
}

/** Whether the same request may succeed without anybody doing anything. */
export function isPassing({ status, code }: ApiProblem): boolean {
  return status === undefined || status >= 500 || (status === 429 && code !== "draft_limit");
}
