import fc from "fast-check";
import { expect, test } from "vitest";
import {
  chooseFront,
  computeLeadFees,
  computeRank,
  computeSupportFees,
  findLeadCost,
  halfLifeDays,
  noStanding,
  type RankInputs,
  type Standing,
} from "../../../core/rank/schema.ts";

const now = Date.parse("2026-11-22T12:00:00Z");
const day = 24 * 60 * 60 * 1000;
const toUnits = (usdg: number) => String(Math.round(usdg * 1e6));

/**
 * The fees for a press in USDG. `read` is the sum of the fees that readers have paid. `voters` is the sum of the fees of those readers who
 * have also voted.
 */
type PaidFees = {
  readonly read?: number;
  readonly voters?: number;
  readonly up?: number;
  readonly down?: number;
};

function makeStanding({ read = 0, voters = 0, up = 0, down = 0 }: PaidFees): Standing {
  const fees = {
    readFees: toUnits(read),
    voterFees: toUnits(voters),
    upFees: toUnits(up),
    downFees: toUnits(down),
  };
  return { ...noStanding, reads: Math.ceil(read), ...fees };
}

function makePress(id: number, ageInDays: number, paid: PaidFees = {}, auditScore = 80): RankInputs {
  const publishedAt = new Date(now - ageInDays * day).toISOString();
  return { id, publishedAt, standing: makeStanding(paid), auditScore };
}

const listIds = (presses: readonly RankInputs[]) => presses.map(({ id }) => id);
/** Presses without readers, which only increase the size of the market. */
const makeUnreadPresses = (count: number) =>
  Array.from({ length: count }, (_, at) => makePress(1_000 + at, 1));

test("a wallet counts once for a press: as a reader with the press's fee, or as a voter (for or against) with all fees that the voter has paid", () => {
  expect(computeSupportFees(makePress(1, 0, { read: 3 }))).toBe(3);
  expect(computeSupportFees(makePress(1, 0, { read: 3, voters: 1, up: 5 }))).toBe(7);
  expect(computeSupportFees(makePress(1, 0, { read: 3, voters: 2, up: 5, down: 4 }))).toBe(2);
});

test("the weight of the fees that were paid for a press is halved every two days", () => {
  expect(computeRank(makePress(1, 0, { read: 8 }), now)).toBe(8);
  expect(computeRank(makePress(1, halfLifeDays, { read: 8 }), now)).toBe(4);
  expect(computeRank(makePress(1, 2 * halfLifeDays, { read: 8 }), now)).toBe(2);
  expect(computeRank(makePress(1, -1, { read: 8 }), now)).toBe(8);
});

test("the lead press has the highest rank of the week, and at least the fees that the market's size requires", () => {
  const fresh = makePress(1, 0.5, { read: 30 });
  const old = makePress(2, 3, { read: 60 });
  const older = makePress(3, 8, { read: 500 });
  const market = [fresh, old, older, ...makeUnreadPresses(47)];
  expect(chooseFront(market, now).lead?.id).toBe(1);
  expect(chooseFront([old, older, ...makeUnreadPresses(47)], now).lead?.id).toBe(2);
  // A press with too few fees is not the lead, even if all other presses have lower fees.
  expect(chooseFront([makePress(1, 0, { read: 24 }), ...makeUnreadPresses(49)], now).lead).toBeUndefined();
  expect(chooseFront([], now)).toEqual({ lead: undefined, read: [], rated: [] });
});

test("the most read presses have the most fees from readers this week, and the best rated presses have the most fees from voters", () => {
  const presses = [
    makePress(1, 0, { read: 1, voters: 1, up: 2, down: 4 }),
    makePress(2, 0, { read: 5 }),
    makePress(3, 0, { read: 0.7, voters: 0.2, up: 4, down: 1 }),
    makePress(4, 8, { read: 50, voters: 9, up: 90 }),
    makePress(5, 0, { read: 0.01, voters: 0.01, up: 0.01 }),
  ];
  expect(listIds(chooseFront(presses, now).read)).toEqual([2, 1, 3]);
  expect(listIds(chooseFront(presses, now).rated)).toEqual([3]);
});

test("presses of equal rank are ordered by audit score (best first), then by date (newest first)", () => {
  const [one, two, three] = [
    makePress(1, 1, { read: 9 }, 90),
    makePress(2, 1, { read: 9 }, 98),
    makePress(3, 1, { read: 9 }, 98),
  ];
  expect(chooseFront([one, two, three], now).lead?.id).toBe(2);
});

/** Markets of fifty presses from the same week, with and without readers and votes. */
const markets: readonly (readonly [string, readonly RankInputs[]])[] = [
  ["that nobody reads", makeUnreadPresses(50)],
  [
    "with a reader for each press",
    Array.from({ length: 50 }, (_, at) => makePress(at, at / 8, { read: 0.025 })),
  ],
  [
    "with a press that many read",
    [makePress(1, 1, { read: 40, voters: 3, up: 60, down: 5 }), ...makeUnreadPresses(49)],
  ],
];

/**
 * Simulates a buyer who pays the given fees, in USDG, to make a new press the lead. The buyer's wallets read the new press,
 * vote for the new press and vote against every rival. The buyer pays all these fees by purchases of the buyer's own press, because nine
 * tenths of the price return to the buyer.
 */
function buyLead(market: readonly RankInputs[], fees: number): readonly RankInputs[] {
  const bought = makePress(9_999, 0, { read: fees, voters: fees, up: fees });
  const struck = market.map((rival): RankInputs => {
    const before = BigInt(rival.standing.downFees);
    return { ...rival, standing: { ...rival.standing, downFees: String(before + BigInt(toUnits(fees))) } };
  });
  return [bought, ...struck];
}

test.each(markets)(
  "on a market of 50 presses %s, the lead costs a buyer more than 20 USDG of fees",
  (_, market) => {
    const cost = findLeadCost(market, now);
    expect(cost).toBeGreaterThan(20);
    expect(chooseFront(buyLead(market, cost * 0.99), now).lead?.id).not.toBe(9_999);
    expect(chooseFront(buyLead(market, cost * 1.01), now).lead?.id).toBe(9_999);
  },
);

const paid = fc.record({
  read: fc.integer({ min: 0, max: 100 }),
  up: fc.integer({ min: 0, max: 100 }),
  down: fc.integer({ min: 0, max: 100 }),
});

test("in a market of 50 presses, buying the lead story's place never costs less than the site's page says", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(paid, fc.double({ min: 0, max: 9, noNaN: true })), { minLength: 50, maxLength: 50 }),
      fc.double({ min: 0.05, max: 0.99, noNaN: true }),
      (rows, part) => {
        const market = rows.map(([fees, age], id) => makePress(id, age, fees));
        const cost = findLeadCost(market, now);
        expect(cost).toBeGreaterThanOrEqual(computeLeadFees(51));
        expect(chooseFront(buyLead(market, cost * part), now).lead?.id).not.toBe(9_999);
        expect(chooseFront(buyLead(market, cost * 1.01 + 0.01), now).lead?.id).toBe(9_999);
      },
    ),
  );
});
