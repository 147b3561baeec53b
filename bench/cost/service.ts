import * as z from "zod";
import * as runtime from "../../functions/lib/runtime.ts";
import { platformMnemonic } from "../../local/devnet/accounts.ts";
import { setEnvironment } from "../../local/environment.ts";
import { makeParts } from "../../local/parts.ts";
import type { Service } from "../../local/service.ts";
import { devnetClient, startTestDevnet } from "../../tests/support/devnet.ts";
import { startTestService } from "../../tests/support/service.ts";
import { markRequests } from "./attribution.ts";
import { type Ledger, openLedger, type Usage } from "./ledger.ts";
import { watchLogs } from "./log.ts";
import { startProxy, type Watch } from "./proxy.ts";
import { watchTable } from "./table.ts";

export type Measured = Pick<Service, "origin" | "rpcUrl"> & {
  readonly ledger: Ledger;
  readonly stop: () => Promise<void>;
};

/** As many wei as no bench uses up. */
const wealth = 10n ** 20n;

/**
 * The whole service on this machine, every request of its functions counted on its way, with as many relayers as a stage
 * has, blocks as far apart as the chain's, and the logs of a stage.
 */
export async function startMeasured(relayers: number, site: string): Promise<Measured> {
  const parts = makeParts();
  const ledger = openLedger();
  parts.atEnd(
    setEnvironment({
      RELAYER_MNEMONIC: platformMnemonic,
      RELAYER_COUNT: String(relayers),
      POWERTOOLS_LOG_LEVEL: "INFO",
      POWERTOOLS_METRICS_DISABLED: "false",
    }),
  );
  parts.atEnd(watchLogs(ledger));
  parts.atEnd(markRequests(ledger));
  // Before the service says how many the devnet has: functions keep the ports that they were given first.
  const addresses = await runtime.relayers().addresses();
  const through = (watch: (endpoint: string) => Watch) => async (endpoint: string) =>
    (await parts.start("proxy", () => startProxy(endpoint, watch(endpoint)))).endpoint;
  const counting = (used: Partial<Usage>) =>
    through(() => async ({ by }) => {
      if (by !== undefined) ledger.add(by, used);
      return {};
    });
  try {
    const service = await parts.start("service", () =>
      startTestService({
        site,
        startChain: () => startTestDevnet({ blockTime: 100 }),
        detours: {
          database: through((endpoint) => watchTable(endpoint, ledger)),
          chain: through(() => watchChain(ledger)),
          workflows: counting({ executions: 1 }),
          files: counting({ fileRequests: 1 }),
        },
      }),
    );
    const chain = devnetClient(service.rpcUrl);
    for (const address of addresses) await chain.setBalance({ address, value: wealth });
    return { origin: service.origin, rpcUrl: service.rpcUrl, ledger, stop: parts.stop };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

const Call = z.object({ method: z.string() });

function watchChain(ledger: Ledger): Watch {
  return async ({ by, body }) => {
    if (by === undefined) return {};
    const calls = [z.union([z.array(Call), Call]).parse(JSON.parse(body))].flat();
    // What others send through the relay they have signed themselves.
    const own = by === "rpc" ? [] : calls.filter(({ method }) => method.startsWith("eth_sendRawTransaction"));
    ledger.add(by, { rpcTrips: 1, rpcCalls: calls.length, signatures: own.length });
    return {};
  };
}
