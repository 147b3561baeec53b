import unhomoglyph from "unhomoglyph";
import { keccak256, stringToBytes } from "viem/utils";
import { type Clock, poll } from "../port/clock.ts";
import type { BylineItem } from "../record/press.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";

type Ports = { readonly table: Table; readonly clock: Clock };

/** How a press that goes live changes the records of its byline, and whether the byline is shown with the author's address. */
export type BylineClaim = {
  readonly isAmbiguous: boolean;
  readonly writes: (entities: WriteEntities) => readonly Action[];
};

/**
 * Claims a byline for a wallet, to be written in the transaction that makes a press live. The first wallet has the byline alone; once
 * another wallet claims one that looks alike, it is shared for good. A failed condition means that another press came between: claim again.
 */
export async function claim({ table }: Ports, wallet: string, byline: string): Promise<BylineClaim> {
  const looks = looksOf(byline);
  const found = await Promise.all(
    looks.map((key) => table.entities.byline.get({ looks: key }).go({ consistent: true })),
  );
  const records = found.map(({ data }) => data);
  return {
    isAmbiguous:
      looks.length === 0 ||
      isLikeAddress(byline) ||
      records.some((record) => record !== null && (record.shared === true || record.wallet !== wallet)),
    writes: ({ byline }) =>
      looks.flatMap((key, index) => {
        const record = records[index];
        if (record == null) return [byline.create({ looks: key, wallet, presses: 1 }).commit()];
        if (record.shared === true) return [];
        // Presses are counted until the byline is shared, because the index may not show all of them when they are marked.
        const changed = byline.patch({ looks: key });
        return [
          (record.wallet === wallet ? changed.add({ presses: 1 }) : changed.set({ shared: true }))
            .where(({ shared }, { notExists }) => notExists(shared))
            .commit(),
        ];
      }),
  };
}

/**
 * Marks the presses that the first wallet had live under this press's byline before another wallet shared it. Once for each byline, so
 * that any number of wallets with one byline costs no more. Safe to repeat: what a crash has left is marked by the next message, or by the
 * next press under the byline. Throws while the index does not show all of them.
 */
export async function markShared(ports: Ports, id: number): Promise<void> {
  const { press, byline } = ports.table.entities;
  const { data } = await press.get({ id }).go({ consistent: true });
  if (data?.status !== "live") return;
  for (const looks of looksOf(data.publisherName)) {
    const { data: record } = await byline.get({ looks }).go({ consistent: true });
    if (record?.shared !== true || record.marked === true) continue;
    await markAll(ports, record);
    await byline.patch({ looks }).set({ marked: true }).go();
  }
}

/** Milliseconds between reads of the index, and how many reads before the message is left to be delivered again. */
const indexPause = 500;
const mostLooks = 6;
const markedTogether = 25;

async function markAll({ table, clock }: Ports, { looks, wallet, presses }: BylineItem): Promise<void> {
  const { press } = table.entities;
  const all = await poll(clock, { tries: mostLooks, pauseMs: () => indexPause }, async () => {
    const { data } = await press.query
      .byPublisher({ publisher: wallet })
      .go({ pages: "all", attributes: ["id", "status", "publisherName", "bylineAmbiguous"] });
    const under = data.filter(
      ({ status, publisherName }) => status === "live" && looksOf(publisherName).includes(looks),
    );
    const unmarked = under.filter(({ bylineAmbiguous }) => bylineAmbiguous !== true);
    for (let from = 0; from < unmarked.length; from += markedTogether) {
      const some = unmarked.slice(from, from + markedTogether);
      await Promise.all(some.map(({ id }) => press.patch({ id }).set({ bylineAmbiguous: true }).go()));
    }
    return under.length >= presses ? true : undefined;
  });
  if (all === undefined) throw new Error(`The index does not show all presses of ${wallet} yet`);
}

/** Marks that change a letter, and characters that show nothing. */
const unseen = /[\p{Script=Inherited}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const notLetters = /[^\p{L}\p{N}\p{M}]/gu;

/**
 * The keys that a byline shares with bylines that look like it: the skeleton of its letters in lower case, and of its letters as written
 * (UTS #39). Both are needed, because a capital may look like a letter of another script when its small letter does not. Accents, spaces
 * and signs are ignored. A byline without a letter or digit has no key.
 */
export function looksOf(byline: string): readonly string[] {
  const seen = byline.normalize("NFKD").replace(unseen, "");
  const forms = [seen.toLowerCase(), skeleton(seen).toLowerCase()].map((text) =>
    // A capital I looks like a small l, and is the same letter as a small i.
    skeleton(text).toLowerCase().replace(notLetters, "").replaceAll("i", "l"),
  );
  return [...new Set(forms)].filter((form) => form !== "").map((form) => keccak256(stringToBytes(form)));
}

function skeleton(text: string): string {
  return unhomoglyph(text).normalize("NFKD").replace(unseen, "");
}

/** Whether a byline looks like the beginning of an address, so that it could stand for another wallet's. */
function isLikeAddress(byline: string): boolean {
  const seen = skeleton(byline.normalize("NFKD").replace(unseen, "")).toLowerCase().replace(notLetters, "");
  return /^ox[\da-fol]{4}/.test(seen);
}
