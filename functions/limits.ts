import type { JobId } from "./jobs.ts";
import type { RouteId } from "./routes.ts";

/** Requests per second on average, and in a burst. */
type Throttle = { readonly rate: number; readonly burst: number };

export type RuntimeLimits = {
  /** Requests per second and in a burst, for each route. */
  readonly gateway: Throttle;
  /** The limits of single routes. An open or slow one must not take capacity from payments. */
  readonly routes: { readonly [id in RouteId]?: Throttle };
  /**
   * Reserved concurrency of single functions, which is also their maximum. So payments keep their capacity and open endpoints are capped.
   * AWS leaves at least `leastUnreserved` of the account's quota to all other functions.
   */
  readonly reserved: { readonly [id in RouteId | JobId]?: number };
};

/** The part of an account's concurrency that AWS keeps for functions without a reservation. */
export const leastUnreserved = 100;

const personal: RuntimeLimits = {
  gateway: { rate: 50, burst: 100 },
  routes: {
    rpc: { rate: 20, burst: 40 },
    receipts: { rate: 10, burst: 20 },
    "press-keep": { rate: 10, burst: 20 },
    "follows-change": { rate: 10, burst: 20 },
    mcp: { rate: 10, burst: 20 },
    move: { rate: 4, burst: 8 },
    "votes-gas": { rate: 4, burst: 8 },
    "press-audit": { rate: 2, burst: 4 },
    "draft-angles": { rate: 4, burst: 8 },
    "draft-generate": { rate: 2, burst: 4 },
  },
  reserved: {},
};

const staging: RuntimeLimits = {
  gateway: { rate: 200, burst: 400 },
  routes: {
    rpc: { rate: 60, burst: 120 },
    receipts: { rate: 30, burst: 60 },
    "press-keep": { rate: 20, burst: 40 },
    "follows-change": { rate: 20, burst: 40 },
    mcp: { rate: 30, burst: 60 },
    move: { rate: 10, burst: 20 },
    "votes-gas": { rate: 10, burst: 20 },
    "press-audit": { rate: 5, burst: 10 },
    "draft-angles": { rate: 10, burst: 20 },
    "draft-generate": { rate: 5, burst: 10 },
  },
  reserved: {
    "pay-treasury": 60,
    "pay-publisher": 60,
    "payment-reconcile": 2,
    "payment-watch": 2,
    repair: 1,
    "relayer-sweep": 1,
    "mint-confirm": 5,
    "verdict-post": 2,
    rpc: 40,
    // Each run signs one receipt at a time, so together they leave most of KMS's signature quota to payments.
    receipts: 3,
    mcp: 40,
    move: 5,
    "votes-gas": 5,
    "press-audit": 20,
    "audit-facts": 20,
    "audit-rules": 20,
    "audit-review": 20,
    "audit-store": 20,
    "draft-angles": 20,
    "draft-generate": 20,
  },
};

const prod: RuntimeLimits = {
  gateway: { rate: 2_000, burst: 4_000 },
  routes: {
    rpc: { rate: 300, burst: 600 },
    receipts: { rate: 100, burst: 200 },
    "press-keep": { rate: 50, burst: 100 },
    "follows-change": { rate: 50, burst: 100 },
    mcp: { rate: 100, burst: 200 },
    move: { rate: 20, burst: 40 },
    "votes-gas": { rate: 20, burst: 40 },
    "press-audit": { rate: 10, burst: 20 },
    "draft-angles": { rate: 20, burst: 40 },
    "draft-generate": { rate: 10, burst: 20 },
  },
  reserved: { ...staging.reserved, "pay-treasury": 150, "pay-publisher": 150, rpc: 100 },
};

/** The throttles of the gateway and the concurrency of Lambda, by kind of stage. AWS and the local runtime apply the same. */
export const runtimeLimits = { personal, staging, prod } as const;

/** The concurrency quota that the account needs (Service Quotas), over all of its stages. */
export const concurrencyQuota = { personal: 100, staging: 1_000, prod: 1_000 } as const;
