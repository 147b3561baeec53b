import unhomoglyph from "unhomoglyph";
import { keccak256, stringToBytes } from "viem/utils";
import { poll } from "../port/clock.ts";
import type { AllPorts } from "../ports.ts";
import type { BylineItem } from "../record/press.ts";
import type { Action, WriteEntities } from "../transact.ts";

type Ports = Pick<AllPorts, "table" | "clock">;

/**
 * The effects of a new live press on its byline: the writes that change the byline's records, and whether the byline must be shown with the
 * author's address.
 */
export type BylineClaim = {
  readonly isAmbiguous: boolean;
  readonly writes: (entities: WriteEntities) => readonly Action[];
};

/**
 * Prepares the records that reserve a byline for a wallet. The records are written in the table transaction that makes a press live. A
 * byline belongs to its first wallet until another wallet uses a byline that looks the same. If two wallets have used a byline, even in two
 * spellings that look the same, the byline counts as shared forever. If a condition of the writes fails, another press has taken the byline
 * in the meantime, and the caller must prepare the records again.
 */
export async function prepareClaim({ table }: Ports, wallet: string, byline: string): Promise<BylineClaim> {
  const looks = computeBylineKeys(byline);
  const found = await Promise.all(
    looks.map((key) => table.entities.byline.get({ looks: key }).go({ consistent: true })),
  );
  const records = found.map(({ data }) => data);
  return {
    isAmbiguous:
      looks.length === 0 ||
      isAddressLike(byline) ||
      records.some((record) => record !== null && (record.shared === true || record.wallet !== wallet)),
    writes: ({ byline }) =>
      looks.flatMap((key, index) => {
        const record = records[index];
        if (record == null) return [byline.create({ looks: key, wallet, presses: 1 }).commit()];
        if (record.shared === true) return [];
        // While only one wallet uses a byline, the byline's presses are counted. When the presses under the byline are marked as shared,
        // this count of presses tells whether the index already shows all these presses.
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
 * Marks the first wallet's live presses under a byline that another wallet now shares. The presses are marked only once for each byline, so
 * that more wallets with the same byline cause no more work. If the process crashes before all presses are marked, the next message, or the
 * next press under the byline, marks the remaining presses. Throws if the index does not yet show all presses of the first wallet.
 */
export async function markSharedByline(ports: Ports, id: number): Promise<void> {
  const { press, byline } = ports.table.entities;
  const { data } = await press.get({ id }).go({ consistent: true });
  if (data?.status !== "live") return;
  for (const looks of computeBylineKeys(data.publisherName)) {
    const { data: record } = await byline.get({ looks }).go({ consistent: true });
    if (record?.shared !== true || record.marked === true) continue;
    await markPresses(ports, record);
    await byline.patch({ looks }).set({ marked: true }).go();
  }
}

/** The milliseconds between two queries of the index, and the number of queries after which the queue must deliver the message again. */
const indexPause = 500;
const mostLooks = 6;
const markedTogether = 25;

async function markPresses({ table, clock }: Ports, { looks, wallet, presses }: BylineItem): Promise<void> {
  const { press } = table.entities;
  const all = await poll(clock, { tries: mostLooks, pauseMs: () => indexPause }, async () => {
    const { data } = await press.query
      .byPublisher({ publisher: wallet })
      .go({ pages: "all", attributes: ["id", "status", "publisherName", "bylineAmbiguous"] });
    const under = data.filter(
      ({ status, publisherName }) => status === "live" && computeBylineKeys(publisherName).includes(looks),
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

/** Invisible characters, and marks (such as accents) that combine with a letter and change it. */
const unseen = /[\p{Script=Inherited}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const notLetters = /[^\p{L}\p{N}\p{M}]/gu;

/**
 * The keys of a byline; bylines that look alike have at least one key in common. The keys come from two skeletons (UTS #39): one of the
 * byline's letters in lower case, and one of the letters as written. Two skeletons are needed, because a capital letter may look like a
 * letter of another script although the small letter does not. Accents, spaces and signs in a byline are ignored. A byline without a letter
 * or digit has no key.
 */
export function computeBylineKeys(byline: string): readonly string[] {
  const seen = byline.normalize("NFKD").replace(unseen, "");
  const forms = [seen.toLowerCase(), makeSkeleton(seen).toLowerCase()].map((text) =>
    // A capital I looks like a small l, but the capital I is the same letter as a small i, so I, l and i are all replaced by l.
    makeSkeleton(text).toLowerCase().replace(notLetters, "").replaceAll("i", "l"),
  );
  return [...new Set(forms)].filter((form) => form !== "").map((form) => keccak256(stringToBytes(form)));
}

function makeSkeleton(text: string): string {
  return unhomoglyph(text).normalize("NFKD").replace(unseen, "");
}

/** Whether a byline looks so much like the beginning of an address that readers could take it for another wallet's address. */
function isAddressLike(byline: string): boolean {
  const seen = makeSkeleton(byline.normalize("NFKD").replace(unseen, ""))
    .toLowerCase()
    .replace(notLetters, "");
  return /^ox[\da-fol]{4}/.test(seen);
}
