/** Pages that are rendered when the site is built, so that they need no script. */
export const writtenPages = ["terms", "privacy", "contact"] as const;
