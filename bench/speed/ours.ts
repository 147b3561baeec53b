import * as z from "zod";
import { startService } from "../../local/service.ts";
import { answerParent, readChildSettings } from "./child.ts";

/** Runs this service with the log settings of a stage; the chain and the table run in other processes. */
const { rpcUrl, database, keys } = readChildSettings(
  z.object({ rpcUrl: z.url(), database: z.templateLiteral(["http://", z.string()]), keys: z.int() }),
);
const service = await startService({
  port: 0,
  database,
  startChain: async () => ({ rpcUrl, stop: async () => undefined }),
  environment: {
    RELAYER_COUNT: String(keys),
    POWERTOOLS_LOG_LEVEL: "INFO",
    POWERTOOLS_METRICS_DISABLED: "false",
  },
});
answerParent({ endpoint: service.origin, stop: service.stop });
