import * as z from "zod";
import type { OwnPress } from "../../../../core/press/schema.ts";
import {
  dashboard,
  discardManuscript,
  keepManuscript,
  type Manuscript,
  makeIdempotencyKey,
  queryManuscript,
  queryOwnPress,
  readManuscript,
  readOwnPress,
  savePress,
} from "../../api/publish.ts";
import { ApiProblem, queryClient } from "../../api/request.ts";
import { me } from "../../api/session.ts";
import { openLocalStore, tryKeep } from "../../store.ts";
import { editor as words } from "../../strings/editor.ts";
import {
  type Draft,
  type DraftPorts,
  type DraftState,
  FirstSaveForm,
  GenerationForm,
  isOnlyHere,
  isUnsaved,
  makeDraft,
  nameManuscript,
  type SavedText,
  type StoredDraft,
} from "./draft.ts";
import { type DraftText, emptyText, isSameText, makeText, TextForm } from "./text.ts";

/** The drafts that are open in this tab. An open draft continues to save itself when its publisher visits another page. */
const openDrafts = new Map<string, Draft>();
/** The names that this page has given to new texts and that the service does not know yet. */
const newNames = new Set<string>();

/** Makes a new text's name, which differs from the names of the writer's other texts. */
export function makeTextName(): string {
  const name = crypto.getRandomValues(new Uint32Array(2)).join("-");
  newNames.add(name);
  return name;
}

/** The name of this tab. The name distinguishes this tab from other tabs that have the same draft open. */
const tab = makeTextName();

/** Finds an open draft. The draft of a saved press is found by the press's id, and any other draft by the text's name. */
export function findOpenDraft(wallet: string, draft: DraftName): Draft | undefined {
  return openDrafts.get(makeCopyKey(wallet, draft));
}

/**
 * The draft of a saved press. The draft starts from this browser's unsaved copy. If there is no copy, the draft starts from the service's
 * manuscript; if there is no manuscript either, the draft starts from the saved press.
 */
export function openDraft(wallet: string, own: SavedPress, unfinished: Manuscript | null): Draft {
  const { id } = own.press;
  const open = findOpenDraft(wallet, { id, local: "" });
  if (open !== undefined) return open;
  const theirs = convertContents(own);
  const key = makeCopyKey(wallet, { id, local: "" });
  const copy = copies.read(key);
  const lost = copy !== undefined && !isSameText(copy.text, theirs.text) ? copy : undefined;
  // If the copy does not differ from the saved press, an earlier save succeeded and only its answer was lost.
  if (lost === undefined) copies.remove(key);
  const start = { ...makeBlankState(wallet, String(id)), id, text: theirs.text, saved: theirs };
  const begun = startDraft(start, lost, unfinished);
  const changed = isUnsaved(begun);
  const base = lost === undefined ? unfinished?.contents?.base : lost.base;
  const stale = changed && base !== theirs.updatedAt;
  return registerDraft(stale ? { ...begun, phase: { name: "conflict", of: "press", theirs } } : begun);
}

/**
 * Finds or makes the draft of a text that is not a press yet. The draft is found by the text's name, which the writer's browser has made.
 * `defaults` are the values of a new draft.
 */
export function openNewDraft(
  wallet: string,
  local: string,
  defaults: Partial<DraftText>,
  unfinished: Manuscript | null,
): Draft {
  const key = makeCopyKey(wallet, { local });
  const open = findOpenDraft(wallet, { local });
  if (open !== undefined) return open;
  const start = { ...makeBlankState(wallet, local), text: { ...emptyText, ...defaults } };
  return registerDraft(startDraft(start, copies.read(key), unfinished));
}

/** Makes a draft from this browser's copy and the service's version. */
function startDraft(
  start: DraftState,
  copy: DraftCopy | undefined,
  unfinished: Manuscript | null,
): DraftState {
  const remote = unfinished === null ? undefined : convertManuscript(unfinished);
  const theirs = remote?.text === undefined ? undefined : { text: remote.text, updatedAt: remote.updatedAt };
  if (copy === undefined) {
    if (theirs === undefined) return start;
    const generation = unfinished?.contents?.generation;
    return { ...start, text: theirs.text, kept: theirs, changedAt: theirs.updatedAt, generation };
  }
  const { keptAt, text, changedAt, first } = copy;
  const mine = { ...start, text, changedAt, first };
  if (theirs !== undefined && (keptAt === theirs.updatedAt || isSameText(theirs.text, text))) {
    return { ...mine, kept: theirs };
  }
  // Another device continued the text before this browser could send its own changes.
  if (theirs !== undefined) return { ...mine, phase: { name: "conflict", of: "manuscript", theirs } };
  return { ...mine, kept: keptAt === undefined ? undefined : { text: undefined, updatedAt: keptAt } };
}

