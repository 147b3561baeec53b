/** Longest part of a slug that comes from the headline. */
const stemLength = 60;

/** Longest id that a number holds exactly. */
const idPattern = /(?:^|-)([0-9a-z]{1,10})$/;

/**
 * The address of a press on the site: its headline in lower-case ASCII (NFKD) and its id in base 36. It is unique
 * because the id is, and never changes once the press is live, as the headline does not (design §2).
 */
export function slugFor(headline: string, id: number): string {
  const stem = headline
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, stemLength)
    .replace(/-$/, "");
  const suffix = id.toString(36);
  return stem === "" ? suffix : `${stem}-${suffix}`;
}

/** The id in a slug's end, or `undefined` where there is none. That the rest fits is for the caller to check. */
export function idIn(slug: string): number | undefined {
  const digits = idPattern.exec(slug)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
}
