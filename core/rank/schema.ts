import * as z from "zod";

const Fees = z.string().describe("USDG base units, as decimal text.");

/**
 * The ranking of presses by the votes of readers who have paid. The weight of a vote is the sum of the fees that its wallet has paid to the
 * platform, so a person gains nothing by voting with many wallets.
 */
export const Standing = z.object({
  reads: z.int().describe("Paid unlocks by wallets other than the publisher's and the owner's."),
  readFees: Fees.describe("The platform's fees for the unlocks that `reads` counts, in USDG base units."),
  voterFees: Fees.describe(
    "The part of `readFees` that was paid by wallets whose votes count in `upFees` or `downFees`.",
  ),
  upFees: Fees.describe(
    "The sum of the weights of readers' votes for the press. A vote's weight is the sum of the wallet's fees to the platform in the 90 days before the vote, in USDG base units.",
  ),
  downFees: Fees.describe("The sum of the weights of readers' votes against the press."),
});
export type Standing = Readonly<z.infer<typeof Standing>>;

/** The counts and fees of a press that has no readers yet. */
export const noStanding: Standing = { reads: 0, readFees: "0", voterFees: "0", upFees: "0", downFees: "0" };

/** The weight of a vote is the sum of the fees that the voter's wallet has paid in this number of days before the vote. */
export const feeDays = 90;

/** The number of days after which the rank of a press is halved. */
export const halfLifeDays = 2;

/**
 * A press needs this amount of fees in USDG, multiplied by the number of listed presses, before it can be the lead article of the front
 * page.
 */
export const leadFeesPerPress = 0.5;

/** A press must have this share of the lead article's minimum fees before it can appear among the most read or the best rated presses. */
const placeShare = 0.1;

/** The maximum number of presses in one part of the front page, and the number of past days whose presses can be chosen. */
const most = 4;
const frontDays = 7;
const day = 24 * 60 * 60 * 1000;

/** The numbers from which the rank of a press is computed. */
export type RankInputs = {
  readonly id: number;
  readonly publishedAt: string;
  readonly standing: Standing;
  readonly auditScore: number;
};

/**
 * The fees that support a press minus the fees against the press, in USDG. Each wallet counts once. A vote for or against the press has the
 * weight of all fees that the voter's wallet paid in the 90 days before the vote. The weight of a reader who has not voted is the reader's
 * fee for this press. So the fees that count for a press never exceed the fees that its supporters have paid to the platform.
 */
export function computeSupportFees({ standing }: Pick<RankInputs, "standing">): number {
  const { readFees, voterFees, upFees, downFees } = standing;
  return toDollars(BigInt(readFees) - BigInt(voterFees) + BigInt(upFees) - BigInt(downFees));
}

/**
 * Computes the rank of a press. The rank is the fees that support the press minus the fees against it, halved for every two days since the
 * press went live. `now` is in milliseconds.
 */
export function computeRank(press: RankInputs, now: number): number {
  return computeSupportFees(press) * computeFreshness(press, now);
}

/** The parts of the front page that are the same for all readers. */
export type FrontPage<Press extends RankInputs> = {
  /** The press that has the highest rank of the week, if its supporters have paid enough fees to make it the lead article. */
  readonly lead: Press | undefined;
  /** The most read presses, ordered by the fees that their readers have paid. */
  readonly read: readonly Press[];
  /** The best rated presses, ordered by the fees of a press's supporters minus the fees of the wallets that voted against the press. */
  readonly rated: readonly Press[];
};

/**
 * Chooses the front page's parts from the listed presses of the last seven days. Presses of equal rank are ordered by audit score, and
 * presses of equal score stay in the given order, newest first. `now` is in milliseconds.
 */
export function chooseFront<Press extends RankInputs>(
  presses: readonly Press[],
  now: number,
): FrontPage<Press> {
  const week = keepRecent(presses, now);
  const least = computeLeadFees(presses.length);
  const chooseTop = (of: (press: Press) => number) =>
    sortPresses(
      week.filter((press) => of(press) >= least * placeShare),
      (press) => of(press) * computeFreshness(press, now),
    ).slice(0, most);
  return {
    lead: sortPresses(listCandidates(week, least), (press) => computeRank(press, now))[0],
    read: chooseTop(({ standing }) => toDollars(BigInt(standing.readFees))),
    rated: chooseTop(({ standing }) => toDollars(BigInt(standing.upFees) - BigInt(standing.downFees))),
  };
}

/** The fees in USDG that a press needs before it can be the lead article, when the given number of presses is listed. */
export function computeLeadFees(presses: number): number {
  return Math.max(presses, 1) * leadFeesPerPress;
}

/**
 * The minimum sum of fees in USDG that somebody would have to pay to make a newly published press the lead article. The assumption is that
 * the paying wallets buy the press, vote for it, and vote against its rivals. `now` is in milliseconds.
 */
export function findLeadCost(presses: readonly RankInputs[], now: number): number {
  // The newly published press is not yet in `presses`, so it is counted as one more listed press.
  const least = computeLeadFees(presses.length + 1);
  const rivals = listCandidates(keepRecent(presses, now), least).map((press) => {
    const behind = computeSupportFees(press);
    const fresh = computeFreshness(press, now);
    // Votes against a rival press lower the rival's rank, or reduce the fees that count for the rival to less than the minimum.
    return Math.min((behind * fresh) / (1 + fresh), behind - least);
  });
  return Math.max(least, ...rivals);
}

function keepRecent<Press extends RankInputs>(presses: readonly Press[], now: number): readonly Press[] {
  return presses.filter(({ publishedAt }) => Date.parse(publishedAt) > now - frontDays * day);
}

function listCandidates<Press extends RankInputs>(
  presses: readonly Press[],
  minFees: number,
): readonly Press[] {
  return presses.filter((press) => computeSupportFees(press) >= minFees);
}

/** The factor by which the age of a press lowers its rank. The factor is 1 when the press goes live, and falls towards 0 with time. */
function computeFreshness({ publishedAt }: RankInputs, now: number): number {
  const age = Math.max(now - Date.parse(publishedAt), 0);
  return 0.5 ** (age / (halfLifeDays * day));
}

function sortPresses<Press extends RankInputs>(
  presses: readonly Press[],
  findScore: (press: Press) => number,
): readonly Press[] {
  return presses.toSorted(
    (one, other) => findScore(other) - findScore(one) || other.auditScore - one.auditScore,
  );
}

/** Converts base units of USDG to a floating-point number, because ranks need not be exact below a cent. */
function toDollars(units: bigint): number {
  return Number(units) / 1e6;
}
