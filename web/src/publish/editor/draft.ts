import * as z from "zod";
import { ApiProblem } from "../../api/request.ts";
import { common } from "../../strings/common.ts";
import { bodyOf, emptyText, faultsOf, sameText, type Text, TextForm } from "./text.ts";

/** The AI draft that a text started from: its id for a save, and its sources. */
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

/** A first save: its key at the service, its body as JSON, and the text in it. */
export const FirstSaveForm = z.object({ key: z.string(), body: z.string(), text: TextForm }).readonly();
type FirstSave = z.infer<typeof FirstSaveForm>;

/** The service's version of a text, and when it was saved. */
export type Saved = { readonly text: Text; readonly updatedAt: string };

/** A manuscript on the service: its version, and its text if it is known here. */
export type KeptText = { readonly text: Text | undefined; readonly updatedAt: string };

/** The service's answer about a manuscript: its text, or the press that it has become. */
export type Remote = {
  readonly updatedAt: string;
  readonly press: number | undefined;
  readonly text: Text | undefined;
};

type Phase =
  /** Nothing is under way. An unsaved text waits for a pause in writing, or to become valid. */
  | { readonly name: "rest" }
  | { readonly name: "saving" }
  /** There was no answer, or the service was busy. The save is retried automatically. */
  | { readonly name: "waiting"; readonly problem: ApiProblem }
  /** Waits for the writer, because another version was saved meanwhile. */
  | { readonly name: "conflict"; readonly of: "press" | "manuscript"; readonly theirs: Saved }
  /** Waits for the writer to act or to change the text. */
  | { readonly name: "refused"; readonly problem: ApiProblem };

/** A draft in the editor: the typed text, and the service's version of it. */
export type DraftState = {
  readonly wallet: string;
  /** The draft's name in this browser before it has an id. */
  readonly local: string;
  readonly id: number | undefined;
  readonly text: Text;
  readonly generation: Generation | undefined;
  /** The service's version, as far as it is known here. */
  readonly saved: Saved | undefined;
  /** The service's manuscript, because a save would refuse the text. */
  readonly kept: KeptText | undefined;
  /** The time of the last change, ISO 8601. */
  readonly changedAt: string | undefined;
  readonly phase: Phase;
  /** The first save, while it has no answer. It is sent again unchanged. */
  readonly first: FirstSave | undefined;
  /** Whether the text cannot be edited because an audit is running. */
  readonly locked: boolean;
  /** The version that was not chosen in a conflict. It stays in this browser until its writer drops it. */
  readonly aside: Text | undefined;
  /** This browser stores no copy, so unsaved text is lost with the page. */
  readonly notKept: boolean;
};

/** Whether the service lacks a part of the text. */
export function isUnsaved({ saved, text, changedAt }: DraftState): boolean {
  return saved === undefined ? changedAt !== undefined : !sameText(saved.text, text);
}

/** Whether the service has this text at least as a manuscript. */
export function isKept({ kept, text }: DraftState): boolean {
  return kept?.text !== undefined && sameText(kept.text, text);
}

/** Whether nothing was written. The byline is filled in automatically. */
function isBlank({ text }: DraftState): boolean {
  return sameText({ ...text, publisherName: "" }, emptyText);
}

function isFit(text: Text): boolean {
  return Object.keys(faultsOf(text)).length === 0;
}

/** The request that is due now, if any. */
function dueNow(state: DraftState): "save" | "keep" | "discard" | undefined {
  const free = state.phase.name === "rest" || state.phase.name === "waiting";
  if (!free || state.locked) return undefined;
  // The manuscript of an undone change is discarded, or it would reappear on the next visit.
  if (!isUnsaved(state)) return state.kept === undefined ? undefined : "discard";
  if (isFit(state.text)) return "save";
  return isKept(state) || (state.kept === undefined && isBlank(state)) ? undefined : "keep";
}

/** The name of a draft's manuscript on the service. */
export function manuscriptName({ id, local }: Pick<DraftState, "id" | "local">): string {
  return id === undefined ? local : `press-${id}`;
}

/**
 * The body of the next save. It names the AI draft only if the text is about the draft's stock, because a
 * save refuses others.
 */
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

/** The body of the next manuscript request. */
function keepInput({ id, local, text, generation, saved, kept }: DraftState): object {
  const { priceUsdg: priceText, ...written } = text;
  return {
    name: manuscriptName({ id, local }),
    ...written,
    priceText,
    ...(generation !== undefined && { generation }),
    ...(saved !== undefined && { base: saved.updatedAt }),
    ...(kept !== undefined && { updatedAt: kept.updatedAt }),
  };
}

/** Whether the same request may succeed later without a change. */
function isTemporary({ status, code }: ApiProblem): boolean {
  return status === undefined || status >= 500 || (status === 429 && code !== "draft_limit");
}

