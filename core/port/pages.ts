/** The site's files, as far as pages of presses are concerned. */
export type Pages = {
  /** The site's own document; `undefined` while no site is there. Throws `upstream` `site_unavailable`. */
  template(): Promise<string | undefined>;
};
