import type * as Payment from "../../core/payment/index.ts";
import { meter } from "./meter.ts";
import * as runtime from "./runtime.ts";

/** The settlement machine's ports, from this container's runtime. */
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
