import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import type { Stock } from "../market/schema.ts";
import type { Clock } from "../port/clock.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import { busy } from "./error.ts";
import { type Angle, Headline, HeadlineAngle, StandingAngle } from "./schema.ts";
import { companyOf } from "./sources.ts";

type Ports = { readonly table: Table; readonly clock: Clock };

/** Milliseconds for which an angle can be chosen after it was last shown. */
const lifetime = 24 * 60 * 60 * 1000;
/** Reports that are remembered: an item of the table holds 400 kB. */
const remembered = 60;
const attempts = 5;

/** A report and the angle as which it was shown. */
const Entry = z.object({ angle: HeadlineAngle, report: Headline, shownAt: z.number() }).readonly();
type Entry = z.infer<typeof Entry>;

const Shown = z
  .object({
    /** Newest first by their latest showing. */
    reports: z.array(Entry).readonly(),
    standing: z.array(StandingAngle).readonly(),
  })
  .readonly();
export type Shown = z.infer<typeof Shown>;

const nothing: Shown = { reports: [], standing: [] };

/** What a wallet was shown for a stock within the last day. */
export async function recallShown(ports: Ports, wallet: Address, symbol: string): Promise<Shown> {
  return (await read(ports, wallet, symbol)).shown;
}

/**
 * Gives every report an angle and remembers what is shown. A report keeps the angle and the id that the wallet knows
 * it by, and an id is not given to another within a day of its last showing. Throws `upstream` `draft_busy`.
 */
export async function show(
  ports: Ports,
  wallet: Address,
  stock: Stock,
  offered: { readonly reports: readonly Headline[]; readonly standing: readonly StandingAngle[] },
): Promise<readonly Angle[]> {
  const { table, clock } = ports;
  for (let left = attempts; left > 0; left -= 1) {
    const { version, shown } = await read(ports, wallet, stock.symbol);
    const now = clock.now();
    const current = entriesOf(stock, offered.reports, shown.reports, now);
    const before = shown.reports.filter(
      ({ report }) => !current.some((entry) => entry.report.link === report.link),
    );
    const kept: Shown = {
      reports: [...current, ...before].slice(0, remembered),
      standing: offered.standing,
    };
    const item = {
      wallet,
      stock: stock.symbol,
      version: version + 1,
      shown: kept,
      expiresAt: Math.ceil((now + lifetime) / 1000),
    };
    const outcome = await transact(clock, () =>
      table.transaction
        .write(({ offer }) => [
          offer
            .put(item)
            .where(({ version: stored }, { eq, notExists }) =>
              version === 0 ? notExists(stored) : eq(stored, version),
            )
            .commit(),
        ])
        .go(),
    );
    if (!outcome.canceled) return [...current.map(({ angle }) => angle), ...offered.standing];
    if (!refused(outcome, 0)) throw busy(outcome);
  }
  throw busy(new Error("Every showing was overtaken by another"));
}

async function read({ table, clock }: Ports, wallet: Address, stock: string) {
  const { data } = await table.entities.offer.get({ wallet, stock }).go({ consistent: true });
  if (data === null) return { version: 0, shown: nothing };
  const { reports, standing } = Shown.parse(data.shown);
  const since = clock.now() - lifetime;
  const known = reports.filter(({ shownAt }) => shownAt > since);
  return { version: data.version, shown: { reports: known, standing } };
}

function entriesOf(
  stock: Stock,
  reports: readonly Headline[],
  known: readonly Entry[],
  shownAt: number,
): readonly Entry[] {
  let next = Math.max(-1, ...known.map(({ angle }) => Number(angle.id.slice(1)))) + 1;
  return reports.map((report) => {
    const entry = known.find((candidate) => candidate.report.link === report.link);
    if (entry !== undefined) return { ...entry, shownAt };
    const angle = angleOn(report, stock, `h${next}`);
    next += 1;
    return { angle, report, shownAt };
  });
}

function angleOn({ title, source, link, publishedAt }: Headline, stock: Stock, id: string): HeadlineAngle {
  const on = new Date(publishedAt).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return {
    id,
    kind: "headline",
    title,
    detail: `${source} reported this on ${on}. What it changes for ${companyOf(stock)}, what is on record, and what is still open.`,
    source,
    link,
    publishedAt,
  };
}
