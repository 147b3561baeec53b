export { carry } from "./carry.ts";
export type * from "./intent.ts";
export { type Keys, type Lease, prepareGasQuote, type Quote, readWithKeys } from "./key.ts";
export { clearKeys, endTransaction, lookUp, makeEndWrites, sendAgain } from "./outbox.ts";
