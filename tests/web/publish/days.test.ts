import { expect, test } from "vitest";
import { formatCsv, groupByMonth, listDays } from "../../../web/src/publish/dashboard/payments.tsx";
import { countSources } from "../../../web/src/publish/dashboard/readers.tsx";

const makeSale = (at: string, amountUsdg: number) => ({
  at,
  amountUsdg,
  ...{ wallet: "0xa", payTo: "0xb", tx: "0xc", slug: "one", headline: "One" },
});

test("a wallet's own sales are counted on their UTC day, sums are exact, and days without sales are included", () => {
  const sales = [
    makeSale("2026-11-22T00:00:00.000Z", 0.1),
    makeSale("2026-11-22T23:59:59.999Z", 0.2),
    { ...makeSale("2026-11-22T12:00:00.000Z", 7), payTo: "0xd" },
    makeSale("2026-11-20T12:00:00.000Z", 1),
    makeSale("2026-10-01T12:00:00.000Z", 5),
  ];
  expect(listDays(sales, "0xB", new Date("2026-11-22T10:00:00.000Z"), 3)).toEqual([
    { date: "2026-11-20", unlocks: 1, earned: 1 },
    { date: "2026-11-21", unlocks: 0, earned: 0 },
    { date: "2026-11-22", unlocks: 2, earned: 0.3 },
  ]);
});

test("the payments can be downloaded as CSV, and a spreadsheet runs no headline as a formula", () => {
  const at = "2026-11-22T00:00:00.000Z";
  const lines = formatCsv([
    { ...makeSale(at, 1), headline: 'A "fence", or none' },
    { ...makeSale(at, 1), headline: "=HYPERLINK(1)" },
  ]).split("\r\n");
  expect(lines[0]).toBe("time,day,press,amount,currency,paidBy,paidTo,transaction");
  expect(lines[1]).toContain(',"A ""fence"", or none",');
  expect(lines[2]).toContain(",'=HYPERLINK(1),");
  expect(lines).toHaveLength(4);
});

test("the months of income are UTC months, latest first, with exact sums of the wallet's own income", () => {
  const sales = [
    makeSale("2026-11-01T00:00:00.000Z", 0.1),
    makeSale("2026-11-30T23:59:59.999Z", 0.2),
    { ...makeSale("2026-11-02T00:00:00.000Z", 7), payTo: "0xd" },
    makeSale("2026-10-31T23:59:59.999Z", 5),
  ];
  expect(
    groupByMonth(sales, "0xB").map(({ name, sales: { length }, earned }) => [name, length, earned]),
  ).toEqual([
    ["2026-11", 2, 0.3],
    ["2026-10", 1, 5],
  ]);
});

test("the views of several days are added up for each source of readers, and each linking host is a separate source", () => {
  const day = { day: "2026-11-22", slug: "one", direct: 1, site: 0, feed: 2, agent: 0, otherHosts: 0 };
  expect(
    countSources([
      { ...day, hosts: [["example.org", 4]] },
      { ...day, hosts: [["example.org", 1]] },
    ]),
  ).toEqual([
    ["example.org", 5],
    ["Feeds", 4],
    ["Direct, or unknown", 2],
  ]);
});
