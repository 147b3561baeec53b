import * as Lag from "../../core/lag/index.ts";
import * as Relay from "../../core/rpc/index.ts";
import { makeRpcHandler, makeRpcHint } from "../lib/endpoint.ts";
import { warnings } from "../lib/log.ts";
import { logMetrics } from "../lib/meter.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

const blocks = Relay.openBlockCache();

export const handler = makeRpcHandler("rpc", async ({ body, address }) => {
  const { chainId, contracts } = runtime.readSettings();
  const spend = (cost: number) => runtime.relayAllowance()(address, cost);
  // The imported namespace is not destructured, because the bundler would then bundle everything in the namespace.
  const lag = { ...runtime.makeTablePorts(), log: warnings };
  const recordReceipts = (receipts: readonly unknown[]) => Lag.recordReceipts(lag, contracts, receipts);
  const chain = runtime.relayChain();
  const relayed = await Relay.relayRpcBody(
    { chain, clock: runtime.clock, chainId, blocks, spend, recordReceipts },
    body,
  );
  if (relayed.kind === "nothing") return { statusCode: 204 };
  const { body: said } = relayed;
  if (relayed.kind === "refused" && "error" in said) {
    const message = `${said.error.message} ${makeRpcHint()}`;
    return makeJson({ ...said, error: { ...said.error, message } }, { status: 400 });
  }
  logMetrics({ RelayedCalls: [said].flat().length });
  return makeJson(said);
});
