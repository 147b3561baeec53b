import { queryOptions } from "@tanstack/react-query";
import * as z from "zod";
import { Quote, Stock } from "../../../core/market/schema.ts";
import { getJson } from "./request.ts";

/** A stock token's price and range of the day (specification §2.5); the service keeps it for about a minute. */
export const quote = (symbol: string) =>
  queryOptions({
    queryKey: ["quote", symbol],
    queryFn: ({ signal }) => getJson(`/api/quotes/${encodeURIComponent(symbol)}`, Quote, signal),
    staleTime: 60_000,
  });

const Stocks = z.object({ stocks: z.array(Stock).readonly() });

/** Every active stock token on the chain, by symbol (specification §4.3). */
export const stocks = queryOptions({
  queryKey: ["stocks"],
  queryFn: async ({ signal }) => (await getJson("/api/stocks", Stocks, signal)).stocks,
  staleTime: 10 * 60_000,
});