/** A draft's ports. Functions that return promises may throw ApiProblem. */
export type DraftPorts = {
  /** Sends a save. With the key of an earlier save it gets that save's answer and saves nothing. */
  readonly save: (
    body: string,
    key?: string,
  ) => Promise<{ readonly id: number; readonly updatedAt?: string }>;
  readonly newKey: () => string;
  readonly read: (id: number) => Promise<Saved>;
  /** Stores a manuscript on the service. */
  readonly keepUnfinished: (input: object) => Promise<{ readonly updatedAt: string }>;
  readonly readUnfinished: (name: string) => Promise<Remote | undefined>;
  readonly discardUnfinished: (name: string, updatedAt: string) => Promise<void>;
  /**
   * Stores what the service does not have, or deletes it once the service has it. Returns whether that
   * worked.
   */
  readonly keep: (state: DraftState) => boolean;
  readonly onSaved: (state: DraftState) => void;
  /** ISO 8601. */
  readonly now: () => string;
  /** Sets a timer. Returns the function that cancels it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
};

export type Draft = {
  readonly state: () => DraftState;
  readonly watch: (listener: () => void) => () => void;
  readonly edit: (changes: Partial<Text>) => void;
  /** Replaces the text by an AI draft, or by the text before it. */
  readonly replace: (text: Text, generation: Generation | undefined) => void;
  /** Saves at once if possible, and waits for the result. Never rejects, because the state shows the result. */
  readonly flush: () => Promise<void>;
  /** Overwrites the version that was saved elsewhere, which is kept aside. */
  readonly keepMine: () => void;
  /** Exchanges the text with the version that was kept aside. */
  readonly takeAside: () => void;
  readonly dropAside: () => void;
  readonly takeTheirs: () => void;
  readonly retry: () => void;
  /** Takes over the service's newer version, which is shown if nothing was written here meanwhile. */
  readonly refresh: (theirs: Saved) => void;
  /** Takes over the service's newer manuscript, which is shown if nothing was written here meanwhile. */
  readonly refreshUnfinished: (remote: Remote) => void;
  readonly lock: (locked: boolean) => void;
};

/** Milliseconds without a change before a text is saved. */
export const writingPause = 1_000;
/**
 * Milliseconds without a change before a manuscript is stored. It is longer, because a long text must not be
 * written at every pause.
 */
export const keepingPause = 4_000;
/** Milliseconds before the first retry, and the longest time between two. */
const firstWait = 2_000;
const longestWait = 60_000;

/**
 * A draft that saves itself: as a press if a save accepts it, otherwise as a manuscript that follows its
 * writer to other devices. One save runs at a time, and later text goes with the next.
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
  /** Waits for a pause in writing, a longer one for a manuscript. Words are not counted before it. */
  const soon = () => {
    cancel();
    cancel = ports.after(writingPause, () => {
      if (dueNow(state) === "keep") later(keepingPause - writingPause);
      else void saveNow();
    });
  };

  const save = async (text: Text): Promise<Phase> => {
    if (state.id === undefined) return saveFirst(text);
    if (state.saved === undefined) return reconcile(state.id, text);
    const { id, updatedAt } = await ports.save(JSON.stringify(saveInput({ ...state, text })));
    // The save has deleted the manuscript.
    set({ kept: undefined });
    if (updatedAt === undefined) return reconcile(id, text);
    set({ saved: { text, updatedAt } });
    return rest;
  };

  /**
   * The first save, whose answer may be lost. Sent again under the same key it makes no second draft, and later text follows as an update.
   */
  const saveFirst = async (text: Text): Promise<Phase> => {
    const body = JSON.stringify(saveInput({ ...state, text }));
    const first = state.first ?? { key: ports.newKey(), body, text };
    set({ first });
    const { id } = await ports.save(first.body, first.key);
    set({ id, first: undefined, kept: undefined });
    return reconcile(id, first.text);
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

  /** The service has another version of the manuscript, or none, or it has become a press. */
  const meet = async (problem: ApiProblem, sent: Text): Promise<Phase> => {
    const remote = await ports.readUnfinished(manuscriptName(state));
    if (remote?.press !== undefined) {
      set({ id: remote.press, kept: undefined });
      return reconcile(remote.press, sent);
    }
    if (remote?.text === undefined) {
      // The manuscript was discarded elsewhere while it is written here, so it is stored again.
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

  /** The service's version may be the text that was sent, if only the answer was lost. */
  const reconcile = async (id: number, sent: Text): Promise<Phase> => {
    const theirs = await ports.read(id);
    if (!sameText(theirs.text, sent) && !sameText(theirs.text, state.text))
      return { name: "conflict", of: "press", theirs };
    set({ saved: theirs });
    return rest;
  };

  const afterFailure = async (error: unknown, sent: Text): Promise<Phase> => {
    const problem =
      error instanceof ApiProblem ? error : new ApiProblem("unreadable", common.unreadable, { cause: error });
    // Refused, so nothing was saved under its key.
    if (!isTemporary(problem)) set({ first: undefined });
    if (problem.code === "stale_draft" && state.id !== undefined) {
      return reconcile(state.id, sent).catch((failure: unknown) => afterFailure(failure, sent));
    }
    if (problem.code === "stale_manuscript") {
      return meet(problem, sent).catch((failure: unknown) => afterFailure(failure, sent));
    }
    return { name: isTemporary(problem) ? "waiting" : "refused", problem };
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
      set({ ...(of === "press" ? { saved: theirs } : { kept: theirs }), aside: theirs.text, phase: rest });
      void saveNow();
    },
    takeTheirs: () => {
      if (state.phase.name !== "conflict") return;
      const { of, theirs } = state.phase;
      const version = of === "press" ? { saved: theirs } : { kept: theirs };
      set({ text: theirs.text, aside: state.text, ...version, phase: rest });
      soon();
    },
    takeAside: () => {
      const { aside, text, locked } = state;
      if (aside === undefined || locked) return;
      set({ aside: text });
      write({ text: aside });
    },
    dropAside: () => set({ aside: undefined }),
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
