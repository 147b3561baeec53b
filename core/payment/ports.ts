import type { Chain } from "../port/chain.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { Meter } from "../port/log.ts";
import type { Settings } from "../port/settings.ts";
import type { Signer } from "../port/signer.ts";
import type { Table } from "../table.ts";

/** What the settlement machine needs of the outside. */
export type PaymentPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Settings;
  readonly chain: Chain;
  readonly relayers: Signer;
  readonly meter: Meter;
};