/** Converts a manuscript of the service to the form in which it is compared with a draft. */
export function convertManuscript({ updatedAt, press, contents }: Manuscript): StoredDraft {
  return {
    updatedAt,
    press: press ?? undefined,
    text: contents === null ? undefined : TextForm.parse({ ...contents, priceUsdg: contents.priceText }),
  };
}

/** Starts a new local text with the contents of another text. Returns the new text's name. */
export function copyToNewDraft(wallet: string, text: DraftText): string {
  const local = makeTextName();
  openNewDraft(wallet, local, {}, null).edit(text);
  return local;
}

/** Deletes a text that was never saved as a press: the service's manuscript, and the copies in this browser. Throws ApiProblem. */
export async function discardUnfinished(wallet: string, name: string): Promise<void> {
  const draft = findOpenDraft(wallet, { local: name });
  // While a draft is locked, it sends and stores nothing. Otherwise its next save would bring the discarded text back.
  draft?.lock(true);
  await draft?.flush();
  // A save that was running has made the text a draft, which stays on the dashboard.
  if (draft?.state().id !== undefined) draft.lock(false);
  try {
    await sendForWallet(wallet, () => discardManuscript({ name }));
  } catch (error) {
    draft?.lock(false);
    throw error;
  }
  discardLocalDraft(wallet, name);
  forgetManuscript(name);
}

function discardLocalDraft(wallet: string, local: string): void {
  const key = makeCopyKey(wallet, { local });
  openDrafts.delete(key);
  removeCopies(key);
}

function removeCopies(key: string): void {
  for (const drawer of [copies, generations, asides]) drawer.remove(key);
}

type SavedPress = Pick<OwnPress, "press" | "body">;

/** Converts the service's version of a press to the form in which it is compared with a draft. */
export function convertContents(own: SavedPress): SavedText {
  return { text: makeText(own), updatedAt: own.press.updatedAt };
}

function makeBlankState(wallet: string, local: string): DraftState {
  return {
    wallet,
    local,
    id: undefined,
    text: emptyText,
    generation: undefined,
    saved: undefined,
    kept: undefined,
    changedAt: undefined,
    phase: { name: "rest" },
    first: undefined,
    aside: [],
    locked: false,
    notKept: false,
  };
}

function registerDraft(start: DraftState): Draft {
  const key = makeCopyKey(start.wallet, start);
  const generation = generations.read(key) ?? start.generation;
  const aside = asides.read(key) ?? [];
  knownAsides.set(key, aside);
  const draft = makeDraft({ ...start, generation, aside }, makePorts(start.wallet));
  openDrafts.set(key, draft);
  // After the first save, the page must immediately find the draft under its new id.
  draft.watch(() => openDrafts.set(makeCopyKey(start.wallet, draft.state()), draft));
  return draft;
}

/** Sends a request only if the session still belongs to the draft's wallet, because another wallet must not get the text. */
async function sendForWallet<T>(wallet: string, send: () => Promise<T>): Promise<T> {
  const session = queryClient.getQueryData(me.queryKey);
  if (session !== undefined && session !== wallet) {
    throw new ApiProblem("refused", words.otherSession, { status: 401 });
  }
  return send();
}

/** Removes a manuscript from the cache, because the next visit must start from the service's version. */
function forgetManuscript(name: string): void {
  queryClient.removeQueries({ queryKey: queryManuscript(name).queryKey });
  void queryClient.invalidateQueries({ queryKey: dashboard.queryKey });
}

