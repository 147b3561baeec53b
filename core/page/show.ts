import { AppError } from "../error.ts";
import type { Pages } from "../port/pages.ts";
import { idIn } from "../press/index.ts";
import type { Table } from "../table.ts";
import { type Facts, factsOf, makePage, type Place } from "./make.ts";

export type ShowPorts = { readonly table: Table; readonly pages: Pages; readonly settings: Place };

export type Shown = { readonly found: boolean; readonly html: string };

/**
 * What stands at a press's address: the page of a live press, else the site's own document, whose app says that there is
 * nothing. Throws `upstream` `site_unavailable`.
 */
export async function show({ table, pages, settings }: ShowPorts, slug: string): Promise<Shown> {
  const [template, press] = await Promise.all([pages.template(), livePress(table, slug)]);
  if (template === undefined) {
    throw new AppError("upstream", "site_unavailable", "The site is not there yet; the API is.");
  }
  return press === undefined
    ? { found: false, html: template }
    : { found: true, html: makePage(template, press, settings) };
}

async function livePress(table: Table, slug: string): Promise<Facts | undefined> {
  const id = idIn(slug);
  if (id === undefined) return undefined;
  const { data: press } = await table.entities.press.get({ id }).go({ consistent: true });
  return press?.status === "live" && press.slug === slug ? factsOf(press) : undefined;
}
