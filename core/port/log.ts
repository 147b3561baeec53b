/** Where operators read what callers need not know. Never given signatures, tokens, texts, or addresses that hold keys. */
export type Log = {
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
};

/** What happens inside an operation and no answer tells of. */
export type Occurrence =
  /** A leg was settled, by whoever's hand. */
  | { readonly name: "LegSettled"; readonly leg: "fee" | "publisher" }
  /** A settlement was given up with nothing charged. `code`: the protocol's, or `released`. */
  | { readonly name: "SettlementFailed"; readonly code: string }
  /** Gas units that a failed settlement has cost us, of a wallet with code or without. Counted by the unit. */
  | { readonly name: "GasBurned"; readonly wallet: "contract" | "plain" }
  | { readonly name: "RelayersBusy" };

/** Counts what happens, once unless told. It answers at once and never fails. */
export type Meter = {
  count(occurrence: Occurrence, times?: number): void;
};
