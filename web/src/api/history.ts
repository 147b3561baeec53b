import { queryOptions } from "@tanstack/react-query";
import { History } from "../../../core/history/schema.ts";
import { getJson } from "./request.ts";

/** The session's own votes and unlocks, newest first (specification §4.7). */
export const history = queryOptions({
  queryKey: ["mine", "history"],
  queryFn: ({ signal }) => getJson("/api/me/history", History, signal),
});
