import * as Relay from "../../core/rpc/index.ts";
import { textEndpoint } from "../lib/endpoint.ts";
import { measure } from "../lib/meter.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

const blocks = Relay.rememberBlocks();

export const handler = textEndpoint("rpc", async ({ body, address }) => {
  const { chainId } = runtime.settings();
  const spend = (cost: number) => runtime.relayAllowance()(address, cost);
  const chain = runtime.relayChain();
  const relayed = await Relay.relay({ chain, clock: runtime.clock, chainId, blocks, spend }, body);
  if (relayed.kind === "answered") measure({ RelayedCalls: [relayed.body].flat().length });
  if (relayed.kind === "nothing") return { statusCode: 204 };
  return json(relayed.body, { status: relayed.kind === "refused" ? 400 : 200 });
});
