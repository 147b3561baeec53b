import type { JobId } from "./jobs.ts";
import type { RouteId } from "./routes.ts";

/** A limit on requests: the average number of requests per second, and the maximum number of requests in a burst. */
type Throttle = { readonly rate: number; readonly burst: number };

export type RuntimeLimits = {
  /** The limit on requests that applies to each route without a limit of its own. */
  readonly gateway: Throttle;
  /**
   * The request limits of single routes. A public or slow route gets a limit of its own, so that the route takes no capacity from payments.
   */
  readonly routes: { readonly [id in RouteId]?: Throttle };
  /**
   * The reserved concurrency of single functions. A function's reserved concurrency is also the maximum number of its runs at the same
   * time. Reservations keep capacity free for payments, and limit the capacity that endpoints without a session can use. AWS leaves at
   * least `leastUnreserved` of the account's quota to the functions without a reservation.
   */
  readonly reserved: { readonly [id in RouteId | JobId]?: number };
};

/** The part of an account's concurrency that AWS keeps for functions without a reservation. */
export const leastUnreserved = 100;

/** The number of requests per second for each kind of stage. The maximum number of requests in a burst is twice the number per second. */
const gateway = { personal: 50, staging: 200, prod: 2_000 } as const;
const rates = {
  rpc: { personal: 20, staging: 60, prod: 300 },
  receipts: { personal: 10, staging: 30, prod: 100 },
  "press-keep": { personal: 10, staging: 20, prod: 50 },
  "follows-change": { personal: 10, staging: 20, prod: 50 },
  mcp: { personal: 10, staging: 30, prod: 100 },
  move: { personal: 4, staging: 10, prod: 20 },
  "votes-gas": { personal: 4, staging: 10, prod: 20 },
  "press-audit": { personal: 2, staging: 5, prod: 10 },
  "draft-angles": { personal: 4, staging: 10, prod: 20 },
  "draft-generate": { personal: 2, staging: 5, prod: 10 },
} as const satisfies { readonly [id in RouteId]?: Record<keyof typeof gateway, number> };

function makeThrottle(rate: number): Throttle {
  return { rate, burst: 2 * rate };
}

function makeLimits(kind: keyof typeof gateway, reserved: RuntimeLimits["reserved"]): RuntimeLimits {
  const routes = Object.entries(rates).map(([id, { [kind]: rate }]) => [id, makeThrottle(rate)] as const);
  return { gateway: makeThrottle(gateway[kind]), routes: Object.fromEntries(routes), reserved };
}

const reserved: RuntimeLimits["reserved"] = {
  "pay-treasury": 60,
  "pay-publisher": 60,
  "payment-reconcile": 2,
  "payment-watch": 2,
  repair: 1,
  "relayer-sweep": 1,
  "mint-confirm": 5,
  "verdict-post": 2,
  rpc: 40,
  // Few instances of the function run at once, and each instance signs one receipt at a time, so most of KMS's signature quota is left to
  // payments.
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
};

/** The throttles of the gateway and the concurrency of Lambda, for each kind of stage. AWS and the local runtime apply the same limits. */
export const runtimeLimits = {
  personal: makeLimits("personal", {}),
  staging: makeLimits("staging", reserved),
  prod: makeLimits("prod", { ...reserved, "pay-treasury": 150, "pay-publisher": 150, rpc: 100 }),
} as const;

/** The concurrency quota (Service Quotas) that the AWS account needs for all its stages together. */
export const concurrencyQuota = { personal: 100, staging: 1_000, prod: 1_000 } as const;
