export { carry } from "./carry.ts";
export type * from "./intent.ts";
export { type Keys, type Lease, type Quote, quoting, readWithKeys } from "./key.ts";
export { clearKeys, endTransaction, endWrites, lookUp, sendAgain } from "./outbox.ts";
