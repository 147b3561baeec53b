import * as z from "zod";
import { Contents } from "../../../../core/manuscript/schema.ts";
import { ApiProblem } from "../../api/request.ts";
import { common } from "../../strings/common.ts";
import { type DraftText, emptyText, findFaults, isSameText, makeSaveBody, TextForm } from "./text.ts";

/** The AI draft from which a text started: the draft's id and the draft's sources. The AI draft's id is sent when the text is saved. */
export const GenerationForm = Contents.shape.generation.unwrap().readonly();
export type Generation = z.infer<typeof GenerationForm>;

/** The first save of a text: the save's idempotency key, the save's body as JSON, and the text in the body. */
export const FirstSaveForm = z.object({ key: z.string(), body: z.string(), text: TextForm }).readonly();

/** The service's version of a text, and the time at which it was saved. */
export type SavedText = { readonly text: DraftText; readonly updatedAt: string };

/** A manuscript on the service: the time of the manuscript's version, and the manuscript's text, if this page knows the text. */
export type KeptText = { readonly text: DraftText | undefined; readonly updatedAt: string };

/** The service's answer about a manuscript: the manuscript's text, or the press that the manuscript has become. */
export type StoredDraft = {
  readonly updatedAt: string;
  readonly press: number | undefined;
  readonly text: DraftText | undefined;
};

type VersionKind = "press" | "manuscript";

type SavePhase =
  /** No request is running. An unsaved text is saved at the next pause in writing at which the text is valid. */
  | { readonly name: "rest" }
  | { readonly name: "saving" }
  /** The save got no answer, or the service was busy. The save is repeated automatically. */
  | { readonly name: "waiting"; readonly problem: ApiProblem }
  /** The draft waits for the writer's decision, because another version was saved on another page. */
  | { readonly name: "conflict"; readonly of: VersionKind; readonly theirs: SavedText }
  /** The draft waits until the writer acts or changes the text. */
  | { readonly name: "refused"; readonly problem: ApiProblem };

/** A draft in the editor: the typed text, and the version of the text that the service has. */
export type DraftState = {
  readonly wallet: string;
  /** The name of the draft in this browser, until the draft has an id. */
  readonly local: string;
  readonly id: number | undefined;
  readonly text: DraftText;
  readonly generation: Generation | undefined;
  /** The service's version of the press, if this page knows that version. */
  readonly saved: SavedText | undefined;
  /** The manuscript in which the service keeps a text that it would refuse to save as a press. */
  readonly kept: KeptText | undefined;
  /** The time of the last change of the text, ISO 8601. */
  readonly changedAt: string | undefined;
  readonly phase: SavePhase;
  /** The first save of the text, until the service has accepted or refused the save. A save without an answer is sent again unchanged. */
  readonly first: z.infer<typeof FirstSaveForm> | undefined;
  /** Whether the text cannot be edited because an audit is running. */
  readonly locked: boolean;
  /** The versions that were not chosen in conflicts, the latest first. Each version stays in this browser until the writer discards it. */
  readonly aside: readonly DraftText[];
  /** Whether this browser stores no copy of the text. If unsaved text has no copy in the browser, the text is lost when the page closes. */
  readonly notKept: boolean;
};

/** Whether the text contains changes that are not saved as a press yet. */
export function isUnsaved({ saved, text, changedAt }: DraftState): boolean {
  return saved === undefined ? changedAt !== undefined : !isSameText(saved.text, text);
}

/** Whether the service stores exactly this text as a manuscript. */
export function isTextKept({ kept, text }: DraftState): boolean {
  return kept?.text !== undefined && isSameText(kept.text, text);
}

/** Whether the service has neither saved the text as a press nor stored it as a manuscript. */
export function isOnlyHere(state: DraftState): boolean {
  return isUnsaved(state) && !isTextKept(state);
}

/** Whether the writer has written nothing; the byline does not count, because it is filled in automatically. */
function isBlankDraft({ text }: DraftState): boolean {
  return isSameText({ ...text, publisherName: "" }, emptyText);
}

