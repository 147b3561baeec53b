import type { Address } from "../chain/hex.ts";
import { AppError, makeBusyError } from "../error.ts";
import type { AllPorts } from "../ports.ts";
import type { Table } from "../table.ts";
import { type Action, commit, type WriteEntities } from "../transact.ts";
import {
  Contents,
  type DiscardInput,
  encodeContents,
  type Kept,
  type Manuscript,
  ManuscriptEntry,
  ManuscriptVersion,
  mostManuscripts,
  type SaveManuscriptInput,
} from "./schema.ts";

type Ports = Pick<AllPorts, "table" | "clock">;

/** The maximum number of characters of a headline in a list. */
const headlineLength = 120;

/**
 * After a manuscript has become a press, a reference to the press is stored for this number of seconds, so that the writer's other devices
 * find the press.
 */
const traceSeconds = 30 * 24 * 60 * 60;

/**
 * Stores a text in any state, valid or not, under a name that the writer's program has chosen. A wallet can have at most `mostManuscripts`
 * manuscripts. When a manuscript is stored, no save quota is used up and no press is changed. Throws `stale_manuscript` (`conflict`) if
 * another version was stored meanwhile or the text became a press, `too_many_manuscripts` (`conflict`), and `table_busy` (`upstream`).
 */
export async function keep(ports: Ports, publisher: Address, input: SaveManuscriptInput): Promise<Kept> {
  const { name, updatedAt: before } = input;
  const now = ports.clock.now();
  const updatedAt = new Date(
    before === undefined ? now : Math.max(now, Date.parse(before) + 1),
  ).toISOString();
  const shown = {
    headline: Array.from(input.headline.trim()).slice(0, headlineLength).join("").toWellFormed(),
    stock: input.stock.trim().slice(0, 20).toWellFormed(),
    updatedAt,
  };
  const outcome = await commit(ports, (entities) => ({
    text: entities.manuscriptText
      .put({ publisher, name, updatedAt, contents: encodeContents(input) })
      .commit(),
    ...(before === undefined
      ? {
          manuscript: entities.manuscript.create({ publisher, name, ...shown }).commit(),
          names: entities.manuscriptNames
            .update({ publisher })
            .add({ names: [name] })
            .where(
              ({ names }, { notExists, size, escape: number, contains }) =>
                `${notExists(names)} OR ${size(names)} < ${number(mostManuscripts)} OR ${contains(names, name)}`,
            )
            .commit(),
        }
      : {
          manuscript: entities.manuscript
            .patch({ publisher, name })
            .set(shown)
            .where(
              ({ updatedAt: stored, press }, { eq, notExists }) =>
                `${eq(stored, before)} AND ${notExists(press)}`,
            )
            .commit(),
        }),
  }));
  if (outcome.done) return { updatedAt };
  if (outcome.refused.has("manuscript")) throw await makeStaleError(ports.table, publisher, name);
  if (outcome.refused.has("names")) throw makeTooManyError();
  throw makeBusyError(new Error("During every attempt, other requests changed the same records"));
}

/**
 * Deletes a manuscript. The request also succeeds if the manuscript does not exist. Throws `stale_manuscript` (`conflict`) when the named
 * version is outdated, and `table_busy` (`upstream`).
 */
export async function deleteManuscript(ports: Ports, publisher: Address, input: DiscardInput): Promise<void> {
  const outcome = await commit(ports, (entities) => makeRemovalWrites(entities, publisher, input));
  if (outcome.done) return;
  if (outcome.refused.has("manuscript")) throw await makeStaleError(ports.table, publisher, input.name);
  throw makeBusyError(new Error("During every attempt, other requests changed the same records"));
}

/** Returns the table writes by which a transaction deletes a manuscript. */
export function makeRemovalWrites(
  { manuscript, manuscriptText, manuscriptNames }: WriteEntities,
  publisher: Address,
  { name, updatedAt }: DiscardInput,
): { readonly manuscript: Action; readonly text: Action; readonly names: Action } {
  const gone = manuscript.delete({ publisher, name });
  return {
    manuscript:
      updatedAt === undefined
        ? gone.commit()
        : gone
            .where(
              ({ updatedAt: stored }, { eq, notExists }) =>
                `${notExists(stored)} OR ${eq(stored, updatedAt)}`,
            )
            .commit(),
    ...makeTextRemoval({ manuscriptText, manuscriptNames }, publisher, name),
  };
}

