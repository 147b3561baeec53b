import * as Relay from "../../core/relay/index.ts";
import { textEndpoint } from "../lib/endpoint.ts";
import { measure } from "../lib/meter.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

const blocks = Relay.rememberBlocks();

export const handler = textEndpoint("rpc", async ({ body }) => {
  const { chainId } = runtime.settings();
  const relayed = await Relay.relay({ chain: runtime.chain(), clock: runtime.clock, chainId, blocks }, body);
  if (relayed.kind === "answered") measure({ RelayedCalls: [relayed.body].flat().length });
  if (relayed.kind === "nothing") return { statusCode: 204 };
  return json(relayed.body, { status: relayed.kind === "refused" ? 400 : 200 });
});
