import { useSyncExternalStore } from "react";
import * as z from "zod";
import type { OwnPress } from "../../../../core/press/schema.ts";
import { dashboard, ownPress, readOwnPress, savePress } from "../../api/publish.ts";
import { ApiProblem, queryClient } from "../../api/request.ts";
import { me } from "../../api/session.ts";
import { kept, NotKept } from "../../store/kept.ts";
import { editor as words } from "../../strings/publish.ts";
import {
  type Draft,
  type DraftPorts,
  type DraftState,
  GenerationForm,
  isUnsaved,
  makeDraft,
  type Saved,
} from "./draft.ts";
import { emptyText, sameText, type Text, TextForm, textOf } from "./text.ts";

/** The drafts that this page has open: a draft goes on being saved while its publisher looks at something else. */
const openDrafts = new Map<string, Draft>();
/** This tab, among others that may have the same draft open. */
const tab = newName();

/** The draft of a saved press that this page has open already. */
export function openDraft(wallet: string, id: number): Draft | undefined {
  return openDrafts.get(copyKey(wallet, { id, local: "" }));
}

/** The draft of a saved press. What this browser kept of it and the service never got comes before what the service has. */
export function draftOf(wallet: string, own: Contents): Draft {
  const { id } = own.press;
  const open = openDraft(wallet, id);
  if (open !== undefined) return open;
  const theirs = savedOf(own);
  const key = copyKey(wallet, { id, local: "" });
  const copy = readCopy(key);
  const lost = copy !== undefined && !sameText(copy.text, theirs.text) ? copy : undefined;
  // A save came through whose answer did not.
  if (lost === undefined) removeCopy(key);
  const stale = lost !== undefined && lost.base !== theirs.updatedAt;
  return opened({
    ...blank(wallet, String(id)),
    id,
    text: lost?.text ?? theirs.text,
    saved: theirs,
    changedAt: lost?.changedAt,
    phase: stale ? { name: "conflict", theirs } : { name: "rest" },
  });
}

/** The draft of a text that was never saved, by the name that this browser gave it. `defaults` for one that is new. */
export function newDraft(wallet: string, local: string, defaults: Partial<Text>): Draft {
  const key = copyKey(wallet, { local });
  const open = openDrafts.get(key);
  if (open !== undefined) return open;
  const copy = readCopy(key);
  return opened({
    ...blank(wallet, local),
    text: copy?.text ?? { ...emptyText, ...defaults },
    changedAt: copy?.changedAt,
    uncertain: copy?.uncertain ?? false,
  });
}

/** Begins a text of this browser's own with words that stand elsewhere, and answers its name. */
export function copyToNew(wallet: string, text: Text): string {
  const local = newName();
  newDraft(wallet, local, {}).edit(text);
  return local;
}

/** Lets go of a text that was never saved. */
export function discardLocal(wallet: string, local: string): void {
  const key = copyKey(wallet, { local });
  openDrafts.delete(key);
  removeCopy(key);
  removeGeneration(key);
}

/** A draft's state, in a component. */
export function useDraft(draft: Draft): DraftState {
  return useSyncExternalStore(draft.watch, draft.state);
}

type Contents = Pick<OwnPress, "press" | "body">;

/** What the service has, as the draft compares it. */
export function savedOf(own: Contents): Saved {
  return { text: textOf(own), updatedAt: own.press.updatedAt };
}

function blank(wallet: string, local: string): DraftState {
  return {
    wallet,
    local,
    id: undefined,
    text: emptyText,
    generation: undefined,
    saved: undefined,
    changedAt: undefined,
    phase: { name: "rest" },
    uncertain: false,
    locked: false,
    notKept: false,
  };
}

function opened(start: DraftState): Draft {
  const key = copyKey(start.wallet, start);
  const draft = makeDraft({ ...start, generation: readGeneration(key) }, portsOf(start.wallet));
  openDrafts.set(key, draft);
  // Before anybody looks for it by the id that a first save has brought.
  draft.watch(() => openDrafts.set(copyKey(start.wallet, draft.state()), draft));
  return draft;
}

