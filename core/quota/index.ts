export { type Day, dayOf } from "./day.ts";
export { askPaid, type ModelTerms, type SpendPorts, serviceSpent, walletSpent } from "./spend.ts";
