import * as Move from "../../core/move/index.ts";
import { MoveInput } from "../../core/move/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("move", MoveInput, async ({ body }) => {
  const ports = {
    table: runtime.table(),
    clock: runtime.clock,
    ids: runtime.ids,
    settings: runtime.settings(),
    chain: runtime.chain(),
    relayers: runtime.relayers(),
  };
  return json(await Move.move(ports, body));
});
