import { type Service, type ServiceOptions, startService } from "../../local/service.ts";
import { startTestDevnet } from "./devnet.ts";

export type TestService = Service & AsyncDisposable;

/**
 * The whole service in this process, empty, on free ports and a chain of its own, in about half a second: its real
 * functions answer at `origin`. `detours` puts a proxy between it and a part. Once a test file: functions keep the
 * ports that they were given first.
 */
export async function startTestService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const service = await startService({
    port: 0,
    database: "embedded",
    startChain: () => startTestDevnet(),
    ...options,
  });
  return { ...service, [Symbol.asyncDispose]: service.stop };
}
