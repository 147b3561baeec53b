export { carry } from "./carry.ts";
export type * from "./intent.ts";
export { type GasQuote, type KeyLease, type Keys, prepareGasQuote, readItemsWithKeys } from "./key.ts";
export { clearKeys, endTransaction, findTx, makeEndWrites, resendTx } from "./outbox.ts";
