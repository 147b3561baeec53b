/** Pages of the site that are written down when it is built, so that they need no script. */
export const writtenPages = ["terms", "privacy", "contact"] as const;
