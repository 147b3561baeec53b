import { setTimeout as delay } from "node:timers/promises";
import { openChain } from "../../core/adapter/chain/index.ts";
import { makeRandomLag } from "../../local/database/lag.ts";
import { makeRandomFaults, startProvider } from "../../local/devnet/provider.ts";
import { makeRandomSource, suppressFaults } from "../../local/stand-in.ts";
import { startPayments } from "./payment.ts";

/** The seed from the variable `ROUGH`. With a seed, this run's stand-ins are as unreliable as the real services. */
export const roughSeed = process.env.ROUGH === "" ? undefined : process.env.ROUGH;

/** The maximum lag of a provider, in milliseconds. A read always shows a write that is older than this lag. */
const untilShown = 3_000;

/**
 * Payments whose node and table are unreliable between `begin` and `end`; the run's seed determines the faults. Without a seed, the node
 * and the table are reliable.
 */
export async function startRoughPayments() {
  const seed = roughSeed;
  const quiet = { begin: async () => {}, end: async () => {} };
  if (seed === undefined) return { ...(await startPayments()), ...quiet };
  let isCalm = true;
  const makeSource = (part: string) => suppressFaults(makeRandomSource(seed, part), () => isCalm);
  const payments = await startPayments(makeRandomLag(makeSource("database")));
  // The provider has no rate limit, because the tests of one process send as many requests as a large number of customers.
  const faults = { ...makeRandomFaults(makeSource("chain")), callsPerSecond: 100_000 };
  const provider = await startProvider(payments.devnet.rpcUrl, faults);
  return {
    ...payments,
    ports: { ...payments.ports, chain: openChain([provider.endpoint]) },
    async begin() {
      await delay(untilShown);
      isCalm = false;
    },
    async end() {
      isCalm = true;
      await delay(untilShown);
    },
    async stop() {
      await provider.stop();
      await payments.stop();
    },
  };
}
