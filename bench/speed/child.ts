import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import * as z from "zod";

/** A process of the bench's own, so that its CPU is told apart. */
export type Child = {
  /** Where it answers, such as `http://127.0.0.1:4100`. */
  readonly endpoint: string;
  /** Milliseconds of CPU that it has used since it started, its threads included. */
  readonly cpu: () => Promise<number>;
  /** Samples what its thread does; `end` says it. */
  readonly profile: () => Promise<{ readonly end: () => Promise<Shares> }>;
  readonly stop: () => Promise<void>;
};

const Ready = z.object({ endpoint: z.string() });
const Cpu = z.object({ cpu: z.number() });
const Begun = z.object({ profile: z.literal("begun") });
const Profile = z.object({ profile: z.array(z.tuple([z.string(), z.number()])) });

/** Starts a file of this folder, which calls `answerParent`. What it logs goes nowhere, but for its last words when it fails. */
export async function startChild(file: string, settings: unknown): Promise<Child> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, [JSON.stringify(settings)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let last = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    last = (last + text).slice(-2_000);
  });
  child.once("exit", (code) => {
    if (code !== 0) console.error(last);
  });
  const { endpoint } = Ready.parse(await message(child, file));
  return {
    endpoint,
    async cpu() {
      child.send("cpu");
      return Cpu.parse(await message(child, file)).cpu;
    },
    async profile() {
      child.send("profile");
      Begun.parse(await message(child, file));
      return {
        async end() {
          child.send("profile");
          return Profile.parse(await message(child, file)).profile;
        },
      };
    },
    async stop() {
      const ended = once(child, "exit");
      child.send("stop");
      await ended;
    },
  };
}

async function message(child: ChildProcess, file: string): Promise<unknown> {
  const ended = new AbortController();
  const exit = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  try {
    const [said] = await Promise.race([once(child, "message", { signal: ended.signal }), exit]);
    return said;
  } finally {
    ended.abort();
    await exit.catch(() => undefined);
  }
}

/** The child's side: its settings in the form that they must have. */
export function settingsFromParent<Settings>(form: z.ZodType<Settings>): Settings {
  return form.parse(JSON.parse(process.argv[2] ?? ""));
}

/** The child's side: says that it is ready, and answers until it is told to stop. */
export function answerParent({ endpoint, stop }: Pick<Child, "endpoint" | "stop">): void {
  let profiling: ReturnType<typeof startProfile> | undefined;
  const profile = async () => {
    const running = await profiling;
    profiling = running === undefined ? startProfile() : undefined;
    await profiling;
    process.send?.({ profile: running === undefined ? "begun" : await running.end() });
  };
  process.on("message", (asked) => {
    if (asked === "stop") void stop().then(() => process.exit());
    if (asked === "profile") void profile();
    const { user, system } = process.cpuUsage();
    if (asked === "cpu") process.send?.({ cpu: (user + system) / 1000 });
  });
  // Nothing of a bench outlives it.
  process.on("disconnect", () => process.exit());
  process.send?.({ endpoint });
}

/** Milliseconds of a thread's CPU by what it did, the most first. */
export type Shares = readonly (readonly [what: string, milliseconds: number])[];

const CpuProfile = z.object({
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
type Nodes = z.infer<typeof CpuProfile>["nodes"];

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
async function startProfile(): Promise<{ readonly end: () => Promise<Shares> }> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
  return {
    async end() {
      const { profile } = await session.post("Profiler.stop");
      session.disconnect();
      return sharesOf(CpuProfile.parse(profile));
    },
  };
}

function sharesOf({ nodes, samples, timeDeltas }: z.infer<typeof CpuProfile>): Shares {
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
