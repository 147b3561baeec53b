export { runway } from "../relayer/index.ts";
export { encodeHeader } from "./header.ts";
export { legAmount, offeringOnly } from "./offer.ts";
export { type PayOutcome, pay } from "./pay.ts";
export type { PaymentPorts } from "./ports.ts";
export { reconcile, type UnderWay, undelivered, underWay } from "./reconcile.ts";
export { type Found, leftBecause, type Repair, repair } from "./repair.ts";
export { hasUnlocked } from "./state.ts";
