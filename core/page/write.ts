import { AppError } from "../error.ts";
import type { Pages } from "../port/pages.ts";
import type { Table } from "../table.ts";
import { type Facts, factsOf, type Place } from "./facts.ts";
import { makePage } from "./make.ts";
import type { PageOrder } from "./schema.ts";

export type WritePorts = { readonly table: Table; readonly pages: Pages; readonly settings: Place };

/** How often a page is made again because the site changed under way. */
const looks = 3;

/**
 * Writes the page of a live press. The same message again writes the same page. `no site` when there is none to make it
 * from: once there is, `refresh` orders every page.
 *
 * Throws `upstream` `site_unavailable`, `upstream` `site_changing` when the site does not stand still, and an Error for
 * a press that is not live: the queue then delivers the message again.
 */
export async function write(
  { table, pages, settings }: WritePorts,
  { id }: PageOrder,
): Promise<"written" | "no site"> {
  const press = await livePress(table, id);
  let template = await pages.template();
  for (let left = looks; left > 0; left -= 1) {
    if (template === undefined) return "no site";
    await pages.put(press.slug, makePage(template, press, settings));
    // A new site may have come meanwhile, and `refresh` with it: its page must not be the one that was replaced.
    const now = await pages.template();
    if (now === template) return "written";
    template = now;
  }
  throw new AppError("upstream", "site_changing", "The site is being changed right now.");
}

async function livePress(table: Table, id: number): Promise<Facts> {
  const { data: press } = await table.entities.press.get({ id }).go({ consistent: true });
  if (press?.status !== "live") throw new Error(`A page was ordered of press ${id}, which is not live`);
  return factsOf(press);
}
