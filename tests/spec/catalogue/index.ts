import { chain } from "./chain.ts";
import { documents } from "./documents.ts";
import { endpoints } from "./endpoints.ts";
import { overview } from "./overview.ts";
import { payments } from "./payments.ts";
import { publishing } from "./publishing.ts";
import { resources } from "./resources.ts";
import type { Row } from "./row.ts";
import { rules } from "./rules.ts";
import { states } from "./states.ts";

/** Every sentence and table row of the specification, in its order. */
export const catalogue = [
  ...overview,
  ...resources,
  ...documents,
  ...states,
  ...endpoints,
  ...payments,
  ...chain,
  ...publishing,
  ...rules,
] as const;

export type RowId = (typeof catalogue)[number]["id"];

/** Number of the row's section, such as `4.4`. */
export function sectionOf({ id }: Row): string {
  return id.split(" ", 1)[0] ?? "";
}

/** The name of a row's test. */
export function titleOf(row: Row): string {
  return `${row.id}: ${"claim" in row ? row.claim : row.decided}`;
}
