import type * as Payment from "../../core/payment/index.ts";
import { meter } from "./meter.ts";
import * as runtime from "./runtime.ts";

/** What the settlement machine needs, from this container's runtime. */
export function paymentPorts(): Payment.PaymentPorts {
  return {
    table: runtime.table(),
    clock: runtime.clock,
    ids: runtime.ids,
    settings: runtime.settings(),
    chain: runtime.chain(),
    relayers: runtime.relayers(),
    meter,
  };
}
