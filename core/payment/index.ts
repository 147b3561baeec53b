export { runway } from "../relayer/index.ts";
export { type PayOutcome, pay } from "./pay.ts";
export { reconcile, type UnderWay, undelivered, underWay } from "./reconcile.ts";
export { type Found, leftBecause, type Repair, repair } from "./repair.ts";
export type { PaymentPorts } from "./settlement.ts";
export { hasUnlocked, readLegs } from "./settlement.ts";
export { findAgent } from "./state.ts";
export { encodeHeader, legAmount, network, offeringOnly, resourceUrl, withBazaar } from "./terms.ts";
