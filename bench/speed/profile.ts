import { Session } from "node:inspector/promises";
import * as z from "zod";

/** Milliseconds of a thread's CPU by what it did, the most first. */
export type Shares = readonly (readonly [what: string, milliseconds: number])[];

const Profile = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.int()).optional(),
    }),
  ),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});
type Nodes = z.infer<typeof Profile>["nodes"];

/** Who works in a file. The first that fits counts. */
const workers: readonly (readonly [RegExp, string])[] = [
  [/@noble|\/viem\/.*\/(?:accounts|signature|hash)\//, "signatures and hashes (secp256k1, keccak)"],
  [/\/viem\/|\/abitype\/|\/ox\//, "ABI and transactions (viem)"],
  [/electrodb/, "items and expressions (ElectroDB)"],
  [/@aws-sdk|@smithy|@aws-crypto|\/lib-dynamodb\//, "requests to the table (AWS SDK)"],
  [/\/zod\//, "forms (zod)"],
  [/powertools|functions\/lib\/(?:log|meter)/, "logs and metrics"],
  [/@middy|functions\/|local\/(?:lambda|capacity)/, "the request's chain (middy)"],
  [/core\/adapter\/chain|undici|internal\/deps\/undici/, "requests to the node (fetch)"],
  [/local\/front/, "the front that stands for the gateway"],
  [/core\//, "the market's own code"],
];

/** Begins to sample what the thread does, every fifth of a millisecond. */
export async function startProfile(): Promise<{ readonly end: () => Promise<Shares> }> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
  return {
    async end() {
      const { profile } = await session.post("Profiler.stop");
      session.disconnect();
      return sharesOf(Profile.parse(profile));
    },
  };
}

function sharesOf({ nodes, samples, timeDeltas }: z.infer<typeof Profile>): Shares {
  const names = namesOf(nodes);
  const shares = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? "idle";
    if (name !== "idle") shares.set(name, (shares.get(name) ?? 0) + (timeDeltas[index + 1] ?? 0) / 1000);
  }
  return [...shares].sort(([, one], [, other]) => other - one);
}

/** What each node of the profile does: its own file says, or else who called it. */
function namesOf(nodes: Nodes): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const names = new Map<number, string>();
  const visit = (id: number, inherited: string) => {
    const node = byId.get(id);
    if (node === undefined) return;
    const name = nameOf(node.callFrame) ?? inherited;
    names.set(id, name);
    for (const child of node.children ?? []) visit(child, name);
  };
  const [root] = nodes;
  if (root !== undefined) visit(root.id, "sockets and HTTP (node)");
  return names;
}

function nameOf({ functionName, url }: Nodes[number]["callFrame"]): string | undefined {
  if (functionName === "(idle)") return "idle";
  if (functionName === "(garbage collector)") return "garbage collection";
  if (functionName === "(program)") return "native code and compiling";
  return workers.find(([file]) => file.test(url))?.[1];
}
