export { sendIntent } from "./carry.ts";
export type * from "./intent.ts";
export { type GasQuote, type KeyLease, type Keys, prepareGasQuote, readItemsWithKeys } from "./key.ts";
export { endTransaction, findTx, freeExpiredKeys, makeEndWrites, resendTx } from "./outbox.ts";
