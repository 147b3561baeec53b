/** The press's ERC-8004 registration file: what the identity stores onchain as its URI (design §2). */
export function metaUrl(origin: string, id: number): string {
  return `${origin}/api/meta/${id}`;
}

/** The press's page on the site. */
export function pageUrl(origin: string, slug: string): string {
  return `${origin}/press/${slug}`;
}

/** The press as the API answers it. */
export function apiUrl(origin: string, slug: string): string {
  return `${origin}/api/presses/${slug}`;
}

/** The audit report of a live press: what the auditor's onchain verdict points to. */
export function auditReportUrl(origin: string, id: number): string {
  return `${origin}/api/audit-report/${id}`;
}
