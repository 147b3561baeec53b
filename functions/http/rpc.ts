import * as Lag from "../../core/lag/index.ts";
import * as Relay from "../../core/rpc/index.ts";
import { rpcEndpoint, rpcWanted } from "../lib/endpoint.ts";
import { warnings } from "../lib/log.ts";
import { measure } from "../lib/meter.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

const blocks = Relay.rememberBlocks();

export const handler = rpcEndpoint("rpc", async ({ body, address }) => {
  const { chainId, contracts } = runtime.settings();
  const spend = (cost: number) => runtime.relayAllowance()(address, cost);
  // The imported namespace is not destructured, because the bundler would then bundle everything in the namespace.
  const lag = { ...runtime.tablePorts(), log: warnings };
  const shown = (receipts: readonly unknown[]) => Lag.recordReceipts(lag, contracts, receipts);
  const chain = runtime.relayChain();
  const relayed = await Relay.relay({ chain, clock: runtime.clock, chainId, blocks, spend, shown }, body);
  if (relayed.kind === "nothing") return { statusCode: 204 };
  const { body: said } = relayed;
  if (relayed.kind === "refused" && "error" in said) {
    const message = `${said.error.message} ${rpcWanted()}`;
    return json({ ...said, error: { ...said.error, message } }, { status: 400 });
  }
  measure({ RelayedCalls: [said].flat().length });
  return json(said);
});
