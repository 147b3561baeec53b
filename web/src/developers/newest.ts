import { useQuery } from "@tanstack/react-query";
import type { Press } from "../../../core/press/schema.ts";
import { pressList } from "../api/press.ts";

/** The press that the examples are filled in for: the newest. `undefined` while there is none. */
export function useNewest(): Press | undefined {
  return useQuery(pressList).data?.[0];
}
