import { formatEther, formatGwei } from "viem/utils";
import { table } from "./print.ts";

/** Wei for a unit of gas. Assumed: the chain's price of the day is what counts. */
const gasPrices = [10_000_000n, 100_000_000n, 1_000_000_000n];

type Gas = Readonly<Record<"treasury" | "publisher", readonly number[]>>;

/** What settlements and a verdict use on the devnet, and what a thousand paid reads then take from the relayers, in ETH. */
export function gasTable(gas: Gas, verdict: number): string {
  const legs = Object.entries({ ...gas, verdict: [verdict] }).map(([leg, used]) => {
    const sorted = [...used].sort((one, other) => one - other);
    return [
      leg,
      ...[sorted.at(0), sorted.at(sorted.length / 2), sorted.at(-1)].map((units) => String(units ?? 0)),
    ];
  });
  const all = Object.values(gas).flat();
  const ofRead = (2 * all.reduce((sum, units) => sum + units, 0)) / Math.max(1, all.length);
  const thousand = BigInt(Math.round(ofRead * 1_000));
  const costs = gasPrices.map((price) => [`${formatGwei(price)} gwei`, formatEther(thousand * price)]);
  return [
    table(["gas units", "least", "median", "most"], legs),
    table(["gas price", "ETH for a thousand paid reads"], costs),
  ].join("\n\n");
}
