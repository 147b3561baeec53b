/** The site's files, as far as pages of presses are concerned. */
export type Pages = {
  /** The site's own document; `undefined` while no site is there. Throws `upstream` `site_unavailable`. */
  template(): Promise<string | undefined>;
  /** Keeps the page of a press in place of an earlier one. Throws `upstream` `site_unavailable`. */
  put(slug: string, html: string): Promise<void>;
};
