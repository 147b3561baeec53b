import * as z from "zod";
import { kept } from "../../store/kept.ts";
import { TextForm } from "./text.ts";

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
export type Copy = z.infer<typeof CopyForm>;

const copies = kept("draft", CopyForm);
const generations = kept("draft-source", GenerationForm);

/** A name that no other text of this browser has. */
export function newName(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join("-");
}

/** A draft's name in this browser: its wallet's, by its id once it has one, else by a name that this browser gave it. */
export function copyKey(wallet: string, draft: { readonly id?: number | undefined; readonly local: string }) {
  return `${wallet}:${draft.id ?? draft.local}`;
}

export const readCopy = copies.read;
/** Throws `NotKept`. */
export const writeCopy = copies.write;
export const removeCopy = copies.remove;
export const readGeneration = generations.read;
/** Throws `NotKept`. */
export const writeGeneration = generations.write;
export const removeGeneration = generations.remove;

export type LocalDraft = { readonly local: string; readonly copy: Copy };

/** Texts of a wallet that were never saved, the last one first. */
export function localDrafts(wallet: string): readonly LocalDraft[] {
  return copies
    .all()
    .filter(([, copy]) => copy.wallet === wallet && copy.id === undefined)
    .map(([key, copy]) => ({ local: key.slice(wallet.length + 1), copy }))
    .toSorted((one, other) => Date.parse(other.copy.changedAt) - Date.parse(one.copy.changedAt));
}
