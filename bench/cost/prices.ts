/**
 * AWS's list prices in us-east-1, in USD, without free tiers and discounts. Looked up on 2026-11-20 in AWS's price pages
 * and in write-ups of that year that quote them; whoever decides by them looks them up again.
 */
export const prices = {
  /** A million requests that the edge answers or passes on, over HTTPS, and a GB to North America or Europe. */
  edgeRequests: 1.0,
  edgeGigabyte: 0.085,
  /** A million runs of the function that names a page's file. */
  edgeFunction: 0.1,
  firewallRequests: 0.6,
  firewall: 5,
  firewallRule: 1,
  gatewayRequests: 1.0,
  lambdaRequests: 0.2,
  /** A GB second on arm64. */
  lambdaSecond: 0.000_013_333_4,
  /** A million read and write request units of an on-demand table. */
  readUnits: 0.125,
  writeUnits: 0.625,
  /** A million signatures on a curve's key, and a key for a month. */
  signatures: 15,
  key: 1,
  logGigabyte: 0.5,
  traces: 5,
  messages: 0.4,
  executions: 1.0,
  alarmMetric: 0.1,
  metric: 0.3,
  dashboard: 3,
  secret: 0.4,
  hostedZone: 0.5,
} as const;

/**
 * Milliseconds that a function waits in the cloud where it does not wait here: for the table, for a node in the same
 * region, for a signature. Assumed, and the upper end of a range: requests that go out side by side are waited for once.
 */
export const waits = { tableRequest: 10, rpcTrip: 60, signature: 25 } as const;

/** What Lambda itself logs of a call, what the gateway does, and what CloudWatch adds to their events, in bytes. */
export const platformLogBytes = 900;

/** A 30-day month. */
export const minutesOfMonth = 30 * 24 * 60;
