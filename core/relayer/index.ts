export { batchOf, mostInBatch, succeededIn } from "./batch.ts";
export { broadcast } from "./broadcast.ts";
export { feeCap, feeLimits, gasLimit, gasLimitsOf, mayBeRaised, type Runway, runway } from "./fee.ts";
export { type FreeRelayer, free, freeKey, lapsed, leaseKey, leaseTime } from "./key.ts";
export { keyring } from "./keyring.ts";
export { lineOf, untilWoken, wakeAll, wakeNext } from "./line.ts";
export {
  endTransaction,
  endWrites,
  readTransaction,
  rebroadcast,
  type Signed,
  signAs,
  storedTransaction,
  storeWrites,
} from "./outbox.ts";
