import { queryOptions } from "@tanstack/react-query";
import * as z from "zod";
import { FullReport } from "../../../core/audit/schema.ts";
import { History, Purchases } from "../../../core/history/schema.ts";
import { Stock } from "../../../core/market/schema.ts";
import { PressDetail, PressList } from "../../../core/press/schema.ts";
import { getJson, queryClient } from "./request.ts";

/** The newest live presses (specification §4.3), with what their audits found. */
export const pressList = queryOptions({
  queryKey: ["presses"],
  queryFn: async ({ signal }) => (await getJson("/api/presses?with=findings", PressList, signal)).presses,
});

/** One press by slug. Its text comes with it when the session may read it. */
export const pressDetail = (slug: string) =>
  queryOptions({
    queryKey: ["press", slug],
    queryFn: async ({ signal }) => {
      const detail = await getJson(`/api/presses/${encodeURIComponent(slug)}`, PressDetail, signal);
      const text = bought.get(slug);
      return detail.body !== null || text === undefined ? detail : { ...detail, unlocked: true, body: text };
    },
  });

/** Texts that were paid for on this page, by slug: a sign-in of another wallet, which a payment leaves as it is, does not show them. */
const bought = new Map<string, string>();

/** Shows a text that was paid for, until the session changes or the page is left. */
export function showText(slug: string, text: string): void {
  bought.set(slug, text);
  queryClient.setQueryData(
    pressDetail(slug).queryKey,
    (detail) => detail && { ...detail, unlocked: true, body: text },
  );
}

export function forgetTexts(): void {
  bought.clear();
}

/** The whole audit of a live press, by its internal id. It never changes once it is there. */
export const auditReport = (id: number) =>
  queryOptions({
    queryKey: ["audit-report", id],
    queryFn: ({ signal }) => getJson(`/api/audit-report/${id}`, FullReport, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

const Stocks = z.object({ stocks: z.array(Stock).readonly() });

/** Every active stock token on the chain, by symbol (specification §4.3). */
export const stocks = queryOptions({
  queryKey: ["stocks"],
  queryFn: async ({ signal }) => (await getJson("/api/stocks", Stocks, signal)).stocks,
  staleTime: 10 * 60_000,
});

/** The session's own votes and unlocks, newest first (specification §4.7). */
export const history = queryOptions({
  queryKey: ["mine", "history"],
  queryFn: ({ signal }) => getJson("/api/me/history", History, signal),
});

/** The session's own purchases with both payments, those that are half paid too, newest first. */
export const purchases = queryOptions({
  queryKey: ["mine", "purchases"],
  queryFn: async ({ signal }) => (await getJson("/api/me/purchases", Purchases, signal)).purchases,
});
