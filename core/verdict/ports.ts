import type { Chain } from "../port/chain.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { Signer } from "../port/signer.ts";
import type { Table } from "../table.ts";

/** What posting a verdict needs of the outside. */
export type VerdictPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Settings;
  readonly chain: Chain;
  /** One key: the auditor's. */
  readonly auditor: Signer;
};