/**
 * Returns the table writes by which a transaction replaces a manuscript with a reference to its press. The reference to the press is stored
 * for a limited time.
 */
export function makeConversionWrites(
  { manuscript, manuscriptText, manuscriptNames }: WriteEntities,
  publisher: Address,
  { name, updatedAt }: ManuscriptVersion,
  { press, now }: { readonly press: number; readonly now: number },
): ReturnType<typeof makeRemovalWrites> {
  return {
    manuscript: manuscript
      .patch({ publisher, name })
      .set({ press, expiresAt: Math.floor(now / 1000) + traceSeconds })
      .where(
        ({ updatedAt: stored, press: become }, { eq, notExists }) =>
          `${eq(stored, updatedAt)} AND ${notExists(become)}`,
      )
      .commit(),
    ...makeTextRemoval({ manuscriptText, manuscriptNames }, publisher, name),
  };
}

function makeTextRemoval(
  { manuscriptText, manuscriptNames }: Pick<WriteEntities, "manuscriptText" | "manuscriptNames">,
  publisher: Address,
  name: string,
) {
  return {
    text: manuscriptText.delete({ publisher, name }).commit(),
    names: manuscriptNames
      .update({ publisher })
      .delete({ names: [name] })
      .commit(),
  };
}

/**
 * Reads a wallet's manuscript by its name in one consistent table request. Returns the manuscript with its text, or the press that the
 * manuscript became. Throws `unknown_manuscript` (`missing`).
 */
export async function read(
  { table }: Pick<Ports, "table">,
  publisher: Address,
  name: string | undefined,
): Promise<Manuscript> {
  const named = ManuscriptVersion.shape.name.safeParse(name);
  if (!named.success) throw makeUnknownError();
  const key = { publisher, name: named.data };
  const { manuscript, manuscriptText } = table.entities;
  const [item, text] = await table.together([manuscript.get(key).params(), manuscriptText.get(key).params()]);
  if (item === undefined) throw makeUnknownError();
  const found = manuscript.parse(item).data;
  if (found === null) throw makeUnknownError();
  const { updatedAt, press } = found;
  const stored = text === undefined ? null : manuscriptText.parse(text).data;
  // The manuscript's list entry and its text are read at different moments, so the answer contains the time that is stored with the text.
  return {
    name: found.name,
    updatedAt: stored?.updatedAt ?? updatedAt,
    press: press ?? null,
    contents: stored === null || press !== undefined ? null : Contents.parse(JSON.parse(stored.contents)),
  };
}

/** Lists a wallet's manuscripts; the manuscript that was changed last comes first. Manuscripts that became presses are marked. */
export function listEntries(
  items: readonly (ManuscriptEntry & { readonly press?: number | undefined })[],
): readonly ManuscriptEntry[] {
  return items
    .filter(({ press }) => press === undefined)
    .toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
    .map((item) => ManuscriptEntry.parse(item));
}

/**
 * The error for a request that names an outdated version of a manuscript. The error contains the stored version, or the press that the
 * manuscript became, so that the writer can continue with the newest text.
 */
export async function makeStaleError(table: Table, publisher: Address, name: string): Promise<AppError> {
  const { data } = await table.entities.manuscript.get({ publisher, name }).go({ consistent: true });
  const details = {
    ...(data !== null && { updatedAt: data.updatedAt }),
    ...(data?.press !== undefined && { press: data.press }),
  };
  return new AppError(
    "conflict",
    "stale_manuscript",
    "This text was changed elsewhere since you opened it. Nothing was overwritten: load the text again.",
    { details },
  );
}

function makeTooManyError(): AppError {
  return new AppError(
    "conflict",
    "too_many_manuscripts",
    `A wallet can keep at most ${mostManuscripts} unfinished texts. Nothing was stored: finish or discard a text first.`,
  );
}

function makeUnknownError(): AppError {
  return new AppError("missing", "unknown_manuscript", "You have no unfinished text of this name.");
}