const makePorts = (wallet: string): DraftPorts => ({
  save: (body, key) => sendForWallet(wallet, () => savePress(body, key)),
  keepUnfinished: (input) =>
    sendForWallet(wallet, async () => {
      const kept = await keepManuscript(input);
      forgetManuscript(String(Object(input).name));
      return kept;
    }),
  readUnfinished: async (name) => {
    const found = await readManuscript(name);
    return found === null ? undefined : convertManuscript(found);
  },
  discardUnfinished: (name, updatedAt) =>
    sendForWallet(wallet, async () => {
      await discardManuscript({ name, updatedAt });
      forgetManuscript(name);
    }),
  read: async (id) => convertContents(await readOwnPress(id)),
  newKey: makeIdempotencyKey,
  keep: storeCopy,
  onSaved: storeSavedDraft,
  now: () => new Date().toISOString(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
});

function storeCopy(state: DraftState): boolean {
  const key = makeCopyKey(state.wallet, state);
  const former = makeCopyKey(state.wallet, { local: state.local });
  return tryKeep(() => {
    if (state.generation === undefined) generations.remove(key);
    else generations.write(key, state.generation);
    storeAsides(key, state.aside);
    if (isOnlyHere(state)) copies.write(key, makeLocalCopy(state));
    else {
      const copy = copies.read(key);
      // The copy of an earlier tab is removed after the writer has decided a conflict, because `asides` has its text.
      if (copy?.tab === tab || state.aside.some((one) => copy !== undefined && isSameText(one, copy.text)))
        copies.remove(key);
    }
    if (key !== former) removeCopies(former);
  });
}

/**
 * Adds this page's changes to the stored list of the versions that were not chosen in conflicts. Another tab may have stored other versions
 * meanwhile.
 */
function storeAsides(key: string, list: DraftState["aside"]): void {
  const known = knownAsides.get(key) ?? [];
  const subtract = (from: DraftState["aside"], others: DraftState["aside"]) =>
    from.filter((one) => !others.some((other) => isSameText(one, other)));
  const [added, dropped] = [subtract(list, known), subtract(known, list)];
  knownAsides.set(key, list);
  if (added.length + dropped.length === 0) return;
  const next = [...added, ...subtract(asides.read(key) ?? [], [...added, ...dropped])];
  if (next.length === 0) asides.remove(key);
  else asides.write(key, next);
}

function makeLocalCopy({ wallet, id, saved, kept, text, generation, changedAt, first }: DraftState) {
  return {
    wallet,
    id,
    base: saved?.updatedAt,
    keptAt: kept?.updatedAt,
    text,
    generation,
    changedAt: changedAt ?? new Date().toISOString(),
    tab,
    first,
  };
}

function storeSavedDraft({ id, local, saved, text }: DraftState): void {
  if (id === undefined || saved === undefined) return;
  for (const name of [local, nameManuscript({ id, local })]) forgetManuscript(name);
  queryClient.setQueryData(queryOwnPress(id).queryKey, (own) =>
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
}

/** This browser's copy of a text that the service does not have yet. */
const CopyForm = z
  .object({
    wallet: z.string(),
    id: z.int().optional(),
    /** The time at which the service saved the version of the press on which the text is based. */
    base: z.string().optional(),
    /** The version of the service's manuscript on which the text is based. */
    keptAt: z.string().optional(),
    text: TextForm,
    generation: GenerationForm.optional(),
    /** ISO 8601. */
    changedAt: z.string(),
    /** The tab that wrote the copy. Only the tab that wrote the copy may delete the copy. */
    tab: z.string(),
    /** The first save, if the service's answer has not arrived. The press may already exist, because the answer may have been lost. */
    first: FirstSaveForm.optional(),
  })
  .readonly();
type DraftCopy = z.infer<typeof CopyForm>;

const copies = openLocalStore("draft", CopyForm);
const generations = openLocalStore("draft-source", GenerationForm);
/** The stored versions that were not chosen in conflicts. */
const asides = openLocalStore(
  "draft-aside",
  z.union([z.array(TextForm), TextForm.transform((text) => [text])]).readonly(),
);
/** The versions that this page has read or stored, under the draft's key. */
const knownAsides = new Map<string, DraftState["aside"]>();

/** Whether this page gave this name to a new text, and the service does not know the text yet. */
export function isNewName(name: string): boolean {
  return newNames.has(name);
}

export type DraftName = { readonly id?: number | undefined; readonly local: string };

/**
 * The key of a draft in this browser's storage. The key consists of the wallet and the press's id, or of the wallet and the local name if
 * the press has no id yet.
 */
function makeCopyKey(wallet: string, draft: DraftName): string {
  return `${wallet}:${draft.id ?? draft.local}`;
}

/** The texts of a wallet in this browser that are not a press yet. The service may also store these texts as manuscripts. */
export function listLocalDrafts(wallet: string) {
  return copies
    .all()
    .filter(([, copy]) => copy.wallet === wallet && copy.id === undefined)
    .map(([key, copy]) => ({ local: key.slice(wallet.length + 1), copy }));
}
