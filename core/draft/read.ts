import * as z from "zod";
import type { Table } from "../table.ts";
import { Source } from "./schema.ts";

/** What a wallet's AI draft was written from, as the model saw it. Throws a TypeError when there is no such draft. */
export async function sourcesOf(
  { table }: { readonly table: Table },
  wallet: string,
  id: number,
): Promise<readonly Source[]> {
  const { data } = await table.entities.generation.get({ wallet, id }).go();
  if (data?.state !== "written") throw new TypeError(`AI draft ${id} of ${wallet} is not in the table`);
  return z.array(Source).parse(data.sources);
}
