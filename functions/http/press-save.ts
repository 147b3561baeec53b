import * as Press from "../../core/press/index.ts";
import { SaveInput } from "../../core/press/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { follow } from "../lib/log.ts";
import { measure } from "../lib/meter.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("press-save", SaveInput, async ({ caller, body }) => {
  const ports = { table: runtime.table(), clock: runtime.clock, market: runtime.market() };
  const saved = await Press.save(ports, caller.wallet, body);
  follow({ press: saved.id });
  measure({ DraftSaved: 1 });
  return json(saved);
});
