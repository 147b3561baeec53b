import { checkWording } from "../audit/index.ts";
import type { Address } from "../chain/hex.ts";
import { AppError, makeBusyError } from "../error.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import * as Press from "../press/index.ts";
import { countBytes } from "../press/schema.ts";
import type { PressItem } from "../record/press.ts";
import { type Action, commit, type WriteEntities } from "../transact.ts";
import {
  Corrected,
  type CorrectInput,
  mostChanges,
  mostNoteBytes,
  mostNotes,
  type PriceInput,
  type UnlistInput,
} from "./schema.ts";

type Ports = Pick<AllPorts, "table" | "clock">;

/** The maximum number of attempts to change a press while other requests change the same press. */
const attempts = 5;

/**
 * Adds a dated note to one of the caller's live presses. The text that was sold and the text's hash do not change. A note cannot be changed
 * or removed, and a request that repeats the last note adds no second note. The note is checked by the audit's rules for wording, and is
 * refused if its words would prevent the approval of a draft. Throws `note_refused` (`input`), `correction_limit` (`limit`), and the errors
 * of `editPress`.
 */
export async function addNote(ports: Ports, wallet: Address, { id, text }: CorrectInput): Promise<Corrected> {
  const press = await readLivePress(ports, wallet, id);
  await checkWording(ports, press.stock, text);
  return editPress(ports, wallet, id, (found, at) => {
    const { corrections = [] } = found;
    if (corrections.at(-1)?.text === text) return undefined;
    const notes = [...corrections, { at, text }];
    // The answer of a Lambda function contains the JSON of the list as a text, so quotes and control characters are escaped twice.
    const bytes = countBytes(JSON.stringify(JSON.stringify(notes)));
    if (notes.length > mostNotes || bytes > mostNoteBytes)
      throw makeLimitError(`${mostNotes} notes of ${mostNoteBytes / 1024} kB in all`);
    return { press: { corrections: notes } };
  });
}

/**
 * Removes one of the caller's live presses from all lists and from sale, or lists the press again. The page of an unlisted press stays
 * reachable and says that the press is unlisted. A wallet that has unlocked an unlisted press can still read the text, and a wallet that
 * has paid the fee for the press can complete its purchase. Throws `correction_limit` (`limit`), and the errors of `editPress`.
 */
export async function unlist(
  ports: Ports,
  wallet: Address,
  { id, unlisted }: UnlistInput,
): Promise<Corrected> {
  return editPress(ports, wallet, id, (found, at) => {
    if ((found.unlistedAt !== undefined) === unlisted) return undefined;
    checkChangeLimit(found);
    return { isUnlisted: unlisted, press: unlisted ? { unlistedAt: at } : {} };
  });
}

/**
 * Changes the price of one of the caller's live presses. After the change, a payment that was signed for the earlier price is refused, and
 * the refusal contains the payment terms with the new price. A wallet that has already paid the fee completes the purchase at the price
 * that was valid when it paid the fee. Throws `price_too_low` (`input`), `correction_limit` (`limit`), and the errors of `editPress`.
 */
export async function changePrice(
  ports: Ports & { readonly settings: Pick<Settings, "minPriceUnits"> },
  wallet: Address,
  { id, priceUsdg }: PriceInput,
): Promise<Corrected> {
  Press.checkPrice(ports, priceUsdg);
  const priceUnits = String(priceUsdg);
  return editPress(ports, wallet, id, (found, at) => {
    if (found.priceUnits === priceUnits) return undefined;
    checkChangeLimit(found);
    return { press: { priceUnits, priceChangedAt: at } };
  });
}

type PressChange = {
  readonly press: Partial<Pick<PressItem, "corrections" | "unlistedAt" | "priceUnits" | "priceChangedAt">>;
  /**
   * Whether the change unlists the press (`true`) or lists it again (`false`). `isUnlisted` is missing if the change neither unlists the
   * press nor lists it again.
   */
  readonly isUnlisted?: boolean;
};

/**
 * Changes a live press and the copies of its fields that payments read, all in one table transaction. If another request changed the press
 * at the same time, `plan` is called again. If `plan` returns `undefined`, the press stays as it is. Throws `unknown_press` (`missing`),
 * `press_not_live` (`conflict`), and `table_busy` (`upstream`).
 */
async function editPress(
  ports: Ports,
  wallet: Address,
  id: number,
  plan: (found: PressItem, at: string) => PressChange | undefined,
): Promise<Corrected> {
  for (let left = attempts; left > 0; left -= 1) {
    const found = await readLivePress(ports, wallet, id);
    const planned = plan(found, new Date(ports.clock.now()).toISOString());
    if (planned === undefined) return toCorrectedPress(found);
    const outcome = await commit(ports, (entities) => makeWrites(entities, found, planned));
    if (outcome.done) return toCorrectedPress(await readLivePress(ports, wallet, id));
    if (!outcome.refused.has("press")) break;
  }
  throw makeBusyError(new Error("During every attempt, other requests changed the press"));
}

function makeWrites(
  entities: WriteEntities,
  found: LiveItem,
  { press, isUnlisted }: PressChange,
): Readonly<Record<string, Action | undefined>> {
  const { id, pressId, changes, stock: stockShelf, publishedAt, slug, priceUnits: before } = found;
  const patched = entities.press.patch({ id }).set({ ...press, changes: (changes ?? 0) + 1 });
  const listed =
    isUnlisted === true
      ? patched.remove(["shelf", "stockShelf"])
      : isUnlisted === false
        ? patched.set({ shelf: "live", stockShelf, publishedAt, slug }).remove(["unlistedAt"])
        : patched;
  const { priceUnits, unlistedAt } = press;
  return {
    press: listed
      .where((stored, { eq, notExists }) =>
        changes === undefined ? notExists(stored.changes) : eq(stored.changes, changes),
      )
      .commit(),
    agent:
      priceUnits !== undefined
        ? entities.agent
            .patch({ pressId })
            .set({ priceUnits })
            .append({ formerPrices: [before] })
            .commit()
        : unlistedAt !== undefined
          ? entities.agent.patch({ pressId }).set({ unlistedAt }).commit()
          : isUnlisted === false
            ? entities.agent.patch({ pressId }).remove(["unlistedAt"]).commit()
            : undefined,
  };
}

/** A live press, with the fields that a press gets when it goes live. */
type LiveItem = PressItem & Required<Pick<PressItem, "pressId" | "slug" | "publishedAt">>;

async function readLivePress(ports: Ports, wallet: Address, id: number): Promise<LiveItem> {
  const press = await Press.readOwnPress(ports, wallet, id);
  const { status, pressId, slug, publishedAt } = press;
  if (status === "live" && pressId !== undefined && slug !== undefined && publishedAt !== undefined) {
    return { ...press, pressId, slug, publishedAt };
  }
  throw new AppError(
    "conflict",
    "press_not_live",
    "This article is not live yet. Save the draft with your changes.",
  );
}

function checkChangeLimit({ changes = 0, corrections = [] }: PressItem): void {
  if (changes - corrections.length >= mostChanges)
    throw makeLimitError(`${mostChanges} changes of price and listing`);
}

/**
 * The limit on a press's corrections is never lifted. This error still says that the caller should retry after one day, because every
 * `limit` error must say when to retry (design §2).
 */
function makeLimitError(most: string): AppError {
  return new AppError("limit", "correction_limit", `A press can have at most ${most}.`, {
    retryAfter: 86_400,
  });
}

function toCorrectedPress(press: PressItem): Corrected {
  return Corrected.parse(Press.pickCommonFields(press));
}
