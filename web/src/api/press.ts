import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import * as z from "zod";
import { FullReport } from "../../../core/audit/schema.ts";
import { History, Purchases } from "../../../core/history/schema.ts";
import { MarketWeek, Stock, StockPrices } from "../../../core/market/schema.ts";
import { Author, PressDetail, PressList } from "../../../core/press/schema.ts";
import { SearchResult } from "../../../core/search/schema.ts";
import { getJson, postJson, queryClient, queryJson, queryPages } from "./request.ts";

const Presses = PressList.transform(({ presses }) => presses);

/** The newest live presses (specification §4.3) with their audits' issues. */
export const pressList = queryJson(["presses"], "/api/presses?with=findings", Presses);

/** The query for the results of a search. The request waits a moment, so that a search does not start while a word is being typed. */
export const querySearch = (words: string, stock: string | undefined) =>
  queryOptions({
    queryKey: ["search", words, stock],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      signal.throwIfAborted();
      const query = new URLSearchParams({ q: words, ...(stock !== undefined && { stock }), limit: "50" });
      return getJson(`/api/search?${query}`, SearchResult, signal);
    },
    placeholderData: keepPreviousData,
  });

/** One press by slug, with its text if the session may read it. */
export const queryPressDetail = (slug: string) =>
  queryOptions({
    queryKey: ["press", slug],
    queryFn: async ({ signal }) => {
      const detail = await getJson(`/api/presses/${encodeURIComponent(slug)}`, PressDetail, signal);
      const text = bought.get(slug);
      return detail.body !== null || text === undefined ? detail : { ...detail, unlocked: true, body: text };
    },
  });

/**
 * The texts that the reader has bought since the site was loaded or the session last changed, by the slug of the press. If a wallet other
 * than the payer is signed in, a payment does not change the session. The service does not give the paid text to the session of a wallet
 * other than the payer.
 */
const bought = new Map<string, string>();

/** Makes this page show a paid text until the session changes or the reader leaves the page. */
export function showText(slug: string, text: string): void {
  bought.set(slug, text);
  queryClient.setQueryData(
    queryPressDetail(slug).queryKey,
    (detail) => detail && { ...detail, unlocked: true, body: text },
  );
}

export function forgetTexts(): void {
  bought.clear();
}

/** The whole audit of a live press, by the press's internal id. The audit of a live press never changes. */
export const queryAuditReport = (id: number) =>
  queryJson(["audit-report", id], `/api/audit-report/${id}`, FullReport, Number.POSITIVE_INFINITY);

const Stocks = z.object({ stocks: z.array(Stock).readonly() }).transform((answer) => answer.stocks);

/** Every active stock token on the chain, by symbol (specification §4.3). */
export const stocks = queryJson(["stocks"], "/api/stocks", Stocks, 10 * 60_000);

/** The votes and unlocks of the session's wallet, newest first (specification §4.7). */
export const history = queryPages("/api/me/history", History, (pages) => ({
  votes: pages.flatMap(({ votes }) => votes),
  unlocks: pages.flatMap(({ unlocks }) => unlocks),
}));

/**
 * The purchases of the session's wallet, newest first, each with both payments. The list includes purchases of which only the fee is paid.
 */
export const purchases = queryPages("/api/me/purchases", Purchases, (pages) =>
  pages.flatMap((page) => page.purchases),
);

/** A stock with its quote and recorded prices. */
export const queryStockPrices = (symbol: string) =>
  queryJson(["stock", symbol], `/api/stocks/${encodeURIComponent(symbol)}`, StockPrices, 60_000);

/** The weekly price change of every recorded stock. */
export const marketWeek = queryJson(
  ["market"],
  "/api/market",
  MarketWeek.transform((week) => week.stocks),
  60_000,
);

export const queryStockPresses = (symbol: string) =>
  queryJson(["presses", symbol], `/api/presses?stock=${encodeURIComponent(symbol)}&with=findings`, Presses);

export const queryAuthor = (address: string) =>
  queryJson(["author", address], `/api/authors/${encodeURIComponent(address)}`, Author);

type StockToken = { readonly symbol: string; readonly address: string };

const Answers = z.array(z.object({ id: z.int(), result: z.string().optional() }));

/** The maximum number of calls in one JSON-RPC batch (specification §4.5). */
const batchSize = 25;

/** The first four bytes of keccak256("balanceOf(address)"). */
const balanceOf = "0x70a08231";

/**
 * The symbols of the stocks whose tokens a wallet holds, read from the chain through the service's RPC relay.
 */
export const queryHoldings = (wallet: string, tokens: readonly StockToken[]) =>
  queryOptions({
    queryKey: ["holdings", wallet, tokens.map(({ address }) => address).join()],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const batches = Array.from({ length: Math.ceil(tokens.length / batchSize) }, (_, at) =>
        tokens.slice(at * batchSize, (at + 1) * batchSize),
      );
      return (await Promise.all(batches.map((batch) => readHoldings(wallet, batch, signal)))).flat();
    },
    staleTime: 5 * 60_000,
    retry: false,
  });

async function readHoldings(wallet: string, tokens: readonly StockToken[], signal: AbortSignal) {
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
