import * as z from "zod";
import { ApiProblem } from "../../api/request.ts";
import { common } from "../../strings/common.ts";
import { bodyOf, emptyText, faultsOf, sameText, type Text } from "./text.ts";

/** An AI draft that a text began as: what a save names, and what it was written from. */
export const GenerationForm = z
  .object({
    id: z.int(),
    stock: z.string(),
    sources: z
      .array(z.object({ title: z.string(), source: z.string(), link: z.string() }).readonly())
      .readonly(),
  })
  .readonly();
export type Generation = z.infer<typeof GenerationForm>;

/** A text as the service has it, and when it was saved. */
export type Saved = { readonly text: Text; readonly updatedAt: string };

/** An unfinished text that the service keeps: its version, and its words as far as they are known here. */
export type KeptText = { readonly text: Text | undefined; readonly updatedAt: string };

/** What the service says of an unfinished text: its words, or the press that it has become. */
export type Remote = {
  readonly updatedAt: string;
  readonly press: number | undefined;
  readonly text: Text | undefined;
};

type Phase =
  /** Nothing is under way. A text that is not saved waits for a pause in the writing, or for its limits. */
  | { readonly name: "rest" }
  | { readonly name: "saving" }
  /** There was no answer, or no room: tried again by itself. */
  | { readonly name: "waiting"; readonly problem: ApiProblem }
  /** Waits for the person: something else was saved meanwhile. */
  | { readonly name: "conflict"; readonly of: "press" | "manuscript"; readonly theirs: Saved }
  /** Waits for the person, or for another text. */
  | { readonly name: "refused"; readonly problem: ApiProblem };

