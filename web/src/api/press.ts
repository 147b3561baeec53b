import { queryOptions } from "@tanstack/react-query";
import { AuditReport } from "../../../core/audit/schema.ts";
import { PressDetail, PressList } from "../../../core/press/schema.ts";
import { getJson } from "./request.ts";

/** The newest live presses (specification §4.3). */
export const pressList = queryOptions({
  queryKey: ["presses"],
  queryFn: async ({ signal }) => (await getJson("/api/presses", PressList, signal)).presses,
});

/** One press by slug. Its text comes with it when the session may read it. */
export const pressDetail = (slug: string) =>
  queryOptions({
    queryKey: ["press", slug],
    queryFn: ({ signal }) => getJson(`/api/presses/${encodeURIComponent(slug)}`, PressDetail, signal),
  });

/** The whole audit of a live press, by its internal id. It never changes once it is there. */
export const auditReport = (id: number) =>
  queryOptions({
    queryKey: ["audit-report", id],
    queryFn: ({ signal }) => getJson(`/api/audit-report/${id}`, AuditReport, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
