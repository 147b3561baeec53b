export { carry } from "./carry.ts";
export type {
  CarryPorts,
  Claimed,
  Intent,
  Landing,
  Load,
  OutboxPorts,
  Read,
  Records,
  Unsent,
} from "./intent.ts";
export { claimTime, type Keys, type Lease, readBeside } from "./key.ts";
export { clearKeys, endTransaction, endWrites, lookUp, sendAgain } from "./outbox.ts";
export { type Quote, quoting } from "./quote.ts";
