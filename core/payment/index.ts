export { encodeHeader } from "./header.ts";
export { type PayOutcome, pay } from "./pay.ts";
export type { PaymentPorts } from "./ports.ts";
export { reconcile } from "./reconcile.ts";
export { legAmount } from "./terms.ts";
export { hasUnlocked } from "./unlock.ts";
