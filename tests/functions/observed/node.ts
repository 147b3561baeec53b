import * as z from "zod";
import { startProxy } from "../../support/post.ts";

const Call = z.object({ method: z.string(), params: z.array(z.unknown()) });
const Calls = z.union([z.array(Call), Call.transform((call) => [call])]);
type Call = z.infer<typeof Call>;

/**
 * The secret keys in the address of the service's node. Providers put keys into the user name, the password or the path of an address. The
 * address of the service's node contains a key in all three parts.
 */
export const nodeKeys = { user: "tenant-4f1c", password: "pw-93bd1e7a55", path: "key-0c77ab12e9d4" } as const;

/**
 * Decides whether calls reach the node. If the rule returns `down`, the calls get no answer; otherwise the proxy sends the calls to the
 * node after the rule has ended.
 */
export type CallRule = (calls: readonly Call[]) => "down" | undefined | Promise<undefined>;

export type KeyedNode = Awaited<ReturnType<typeof startKeyedNode>>;

/** A proxy in front of a node. The proxy's address contains secret keys. */
export async function startKeyedNode(target: string) {
  let meddling: CallRule | undefined;
  const sent: string[] = [];
  const listening = await startProxy(target, async (body, ask) => {
    const calls = Calls.parse(JSON.parse(body));
    for (const { method, params } of calls) {
      if (method.startsWith("eth_sendRawTransaction")) sent.push(String(params[0]));
    }
    return (await meddling?.(calls)) === "down" ? undefined : ask();
  });
  const url = new URL(listening.endpoint);
  const { user, password, path } = nodeKeys;
  return {
    ...listening,
    /** The proxy's address, which contains the secret keys. */
    address: `http://${user}:${password}@${url.host}/v2/${path}?token=${path}`,
    meddle: (with_: CallRule | undefined) => {
      meddling = with_;
    },
    /** The raw transactions that were sent through the node. */
    sent,
  };
}
