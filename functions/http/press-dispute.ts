import * as Audit from "../../core/audit/index.ts";
import { DisputeInput } from "../../core/audit/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { follow } from "../lib/log.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("press-dispute", DisputeInput, async ({ body, caller }) => {
  follow({ press: body.id });
  const ports = { table: runtime.table(), clock: runtime.clock };
  return json(await Audit.dispute(ports, caller.wallet, body));
});
