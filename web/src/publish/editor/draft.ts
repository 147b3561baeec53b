import * as z from "zod";
import { ApiProblem } from "../../api/request.ts";
import { common } from "../../strings/common.ts";
import { bodyOf, faultsOf, sameText, type Text } from "./text.ts";

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

type Phase =
  /** Nothing is under way. A text that is not saved waits for a pause in the writing, or for its limits. */
  | { readonly name: "rest" }
  | { readonly name: "saving" }
  /** There was no answer, or no room: tried again by itself. */
  | { readonly name: "waiting"; readonly problem: ApiProblem }
  /** Waits for the person: something else was saved meanwhile. */
  | { readonly name: "conflict"; readonly theirs: Saved }
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

/** Whether a save can be sent now. */
function isDue(state: DraftState): boolean {
  const free = state.phase.name === "rest" || state.phase.name === "waiting";
  return free && !state.locked && isUnsaved(state) && Object.keys(faultsOf(state.text)).length === 0;
}

/** The body of the next save. An AI draft is named as long as the text is about its stock: a save takes no other. */
function saveInput({ id, text, generation, saved }: DraftState): object {
  const stock = text.stock.trim().toUpperCase();
  return {
    ...bodyOf(text),
    ...(id !== undefined && { id }),
    ...(saved !== undefined && { updatedAt: saved.updatedAt }),
    ...(generation?.stock === stock && { generationId: generation.id }),
  };
}

/** Whether the same request may succeed without anybody doing anything. */
function isPassing({ status, code }: ApiProblem): boolean {
  return status === undefined || status >= 500 || (status === 429 && code !== "draft_limit");
}

/** What a draft needs of the world around it. The first three may throw ApiProblem. */
export type DraftPorts = {
  readonly save: (input: object) => Promise<{ readonly id: number; readonly updatedAt?: string }>;
  readonly read: (id: number) => Promise<Saved>;
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
  readonly lock: (locked: boolean) => void;
};

/** Milliseconds without a change after which a text is saved. */
export const writingPause = 1_000;
/** Milliseconds before the first new try, and the most between two. */
const firstWait = 2_000;
const longestWait = 60_000;

/** A draft that saves itself. One save is under way at a time; what is written meanwhile goes with the next. */
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
    if (!isDue(state)) return;
    const sent = state.text;
    set({ phase: { name: "saving" } });
    const phase = await save(sent).catch((error: unknown) => afterFailure(error, sent));
    tries = phase.name === "waiting" ? tries + 1 : 0;
    set({ phase });
    if (phase.name === "waiting") later(waitAfter(phase.problem, tries));
    if (phase.name !== "rest") return;
    ports.onSaved(state);
    if (isUnsaved(state)) later(writingPause);
  };
  const flush = async () => {
    do await saveNow();
    while (state.phase.name === "rest" && isDue(state));
  };

  const save = async (text: Text): Promise<Phase> => {
    if (state.id === undefined && state.uncertain) set({ id: await ports.findTwin(text) });
    if (state.id !== undefined && state.saved === undefined) return reconcile(state.id, text);
    const first = state.id === undefined;
    if (first) set({ uncertain: true });
    const { id, updatedAt } = await ports.save(saveInput({ ...state, text }));
    if (first) set({ id, uncertain: false });
    if (updatedAt === undefined) return reconcile(id, text);
    set({ saved: { text, updatedAt } });
    return { name: "rest" };
  };

  /** What the service has may be what was sent, though nobody has heard so. */
  const reconcile = async (id: number, sent: Text): Promise<Phase> => {
    const theirs = await ports.read(id);
    if (!sameText(theirs.text, sent) && !sameText(theirs.text, state.text))
      return { name: "conflict", theirs };
    set({ saved: theirs, uncertain: false });
    return { name: "rest" };
  };

  const afterFailure = async (error: unknown, sent: Text): Promise<Phase> => {
    const problem =
      error instanceof ApiProblem ? error : new ApiProblem("unreadable", common.unreadable, { cause: error });
    if (problem.code === "stale_draft" && state.id !== undefined) {
      return reconcile(state.id, sent).catch((failure: unknown) => afterFailure(failure, sent));
    }
    if (isPassing(problem)) return { name: "waiting", problem };
    set({ uncertain: false });
    return { name: "refused", problem };
  };

  const write = (changes: Partial<DraftState>) => {
    if (state.locked) return;
    const { phase } = state;
    const next = phase.name === "refused" || phase.name === "waiting" ? { phase: rest } : {};
    set({ ...changes, ...next, changedAt: ports.now() });
    later(writingPause);
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
      set({ saved: state.phase.theirs, phase: rest });
      void saveNow();
    },
    takeTheirs: () => {
      if (state.phase.name !== "conflict") return;
      const { theirs } = state.phase;
      set({ text: theirs.text, saved: theirs, phase: rest });
    },
    retry: () => {
      if (state.phase.name === "refused" || state.phase.name === "waiting") set({ phase: rest });
      void saveNow();
    },
    refresh: (theirs) => {
      const idle = state.phase.name === "rest" && !isUnsaved(state) && running === undefined;
      if (!idle || theirs.updatedAt === state.saved?.updatedAt) return;
      set({ text: theirs.text, saved: theirs });
    },
    lock: (locked) => {
      set({ locked });
      if (!locked) later(writingPause);
    },
  };
}

const rest: Phase = { name: "rest" };

function waitAfter({ retryAfter = 0 }: ApiProblem, tries: number): number {
  return Math.max(retryAfter * 1000, Math.min(longestWait, firstWait * 2 ** (tries - 1)));
}
