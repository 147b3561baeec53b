export { carry } from "./carry.ts";
export type {
  CarryPorts,
  Intent,
  Landing,
  Load,
  OutboxPorts,
  Read,
  Records,
  Unsent,
} from "./intent.ts";
export { type Keys, type Lease, type Quote, quoting, readWithKeys } from "./key.ts";
export { clearKeys, endTransaction, endWrites, lookUp, sendAgain } from "./outbox.ts";
