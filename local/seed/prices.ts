import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { toPrice } from "../../core/market/schema.ts";
import { type Courses, courseWith, overviewKey, placeOf, yearPart } from "../../core/market/series.ts";
import { openTable, type Table } from "../../core/table.ts";
import { tableName } from "../environment.ts";
import { ASSETS, assetReply, tokenPriceAt } from "../market/assets.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Writes the stand-in's prices of the last week and year into the table, as `market-record` would have recorded them: its
 * source has no history, and charts need one. Changes nothing where prices have been recorded. `now` is in milliseconds.
 */
export async function seedPrices(endpoint: string, now: number): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  try {
    const table = openTable(DynamoDBDocumentClient.from(client), tableName);
    const { data } = await table.entities.overview.get(overviewKey).go({ consistent: true });
    if (data === null) await writePrices(table, now);
  } finally {
    client.destroy();
  }
}

async function writePrices(table: Table, now: number): Promise<void> {
  const courses: Record<string, Courses[string]> = {};
  for (const asset of ASSETS) {
    const { symbol, address, chainId, status } = asset;
    const priceAt = (moment: number) => toPrice(tokenPriceAt(asset, moment) ?? 0);
    if (chainId !== ASSETS[0]?.chainId || status !== "ASSET_STATUS_ACTIVE") continue;
    const listing = {
      symbol,
      name: assetReply(asset).tokenName,
      address: address.toLowerCase(),
      multiplier: 1,
    };
    const items = new Map<string, { expiresAt: number; last: number; points: number[] }>();
    // A quarter of an hour apart: a year of charts must not make the start slow.
    for (let moment = now - 7 * day; moment < now; moment += 15 * minute) {
      const price = priceAt(moment);
      const place = placeOf(moment);
      const points = [...(items.get(place.part)?.points ?? []), place.minute, price];
      items.set(place.part, { expiresAt: place.expiresAt, last: place.minute, points });
      courses[symbol] = courseWith(courses[symbol], listing, { at: moment, price });
    }
    const year = Array.from({ length: 365 }, (_, ago) => Math.floor(now / day) - 365 + ago);
    await table.entities.series
      .put([
        ...[...items].map(([part, item]) => ({ symbol, part, ...item })),
        {
          symbol,
          part: yearPart,
          points: year.flatMap((days) => [days, priceAt((days + 1) * day - minute)]),
        },
      ])
      .go();
  }
  await table.entities.overview.put({ ...overviewKey, stocks: courses }).go();
}
