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

/** Every sentence and table row of the specification, in the specification's order. */
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

/** The number of the section to which the row belongs, such as `4.4`. */
export function parseSection({ id }: Row): string {
  return id.split(" ", 1)[0] ?? "";
}

/** The name of the test for a row of the specification. */
export function formatTestTitle(row: Row): string {
  return `${row.id}: ${"claim" in row ? row.claim : row.decided}`;
}
