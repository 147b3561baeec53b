import { type Press, PressDetail, PressList } from "../../../core/press/schema.ts";
import { getJson } from "./request.ts";
import { source } from "./source.ts";

/** The newest live presses, under any key. */
export const pressList = source(async (_key, signal): Promise<readonly Press[]> => {
  const { presses } = await getJson("/api/presses", PressList, signal);
  return presses;
});

/** One press by slug. */
export const pressDetail = source((slug, signal) =>
  getJson(`/api/presses/${encodeURIComponent(slug)}`, PressDetail, signal),
);
