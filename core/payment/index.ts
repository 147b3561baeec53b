export { encodeHeader } from "./header.ts";
export { type PayOutcome, type PayRequest, pay } from "./pay.ts";
export type { PaymentPorts } from "./ports.ts";
export { hasUnlocked } from "./unlock.ts";
