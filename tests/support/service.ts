import { type Service, type ServiceOptions, startService } from "../../local/service.ts";
import { startTestDevnet } from "./devnet.ts";
import { roughSeed } from "./rough.ts";

export type TestService = Service & AsyncDisposable;

/**
 * Starts the whole empty service in this process, on free ports and its own chain, in about half a second. The service's real functions
 * answer at `origin`. `ROUGH` is the seed of unreliable stand-ins. `detours` puts proxies between the service and parts such as its node. A
 * test file may start the service only once, because functions keep their first ports.
 */
export async function startTestService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const service = await startService({
    port: 0,
    database: "embedded",
    startChain: () => startTestDevnet(),
    rough: roughSeed,
    ...options,
  });
  return { ...service, [Symbol.asyncDispose]: service.stop };
}
