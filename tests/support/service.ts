import type { Table } from "../../core/table.ts";
import { type Service, type ServiceOptions, startService } from "../../local/service.ts";
import { type ServiceEndpoints, tableName } from "../../local/settings.ts";
import type { LocalServer } from "../../local/stand-in.ts";
import { openTestClient } from "./database.ts";
import { openDevnetClient, startTestDevnet } from "./devnet.ts";
import { roughSeed } from "./rough.ts";
import { openTestTable } from "./table.ts";

export type TestService = Service &
  AsyncDisposable & { readonly table: Table; readonly client: ReturnType<typeof openDevnetClient> };

/**
 * Starts the whole service in this process, without data, on free ports and with its own chain, in about half a second. The service's real
 * functions answer at `origin`, `table` reads and writes the service's table, and `client` reads and writes the service's chain. `ROUGH` is
 * the seed of unreliable stand-ins. `detours` puts proxies between the service and parts such as its node. A test file may start the
 * service only once, because the loaded functions make their ports once and would keep the first service's ports.
 */
export async function startTestService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const service = await startService({
    port: 0,
    database: "embedded",
    startChain: () => startTestDevnet(),
    rough: roughSeed,
    ...options,
  });
  const client = openTestClient(service.endpoints.database);
  async function stop(): Promise<void> {
    client.destroy();
    await service.stop();
  }
  return {
    ...service,
    client: openDevnetClient(service.rpcUrl),
    table: openTestTable(client, tableName),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * Starts the service with a proxy between the service and one of its parts. `stop` stops the service and the proxy, and `proxy` is the
 * return value of `startProxy`.
 */
export async function startServiceBehind<Proxy extends LocalServer>(
  part: keyof ServiceEndpoints,
  startProxy: (endpoint: string) => Promise<Proxy>,
  options: Partial<ServiceOptions> = {},
) {
  const started = Promise.withResolvers<Proxy>();
  const service = await startTestService({
    ...options,
    detours: {
      ...options.detours,
      async [part](endpoint: string) {
        const proxy = await startProxy(endpoint);
        started.resolve(proxy);
        return proxy.endpoint;
      },
    },
  });
  const proxy = await started.promise;
  const stop = () => service.stop().then(proxy.stop);
  return { ...service, proxy, stop };
}
