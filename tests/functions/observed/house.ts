import { vi } from "vitest";
import { log } from "../../../functions/lib/log.ts";
import { type BedrockFault, startBedrock } from "../../../local/bedrock/index.ts";
import type { LocalServer } from "../../../local/stand-in.ts";
import { startPatientDatabase } from "../../support/patient-database.ts";
import { startTestService } from "../../support/service.ts";
import { type KeyedNode, startKeyedNode } from "./node.ts";
import { captureOutput } from "./output.ts";
import { startTableServer, type TableServer } from "./table-server.ts";

/**
 * The whole service, whose complete log and metrics are recorded. The node's address is a secret, and a test can make the node, the model
 * and the table fail.
 */
export async function startObservedService() {
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  const output = captureOutput();
  let fault: BedrockFault | undefined;
  const model = await startBedrock({ fault: () => fault });
  const started: { node?: KeyedNode; table?: TableServer; patient?: LocalServer } = {};
  const service = await startTestService({
    detours: {
      model: () => model.endpoint,
      chain: async (endpoint) => {
        const node = await startKeyedNode(endpoint);
        started.node = node;
        return node.address;
      },
      database: async (endpoint) => {
        // This proxy delays reads of a pending mint, because the log would show a pending mint as a failure.
        started.patient = await startPatientDatabase(endpoint);
        started.table = await startTableServer(started.patient.endpoint);
        return started.table.endpoint;
      },
    },
  });
  vi.stubEnv("MODEL_PRICES", "0.5,1.5");
  vi.stubEnv("MODEL_DAILY_USD", "1000,1000,1000,1000");
  log.setLogLevel("DEBUG");
  const { node, table, patient } = started;
  if (node === undefined || table === undefined || patient === undefined)
    throw new Error("A part was not asked for");
  return {
    ...service,
    output,
    node,
    failTable: table.fail,
    failModel: (with_: BedrockFault | undefined) => {
      fault = with_;
    },
    async stop() {
      // The tests' variables are removed first, because `service.stop` restores the variables from before the service's start.
      vi.unstubAllEnvs();
      await service.stop();
      await Promise.all([node.stop(), table.stop(), patient.stop(), model.stop()]);
      output.release();
    },
  };
}
export type ObservedService = Awaited<ReturnType<typeof startObservedService>>;
