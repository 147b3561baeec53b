export { type Call, callOfAll, fill, mostInBatch } from "./batch.ts";
export { feeCap, gasLimit, gasLimitsOf, type Runway, runway } from "./fee.ts";
export {
  countBurned,
  type GasHold,
  keepGas,
  mayShare,
  othersCameFirst,
  type Revert,
  rehearse,
  rehearseAndTrace,
  requireRoom,
  returnGas,
} from "./gas-budget.ts";
export {
  type FreeRelayer,
  free,
  freeKey,
  freeRelayer,
  keyring,
  lapsed,
  leaseKey,
  leaseTime,
  nonceOf,
  pick,
  type Relayer,
  relayerCalls,
  relayerIn,
  relayerNow,
} from "./key.ts";
export {
  announceEnd,
  isLineWaiting,
  passScout,
  pauseAbout,
  untilEnded,
  waitInLine,
  whileLoading,
} from "./line.ts";
export {
  broadcast,
  endTransaction,
  endWrites,
  landedIn,
  readTransaction,
  rebroadcast,
  receiptCalls,
  renew,
  type Signed,
  signAs,
  storedTransaction,
  storeWrites,
} from "./outbox.ts";