/** A draft that is being written, between what they type and what the service has. */
export type DraftState = {
  readonly wallet: string;
  /** Its name in this browser before it has an id. */
  readonly local: string;
  readonly id: number | undefined;
  readonly text: Text;
  readonly generation: Generation | undefined;
  /** What the service has, as far as is known here. */
  readonly saved: Saved | undefined;
  /** What it keeps beside that, because no save would take it. */
  readonly kept: KeptText | undefined;
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
export function isUnsaved({ saved, text, changedAt }: DraftState): boolean {
  return saved === undefined ? changedAt !== undefined : !sameText(saved.text, text);
}

/** Whether the service has this text at least as an unfinished one. */
export function isKept({ kept, text }: DraftState): boolean {
  return kept?.text !== undefined && sameText(kept.text, text);
}

/** Nothing that anybody has written: the byline is filled in by itself. */
function isBlank({ text }: DraftState): boolean {
  return sameText({ ...text, publisherName: "" }, emptyText);
}

function isFit(text: Text): boolean {
  return Object.keys(faultsOf(text)).length === 0;
}

/** What the service has to be told now, if anything. */
function dueNow(state: DraftState): "save" | "keep" | "discard" | undefined {
  const free = state.phase.name === "rest" || state.phase.name === "waiting";
  if (!free || state.locked) return undefined;
  // An unfinished version that has been undone would come back on the next visit.
  if (!isUnsaved(state)) return state.kept === undefined ? undefined : "discard";
  if (isFit(state.text)) return "save";
  return isKept(state) || (state.kept === undefined && isBlank(state)) ? undefined : "keep";
}

/** The name under which the service keeps an unfinished text. */
export function manuscriptName({ id, local }: Pick<DraftState, "id" | "local">): string {
  return id === undefined ? local : `press-${id}`;
}

/** The body of the next save. An AI draft is named as long as the text is about its stock: a save takes no other. */
function saveInput({ id, local, text, generation, saved, kept }: DraftState): object {
  const stock = text.stock.trim().toUpperCase();
  return {
    ...bodyOf(text),
    ...(id !== undefined && { id }),
    ...(kept !== undefined && {
      manuscript: { name: manuscriptName({ id, local }), updatedAt: kept.updatedAt },
    }),
    ...(saved !== undefined && { updatedAt: saved.updatedAt }),
    ...(generation?.stock === stock && { generationId: generation.id }),
  };
}

/** The body of the next keeping. */
function keepInput({ id, local, text, generation, saved, kept }: DraftState): object {
  return {
    name: manuscriptName({ id, local }),
    ...text,
    ...(generation !== undefined && { generation }),
    ...(saved !== undefined && { base: saved.updatedAt }),
    ...(kept !== undefined && { updatedAt: kept.updatedAt }),
  };
}

/** Whether the same request may succeed without anybody doing anything. */
function isPassing({ status, code }: ApiProblem): boolean {
  return status === undefined || status >= 500 || (status === 429 && code !== "draft_limit");
}

/** What a draft needs of the world around it. Those that answer promises may throw ApiProblem. */
export type DraftPorts = {
  readonly save: (input: object) => Promise<{ readonly id: number; readonly updatedAt?: string }>;
  readonly read: (id: number) => Promise<Saved>;
  /** Has an unfinished text kept by the service. */
  readonly keepUnfinished: (input: object) => Promise<{ readonly updatedAt: string }>;
  readonly readUnfinished: (name: string) => Promise<Remote | undefined>;
  readonly discardUnfinished: (name: string, updatedAt: string) => Promise<void>;
  /** The draft that a save made whose answer was lost. */
  readonly findTwin: (text: Text) => Promise<number | undefined>;
  /** Keeps what the service does not have, or lets go of it once it has; answers whether that was possible. */
  readonly keep: (state: DraftState) => boolean;
  /** A save came through. */
  readonly onSaved: (state: DraftState) => void;
  /** ISO 8601. */
  readonly now: () => string;
  /** Calls back after so many milliseconds; answers how to prevent it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
};

export type Draft = {
  readonly state: () => DraftState;
  readonly watch: (listener: () => void) => () => void;
  readonly edit: (changes: Partial<Text>) => void;
  /** Puts an AI draft, or what stood there before it, in the text's place. */
  readonly replace: (text: Text, generation: Generation | undefined) => void;
  /** Saves now what can be saved, and waits for it. Never rejects: the state tells what came of it. */
  readonly flush: () => Promise<void>;
  /** Saves over what was saved elsewhere. */
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
  /** Tries again what failed. */
  readonly retry: () => void;
  /** The service has this now: shown where nothing was written here meanwhile. */
  readonly refresh: (theirs: Saved) => void;
  /** The service keeps this unfinished text now: the same. */
  readonly refreshUnfinished: (remote: Remote) => void;
  readonly lock: (locked: boolean) => void;
};

/** Milliseconds without a change after which a text is saved. */
export const writingPause = 1_000;
/** The same for one that no save would take: every keystroke of a long text must not be a write. */
export const keepingPause = 4_000;
/** Milliseconds before the first new try, and the most between two. */
const firstWait = 2_000;
const longestWait = 60_000;

/**
 * A draft that saves itself: as a press where a save takes it, else as an unfinished text that follows its writer to other
 * devices. One save is under way at a time; what is written meanwhile goes with the next.
 */
export function makeDraft(start: DraftState, ports: DraftPorts): Draft {
  let state = start;
  let tries = 0;
  let cancel = () => {};
  let running: Promise<void> | undefined;
  const listeners = new Set<() => void>();

  const set = (changes: Partial<DraftState>) => {
    const next = { ...state, ...changes };
    state = { ...next, notKept: !ports.keep(next) };
    for (const listener of listeners) listener();
  };
  const later = (milliseconds: number) => {
    cancel();
    cancel = ports.after(milliseconds, () => void saveNow());
  };
  const saveNow = (): Promise<void> => {
    cancel();
    running ??= attempt().finally(() => {
      running = undefined;
    });
    return running;
  };
  const attempt = async () => {
    const due = dueNow(state);
    if (due === undefined) return;
    const sent = state.text;
    set({ phase: { name: "saving" } });
    const work = { save: () => save(sent), keep: () => keepUnfinished(sent), discard }[due];
    const phase = await work().catch((error: unknown) => afterFailure(error, sent));
    tries = phase.name === "waiting" ? tries + 1 : 0;
    set({ phase });
    if (phase.name === "waiting") later(waitAfter(phase.problem, tries));
    if (phase.name !== "rest") return;
    if (due === "save") ports.onSaved(state);
    soon();
  };
  const flush = async () => {
    do await saveNow();
    while (state.phase.name === "rest" && dueNow(state) !== undefined);
  };
  /** After a pause in the writing, of which a text that is only kept needs a longer one. Nothing is counted before. */
  const soon = () => {
    cancel();
    cancel = ports.after(writingPause, () => {
      if (dueNow(state) === "keep") later(keepingPause - writingPause);
      else void saveNow();
    });
  };

  const save = async (text: Text): Promise<Phase> => {
    if (state.id === undefined && state.uncertain) set({ id: await ports.findTwin(text) });
    if (state.id !== undefined && state.saved === undefined) return reconcile(state.id, text);
    const first = state.id === undefined;
    if (first) set({ uncertain: true });
    const { id, updatedAt } = await ports.save(saveInput({ ...state, text }));
    if (first) set({ id, uncertain: false });
    // What was kept has gone with the save.
    set({ kept: undefined });
    if (updatedAt === undefined) return reconcile(id, text);
    set({ saved: { text, updatedAt } });
    return rest;
  };

  const keepUnfinished = async (text: Text): Promise<Phase> => {
    const { updatedAt } = await ports.keepUnfinished(keepInput({ ...state, text }));
    set({ kept: { text, updatedAt } });
    return rest;
  };

  const discard = async (): Promise<Phase> => {
    if (state.kept !== undefined) await ports.discardUnfinished(manuscriptName(state), state.kept.updatedAt);
    set({ kept: undefined });
    return rest;
  };

  /** Another version of the unfinished text is there, or none, or it has become a press. */
  const meet = async (problem: ApiProblem, sent: Text): Promise<Phase> => {
    const remote = await ports.readUnfinished(manuscriptName(state));
    if (remote?.press !== undefined) {
      set({ id: remote.press, kept: undefined, uncertain: false });
      return reconcile(remote.press, sent);
    }
    if (remote?.text === undefined) {
      // Discarded elsewhere, while it is written on here: kept anew.
      set({ kept: undefined });
      return { name: "waiting", problem };
    }
    const theirs = { text: remote.text, updatedAt: remote.updatedAt };
    if (!sameText(theirs.text, sent) && !sameText(theirs.text, state.text)) {
      return { name: "conflict", of: "manuscript", theirs };
    }
    set({ kept: theirs });
    return rest;
  };

  /** What the service has may be what was sent, though nobody has heard so. */
  const reconcile = async (id: number, sent: Text): Promise<Phase> => {
    const theirs = await ports.read(id);
    if (!sameText(theirs.text, sent) && !sameText(theirs.text, state.text))
      return { name: "conflict", of: "press", theirs };
    set({ saved: theirs, uncertain: false });
    return rest;
  };

  const afterFailure = async (error: unknown, sent: Text): Promise<Phase> => {
    const problem =
      error instanceof ApiProblem ? error : new ApiProblem("unreadable", common.unreadable, { cause: error });
    if (problem.code === "stale_draft" && state.id !== undefined) {
      return reconcile(state.id, sent).catch((failure: unknown) => afterFailure(failure, sent));
    }
    if (problem.code === "stale_manuscript") {
      return meet(problem, sent).catch((failure: unknown) => afterFailure(failure, sent));
    }
    if (isPassing(problem)) return { name: "waiting", problem };
    set({ uncertain: false });
    return { name: "refused", problem };
  };

  const isIdle = () => state.phase.name === "rest" && !state.locked && running === undefined;

  const write = (changes: Partial<DraftState>) => {
    if (state.locked) return;
    const { phase } = state;
    const next = phase.name === "refused" || phase.name === "waiting" ? { phase: rest } : {};
    set({ ...changes, ...next, changedAt: ports.now() });
    soon();
  };

  return {
    state: () => state,
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    edit: (changes) => write({ text: { ...state.text, ...changes } }),
    replace: (text, generation) => write({ text, generation }),
    flush,
    keepMine: () => {
      if (state.phase.name !== "conflict") return;
      const { of, theirs } = state.phase;
      set({ ...(of === "press" ? { saved: theirs } : { kept: theirs }), phase: rest });
      void saveNow();
    },
    takeTheirs: () => {
      if (state.phase.name !== "conflict") return;
      const { of, theirs } = state.phase;
      set({ text: theirs.text, ...(of === "press" ? { saved: theirs } : { kept: theirs }), phase: rest });
      soon();
    },
    retry: () => {
      if (state.phase.name === "refused" || state.phase.name === "waiting") set({ phase: rest });
      void saveNow();
    },
    refresh: (theirs) => {
      if (!isIdle() || isUnsaved(state) || theirs.updatedAt === state.saved?.updatedAt) return;
      set({ text: theirs.text, saved: theirs });
    },
    refreshUnfinished: ({ text, updatedAt }) => {
      const older = state.kept !== undefined && updatedAt <= state.kept.updatedAt;
      const mine = isUnsaved(state) && !isKept(state);
      if (text === undefined || older || mine || !isIdle()) return;
      set({ text, kept: { text, updatedAt }, changedAt: updatedAt });
    },
    lock: (locked) => {
      set({ locked });
      if (!locked) soon();
    },
  };
}

const rest: Phase = { name: "rest" };

function waitAfter({ retryAfter = 0 }: ApiProblem, tries: number): number {
  return Math.max(retryAfter * 1000, Math.min(longestWait, firstWait * 2 ** (tries - 1)));
}
