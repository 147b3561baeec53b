import { type Service, type ServiceOptions, startService } from "../../local/service.ts";
import { startTestDevnet } from "./devnet.ts";
import { roughSeed } from "./rough.ts";

export type TestService = Service & AsyncDisposable;

/**
 * Starts the whole empty service in this process, on free ports and its own chain, in about half a second. Its real functions answer at
 * `origin`. `ROUGH` is the seed of unreliable stand-ins. `detours` puts a proxy between it and a part. Once per test file, because
 * functions keep their first ports.
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
