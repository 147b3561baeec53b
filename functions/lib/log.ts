import { Logger } from "@aws-lambda-powertools/logger";

/** One line of JSON an entry. Never given signatures, tokens or texts. The level is `POWERTOOLS_LOG_LEVEL`. */
export const log = new Logger({ serviceName: "press-market" });
