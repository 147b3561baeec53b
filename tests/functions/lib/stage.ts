import { vi } from "vitest";
import { mainnet } from "../../../core/chain/deployment.ts";
import { log } from "../../../functions/lib/log.ts";
import type { Lag } from "../../../local/database/lag.ts";
import { publisher, stranger } from "../../core/press/newsroom.ts";
import { startTestTable, type TestTable } from "../../support/table.ts";
import { site } from "./call.ts";
import { openSession } from "./desk.ts";

/**
 * Starts a table with two sessions, and sets the environment variables of the functions that use it. The caller may add environment
 * variables and a delay of the table's reads.
 */
export async function startStage(
  extraVariables: Readonly<Record<string, string>> = {},
  lag?: Lag,
): Promise<TestTable> {
  const stored = await startTestTable("embedded", lag);
  for (const wallet of [publisher, stranger] as const) await openSession(stored.table, wallet);
  const { contracts, stocks } = mainnet;
  const variables = {
    AWS_ENDPOINT_URL_DYNAMODB: stored.database.endpoint,
    TABLE_NAME: stored.name,
    SITE_ORIGIN: site,
    CHAIN_ID: String(mainnet.chainId),
    CHAIN_NAME: mainnet.name,
    CHAIN_RPC_URL: "http://127.0.0.1:1",
    RELAY_RPC_URL: "http://127.0.0.1:1",
    USDG_ADDRESS: contracts.usdg,
    PERMIT2_ADDRESS: contracts.permit2,
    EXACT_PROXY_ADDRESS: contracts.exactProxy,
    IDENTITY_REGISTRY_ADDRESS: contracts.identityRegistry,
    REPUTATION_REGISTRY_ADDRESS: contracts.reputationRegistry,
    TREASURY_ADDRESS: "0x00000000000000000000000000000000000000fe",
    STOCK_API_URL: "http://127.0.0.1:1",
    POWERTOOLS_METRICS_DISABLED: "true",
    STOCK_BEACON_ADDRESS: stocks.beacon,
    // Clients and servers run in one process, so a busy machine delays the clients as well as the servers.
    SDK_TIMEOUT_MS: "60000",
    STOCK_FEEDS: stocks.feeds.map(({ token, feed }) => `${token}=${feed}`).join(","),
    ...extraVariables,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  log.setLogLevel("CRITICAL");
  return stored;
}

/** Runs the given function. Returns the call's result, and the functions' log lines of level WARN and above. */
export async function captureLog<Value>(run: () => Promise<Value>): Promise<{ value: Value; lines: string }> {
  const streams = [process.stdout, process.stderr];
  const spies = streams.map((stream) => vi.spyOn(stream, "write").mockReturnValue(true));
  log.setLogLevel("WARN");
  try {
    const value = await run();
    return { value, lines: spies.flatMap(({ mock }) => mock.calls.map(([line]) => String(line))).join("") };
  } finally {
    log.setLogLevel("CRITICAL");
    for (const spy of spies) spy.mockRestore();
  }
}