/** A save goes under the session's name: one of another wallet than the draft's must not get its text. */
async function saveAs(wallet: string, input: object) {
  const session = queryClient.getQueryData(me.queryKey);
  if (session !== undefined && session !== wallet) {
    throw new ApiProblem("refused", words.otherSession, { status: 401 });
  }
  return savePress(input);
}

const portsOf = (wallet: string): DraftPorts => ({
  save: (input) => saveAs(wallet, input),
  read: async (id) => savedOf(await readOwnPress(id)),
  findTwin,
  keep,
  onSaved,
  now: () => new Date().toISOString(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
});

async function findTwin(text: Text): Promise<number | undefined> {
  const { presses } = await queryClient.fetchQuery({ ...dashboard, staleTime: 0 });
  const alike = presses.filter(
    ({ status, headline, stock }) =>
      status !== "live" && headline === text.headline.trim() && stock === text.stock.trim().toUpperCase(),
  );
  for (const { id } of alike) {
    if (sameText(textOf(await readOwnPress(id)), text)) return id;
  }
  return undefined;
}

function keep(state: DraftState): boolean {
  const key = copyKey(state.wallet, state);
  const former = copyKey(state.wallet, { local: state.local });
  try {
    if (state.generation === undefined) removeGeneration(key);
    else writeGeneration(key, state.generation);
    if (isUnsaved(state)) writeCopy(key, copyOf(state));
    else if (readCopy(key)?.tab === tab) removeCopy(key);
    if (key !== former) {
      removeCopy(former);
      removeGeneration(former);
    }
    return true;
  } catch (error) {
    if (error instanceof NotKept) return false;
    throw error;
  }
}

function copyOf({ wallet, id, saved, text, generation, changedAt, uncertain }: DraftState) {
  return {
    wallet,
    id,
    base: saved?.updatedAt,
    text,
    generation,
    changedAt: changedAt ?? new Date().toISOString(),
    tab,
    uncertain,
  };
}

function onSaved({ id, saved, text }: DraftState): void {
  if (id === undefined || saved === undefined) return;
  queryClient.setQueryData(ownPress(id).queryKey, (own) =>
    own === undefined
      ? undefined
      : {
          ...own,
          metaUrl: null,
          body: saved.text.body,
          press: {
            ...own.press,
            status: "draft" as const,
            headline: text.headline,
            updatedAt: saved.updatedAt,
          },
        },
  );
  void queryClient.invalidateQueries({ queryKey: dashboard.queryKey });
}

/** What this browser holds of a text that the service does not have yet. */
const CopyForm = z
  .object({
    wallet: z.string(),
    /** The press's id, once there is one. */
    id: z.int().optional(),
    /** The time of the draft that it was written on. */
    base: z.string().optional(),
    text: TextForm,
    generation: GenerationForm.optional(),
    /** ISO 8601. */
    changedAt: z.string(),
    /** Which tab wrote it: the copy is that tab's to remove. */
    tab: z.string(),
    /** Whether a first save was sent whose answer is not known: the press may exist. */
    uncertain: z.boolean().optional(),
  })
  .readonly();
type Copy = z.infer<typeof CopyForm>;

const copies = kept("draft", CopyForm);
const generations = kept("draft-source", GenerationForm);

/** A name that no other text of this browser has. */
export function newName(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join("-");
}

/** A draft's name in this browser: its wallet's, by its id once it has one, else by a name that this browser gave it. */
function copyKey(wallet: string, draft: { readonly id?: number | undefined; readonly local: string }) {
  return `${wallet}:${draft.id ?? draft.local}`;
}

const readCopy = copies.read;
/** Throws `NotKept`. */
const writeCopy = copies.write;
const removeCopy = copies.remove;
const readGeneration = generations.read;
/** Throws `NotKept`. */
const writeGeneration = generations.write;
const removeGeneration = generations.remove;

export type LocalDraft = { readonly local: string; readonly copy: Copy };

/** Texts of a wallet that were never saved, the last one first. */
export function localDrafts(wallet: string): readonly LocalDraft[] {
  return copies
    .all()
    .filter(([, copy]) => copy.wallet === wallet && copy.id === undefined)
    .map(([key, copy]) => ({ local: key.slice(wallet.length + 1), copy }))
    .toSorted((one, other) => Date.parse(other.copy.changedAt) - Date.parse(one.copy.changedAt));
}