/** The request that the draft must send now; `undefined` if there is no request to send. */
function findDueRequest(state: DraftState): "save" | "keep" | "discard" | undefined {
  const free = state.phase.name === "rest" || state.phase.name === "waiting";
  if (!free || state.locked) return undefined;
  // If a change was undone, the manuscript with the change is discarded, because the change would otherwise reappear on the next visit.
  if (!isUnsaved(state)) return state.kept === undefined ? undefined : "discard";
  if (Object.keys(findFaults(state.text)).length === 0) return "save";
  return isTextKept(state) || (state.kept === undefined && isBlankDraft(state)) ? undefined : "keep";
}

/** The name of a draft's manuscript on the service. */
export function nameManuscript({ id, local }: Pick<DraftState, "id" | "local">): string {
  return id === undefined ? local : `press-${id}`;
}

/**
 * The body of the next save. The body names the AI draft only if the text is about the same stock as the draft, because the service refuses
 * a draft about another stock.
 */
function makeSaveInput({ id, local, text, generation, saved, kept }: DraftState): object {
  const stock = text.stock.trim().toUpperCase();
  return {
    ...makeSaveBody(text),
    ...(id !== undefined && { id }),
    ...(kept !== undefined && {
      manuscript: { name: nameManuscript({ id, local }), updatedAt: kept.updatedAt },
    }),
    ...(saved !== undefined && { updatedAt: saved.updatedAt }),
    ...(generation?.stock === stock && { generationId: generation.id }),
  };
}

/** The body of the next manuscript request. */
function makeKeepInput({ id, local, text, generation, saved, kept }: DraftState): object {
  const { priceUsdg: priceText, ...written } = text;
  return {
    name: nameManuscript({ id, local }),
    ...written,
    priceText,
    ...(generation !== undefined && { generation }),
    ...(saved !== undefined && { base: saved.updatedAt }),
    ...(kept !== undefined && { updatedAt: kept.updatedAt }),
  };
}

/** Whether the same request may succeed later without a change. */
function isTemporaryError({ status, code }: ApiProblem): boolean {
  return status === undefined || status >= 500 || (status === 429 && code !== "draft_limit");
}

/** The external functions that a draft uses. The functions that return promises may throw ApiProblem. */
export type DraftPorts = {
  /** Sends a save. If the save has the key of an earlier save, the service saves nothing and repeats the earlier answer. */
  readonly save: (
    body: string,
    key?: string,
  ) => Promise<{ readonly id: number; readonly updatedAt?: string }>;
  readonly newKey: () => string;
  readonly read: (id: number) => Promise<SavedText>;
  /** Stores a manuscript on the service. */
  readonly keepUnfinished: (input: object) => Promise<{ readonly updatedAt: string }>;
  readonly readUnfinished: (name: string) => Promise<StoredDraft | undefined>;
  readonly discardUnfinished: (name: string, updatedAt: string) => Promise<void>;
  /**
   * Stores the text in this browser while the service does not have the text, and deletes the stored copy once the service has the text.
   * Returns whether the browser allowed the storage.
   */
  readonly keep: (state: DraftState) => boolean;
  readonly onSaved: (state: DraftState) => void;
  /** ISO 8601. */
  readonly now: () => string;
  /** Sets a timer, and returns the function that cancels the timer. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
};

export type Draft = {
  readonly state: () => DraftState;
  readonly watch: (listener: () => void) => () => void;
  readonly edit: (changes: Partial<DraftText>) => void;
  /**
   * Replaces the text by an AI draft, or puts the earlier text back in place of the AI draft. If the replaced text differs from `seen`, the
   * replaced text is stored separately.
   */
  readonly replace: (text: DraftText, generation: Generation | undefined, seen?: DraftText) => void;
  /**
   * Saves the draft at once if possible, and waits for the result. The promise never rejects, because the draft's state shows the result.
   */
  readonly flush: () => Promise<void>;
  /** Overwrites the version that was saved on another page; this browser stores the overwritten version separately. */
  readonly keepMine: () => void;
  /** Exchanges the text with a version that was stored separately in a conflict. `at` is the version's index in `aside`. */
  readonly takeAside: (at: number) => void;
  readonly dropAside: (at: number) => void;
  readonly takeTheirs: () => void;
  readonly retry: () => void;
  /** Accepts a newer version of the press from the service, and shows this version if the page has no unsaved changes. */
  readonly refresh: (theirs: SavedText) => void;
  /**
   * Replaces the known manuscript by a newer manuscript from the service. If the page has no changes that the service lacks, the page shows
   * the newer manuscript.
   */
  readonly refreshUnfinished: (remote: StoredDraft) => void;
  readonly lock: (locked: boolean) => void;
};

