import type { Chain, Signer } from "./port/chain.ts";
import type { Clock, Ids } from "./port/clock.ts";
import type { Log } from "./port/cloud.ts";
import type { Settings } from "./port/settings.ts";
import type { Table } from "./table.ts";

/**
 * All ports, which are the interfaces of the core to the outside world. A function names only the ports that it uses: `Pick<AllPorts,
 * "table" | "clock">`.
 */
export type AllPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly chain: Chain;
  readonly settings: Settings;
  readonly relayers: Signer;
  readonly log: Log;
};
