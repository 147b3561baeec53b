export { encodeHeader } from "./header.ts";
export { type PayOutcome, pay } from "./pay.ts";
export type { PaymentPorts } from "./ports.ts";
export { reconcile } from "./reconcile.ts";
export { runway } from "./runway.ts";
export { type UnderWay, undelivered, underWay } from "./survey.ts";
export { legAmount, offeringOnly } from "./terms.ts";
export { hasUnlocked } from "./unlock.ts";