/** The pause in typing, in milliseconds, after which a text is saved. */
export const writingPause = 1_000;
/**
 * The pause in typing, in milliseconds, after which a manuscript is stored. The pause before a manuscript is stored is longer than the
 * pause before a save, because a long text must not be sent at every short pause.
 */
export const keepingPause = 4_000;
/** Two waits in milliseconds: the wait before the first retry of a save, and the maximum wait between two retries. */
const firstWait = 2_000;
const longestWait = 60_000;

/**
 * A draft that saves itself. If the service accepts the text, it is saved as a press. A text that the service would refuse is stored as a
 * manuscript, which the writer can continue on other devices. Only one save runs at a time, and text written during a save is sent with the
 * next save.
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
  const saveLater = (milliseconds: number) => {
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
    const due = findDueRequest(state);
    if (due === undefined) return;
    const sent = state.text;
    set({ phase: { name: "saving" } });
    const work = { save: () => save(sent), keep: () => keepUnfinished(sent), discard }[due];
    const phase = await work().catch((error: unknown) => handleFailure(error, sent));
    tries = phase.name === "waiting" ? tries + 1 : 0;
    set({ phase });
    if (phase.name === "waiting") saveLater(computeWait(phase.problem, tries));
    if (phase.name !== "rest") return;
    if (due === "save") ports.onSaved(state);
    saveSoon();
  };
  const flush = async () => {
    do await saveNow();
    while (state.phase.name === "rest" && findDueRequest(state) !== undefined);
  };
  /**
   * Waits for a pause in writing. The pause before a manuscript is stored is longer than the pause before a save. The words of the text are
   * counted only after the pause in writing.
   */
  const saveSoon = () => {
    cancel();
    cancel = ports.after(writingPause, () => {
      if (findDueRequest(state) === "keep") saveLater(keepingPause - writingPause);
      else void saveNow();
    });
  };

  const save = async (text: DraftText): Promise<SavePhase> => {
    if (state.id === undefined) return saveFirst(text);
    if (state.saved === undefined) return reconcile(state.id, text);
    const { id, updatedAt } = await ports.save(JSON.stringify(makeSaveInput({ ...state, text })));
    // When the service saved the text as a press, it deleted the manuscript.
    set({ kept: undefined });
    if (updatedAt === undefined) return reconcile(id, text);
    set({ saved: { text, updatedAt } });
    return rest;
  };

  /**
   * Sends the first save of a text. If the save's answer is lost, the save is sent again with the same key, so that no second draft is
   * made. Text that is written after the first save is sent as an update.
   */
  const saveFirst = async (text: DraftText): Promise<SavePhase> => {
    const body = JSON.stringify(makeSaveInput({ ...state, text }));
    const first = state.first ?? { key: ports.newKey(), body, text };
    set({ first });
    const { id } = await ports.save(first.body, first.key);
    set({ id, first: undefined, kept: undefined });
    return reconcile(id, first.text);
  };

  const keepUnfinished = async (text: DraftText): Promise<SavePhase> => {
    const { updatedAt } = await ports.keepUnfinished(makeKeepInput({ ...state, text }));
    set({ kept: { text, updatedAt } });
    return rest;
  };

  const discard = async (): Promise<SavePhase> => {
    if (state.kept !== undefined) await ports.discardUnfinished(nameManuscript(state), state.kept.updatedAt);
    set({ kept: undefined });
    return rest;
  };

  /**
   * Handles the service's refusal of a manuscript. The service refuses a manuscript if the service has another version, if the service has
   * deleted the manuscript, or if the manuscript has become a press.
   */
  const meet = async (problem: ApiProblem, sent: DraftText): Promise<SavePhase> => {
    const remote = await ports.readUnfinished(nameManuscript(state));
    if (remote?.press !== undefined) {
      set({ id: remote.press, kept: undefined });
      return reconcile(remote.press, sent);
    }
    if (remote?.text === undefined) {
      // Another page has discarded the manuscript, but this page still changes the text, so the manuscript is stored again.
      set({ kept: undefined });
      return { name: "waiting", problem };
    }
    return compare("manuscript", { text: remote.text, updatedAt: remote.updatedAt }, sent);
  };

  const reconcile = async (id: number, sent: DraftText): Promise<SavePhase> =>
    compare("press", await ports.read(id), sent);

  /**
   * After a conflict, compares the service's version with the text that was sent. If the service saved the text and only the answer was
   * lost, the service's version equals the sent text.
   */
  const compare = (of: VersionKind, theirs: SavedText, sent: DraftText): SavePhase => {
    if (!isSameText(theirs.text, sent) && !isSameText(theirs.text, state.text))
      return { name: "conflict", of, theirs };
    set(acceptVersion(of, theirs));
    return rest;
  };

  const handleFailure = async (error: unknown, sent: DraftText): Promise<SavePhase> => {
    const problem =
      error instanceof ApiProblem ? error : new ApiProblem("unreadable", common.unreadable, { cause: error });
    // The save was refused, so the service has stored nothing with the save's key.
    if (!isTemporaryError(problem)) set({ first: undefined });
    if (problem.code === "stale_draft" && state.id !== undefined) {
      return reconcile(state.id, sent).catch((failure: unknown) => handleFailure(failure, sent));
    }
    if (problem.code === "stale_manuscript") {
      return meet(problem, sent).catch((failure: unknown) => handleFailure(failure, sent));
    }
    return { name: isTemporaryError(problem) ? "waiting" : "refused", problem };
  };

  const isIdle = () => state.phase.name === "rest" && !state.locked && running === undefined;

  const write = (changes: Partial<DraftState>) => {
    if (state.locked) return;
    const { phase } = state;
    const next = phase.name === "refused" || phase.name === "waiting" ? { phase: rest } : {};
    set({ ...changes, ...next, changedAt: ports.now() });
    saveSoon();
  };

  const setAside = (text: DraftText) => [text, ...state.aside.filter((one) => !isSameText(one, text))];

  return {
    state: () => state,
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    edit: (changes) => write({ text: { ...state.text, ...changes } }),
    replace: (text, generation, seen = state.text) => {
      const aside = isSameText(seen, state.text) ? state.aside : setAside(state.text);
      write({ text, generation, aside: aside.filter((one) => !isSameText(one, text)) });
    },
    flush,
    keepMine: () => {
      if (state.phase.name !== "conflict") return;
      const { of, theirs } = state.phase;
      set({ ...acceptVersion(of, theirs), aside: setAside(theirs.text), phase: rest });
      void saveNow();
    },
    takeTheirs: () => {
      if (state.phase.name !== "conflict") return;
      const { of, theirs } = state.phase;
      set({ text: theirs.text, aside: setAside(state.text), ...acceptVersion(of, theirs), phase: rest });
      saveSoon();
    },
    takeAside: (at) => {
      const taken = state.aside[at];
      if (taken !== undefined) write({ text: taken, aside: state.aside.with(at, state.text) });
    },
    dropAside: (at) => set({ aside: state.aside.toSpliced(at, 1) }),
    retry: () => {
      if (state.phase.name === "refused" || state.phase.name === "waiting") set({ phase: rest });
      void saveNow();
    },
    refresh: (theirs) => {
      const older = state.saved !== undefined && theirs.updatedAt <= state.saved.updatedAt;
      if (!isIdle() || isUnsaved(state) || older) return;
      set({ text: theirs.text, saved: theirs });
    },
    refreshUnfinished: ({ text, updatedAt }) => {
      const older = state.kept !== undefined && updatedAt <= state.kept.updatedAt;
      if (text === undefined || older || isOnlyHere(state) || !isIdle()) return;
      set({ text, kept: { text, updatedAt }, changedAt: updatedAt });
    },
    lock: (locked) => {
      set({ locked });
      if (!locked) saveSoon();
    },
  };
}

const rest: SavePhase = { name: "rest" };

/** The changes to a draft's state when the draft accepts the service's version as the stored version. */
const acceptVersion = (kind: VersionKind, theirs: SavedText) =>
  kind === "press" ? { saved: theirs } : { kept: theirs };

function computeWait({ retryAfter = 0 }: ApiProblem, tries: number): number {
  return Math.max(retryAfter * 1000, Math.min(longestWait, firstWait * 2 ** (tries - 1)));
}
