import { queryOptions } from "@tanstack/react-query";
import * as z from "zod";
import { MarketWeek, StockPrices } from "../../../core/market/schema.ts";
import { Author, PressList } from "../../../core/press/schema.ts";
import { getJson, postJson } from "./request.ts";

/** A stock with its quote and the prices that the service has recorded. */
export const stockPrices = (symbol: string) =>
  queryOptions({
    queryKey: ["stock", symbol],
    queryFn: ({ signal }) => getJson(`/api/stocks/${encodeURIComponent(symbol)}`, StockPrices, signal),
    staleTime: 60_000,
  });

/** How the week of every recorded stock went. */
export const marketWeek = queryOptions({
  queryKey: ["market"],
  queryFn: async ({ signal }) => (await getJson("/api/market", MarketWeek, signal)).stocks,
  staleTime: 60_000,
});

/** The newest live presses about a stock. */
export const stockPresses = (symbol: string) =>
  queryOptions({
    queryKey: ["presses", symbol],
    queryFn: async ({ signal }) =>
      (await getJson(`/api/presses?stock=${encodeURIComponent(symbol)}&with=findings`, PressList, signal))
        .presses,
  });

/** What a wallet has published. */
export const author = (address: string) =>
  queryOptions({
    queryKey: ["author", address],
    queryFn: ({ signal }) => getJson(`/api/authors/${encodeURIComponent(address)}`, Author, signal),
  });

type Token = { readonly symbol: string; readonly address: string };

const Answers = z.array(z.object({ id: z.int(), result: z.string().optional() }));

/** Calls of one batch (specification §4.5). */
const batchSize = 25;

/** The first four bytes of keccak256("balanceOf(address)"). */
const balanceOf = "0x70a08231";

/** Of which of these stocks a wallet holds tokens, by symbol. The chain is asked through the service's relay. */
export const holdings = (wallet: string, tokens: readonly Token[]) =>
  queryOptions({
    queryKey: ["holdings", wallet, tokens.map(({ address }) => address).join()],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const batches = Array.from({ length: Math.ceil(tokens.length / batchSize) }, (_, at) =>
        tokens.slice(at * batchSize, (at + 1) * batchSize),
      );
      return (await Promise.all(batches.map((batch) => held(wallet, batch, signal)))).flat();
    },
    staleTime: 5 * 60_000,
    retry: false,
  });

async function held(
  wallet: string,
  tokens: readonly Token[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const data = `${balanceOf}${wallet.slice(2).toLowerCase().padStart(64, "0")}`;
  const calls = tokens.map(({ address: to }, id) => ({
    jsonrpc: "2.0",
    id,
    method: "eth_call",
    params: [{ to, data }, "latest"],
  }));
  const answers = await postJson("/api/rpc", calls, Answers, signal);
  return tokens.flatMap(({ symbol }, index) => {
    const balance = answers.find(({ id }) => id === index)?.result ?? "0x";
    return /[1-9a-f]/i.test(balance.slice(2)) ? [symbol] : [];
  });
}
