import { createHash } from "node:crypto";
import { InvariantError } from "./laws.ts";
import { runToEnd } from "./rest.ts";
import { openScene, rough, type SceneName } from "./setting.ts";
import { isAlive, listMoves, type ModelMove, type World } from "./world.ts";

/** The result of a search. */
export type SearchResult = {
  readonly states: number;
  readonly steps: number;
  /** The number of end states: in an end state, no process has a next step. From each end state, the search runs `runToEnd`. */
  readonly ends: number;
  /** Whether the search reached every state. */
  readonly whole: boolean;
};

type FoundWorld = { readonly world: World; readonly from: FoundWorld | undefined; readonly label: string };

/** A broken invariant, with the steps that led to it. */
class Counterexample extends Error {
  override readonly name = "Counterexample";
  constructor(found: FoundWorld, last: string, cause: unknown) {
    const path = [last];
    for (let at: FoundWorld | undefined = found; at !== undefined; at = at.from) path.unshift(at.label);
    super(
      `${cause instanceof Error ? cause.message : cause}\n${path.map((label) => `  ${label}`).join("\n")}`,
      { cause },
    );
  }
}

/**
 * Visits every reachable state, beginning with the states that are the fewest steps away from the start, and checks the invariants in each
 * state. Throws Counterexample.
 */
export async function searchAll(start: World, maxStates: number): Promise<SearchResult> {
  const known = new Set([computeKey(start)]);
  let level: FoundWorld[] = [{ world: start, from: undefined, label: "begins" }];
  let [steps, ends] = [0, 0];
  while (level.length > 0) {
    const next: FoundWorld[] = [];
    for (const found of level) {
      try {
        if (!found.world.processes.some(isAlive)) {
          ends += 1;
          await runToEnd(found.world);
        }
        for await (const { label, world } of listMoves(found.world)) {
          steps += 1;
          const key = computeKey(world);
          if (known.has(key)) continue;
          known.add(key);
          next.push({ world, from: found, label });
        }
      } catch (error) {
        throw error instanceof InvariantError ? new Counterexample(found, "and then", error) : error;
      }
      if (known.size > maxStates) return { states: known.size, steps, ends, whole: false };
    }
    level = next;
  }
  return { states: known.size, steps, ends, whole: true };
}

/**
 * After at least this number of random steps, the search opens the test scenario again and forgets all states that it has seen, so that it
 * needs little memory.
 */
const stretch = 5_000;

/** Takes random paths through a test scenario until this number of steps is made. The seed determines the paths. Throws Counterexample. */
export async function walkScene(name: SceneName, seed: number, steps: number) {
  const choose = makeRandom(seed);
  let [made, states] = [0, 0];
  while (made < steps) {
    const start = await openScene(name, rough);
    const known = new Set<string>();
    for (const until = made + Math.min(stretch, steps - made); made < until; ) {
      made += await walk(start, known, choose, `begins (seed ${seed})`);
    }
    states += known.size;
  }
  return { made, states };
}

/** Takes one random path to its end, and then runs `runToEnd`. Returns the number of steps in the path. */
async function walk(
  start: World,
  knownKeys: Set<string>,
  choose: (below: number) => number,
  label: string,
): Promise<number> {
  let found: FoundWorld = { world: start, from: undefined, label };
  try {
    for (let made = 0; ; made += 1) {
      const all: ModelMove[] = [];
      for await (const move of listMoves(found.world)) all.push(move);
      const move = all[choose(all.length)];
      if (move === undefined) {
        await runToEnd(found.world);
        return made;
      }
      knownKeys.add(computeKey(move.world));
      found = { world: move.world, from: found, label: move.label };
    }
  } catch (error) {
    throw error instanceof InvariantError ? new Counterexample(found, "and then", error) : error;
  }
}

/** Makes random numbers below a limit. The same seed always gives the same numbers (xorshift32). */
function makeRandom(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const numbers = new WeakMap<object, number>();
const texts = new Map<string, number>();
/** Gives two values the same number exactly when their JSON texts are equal. */
function assignNumber(value: object, text: () => string): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  const said = createHash("sha1").update(text()).digest("base64");
  const number = texts.get(said) ?? texts.size;
  texts.set(said, number);
  numbers.set(value, number);
  return number;
}

function computeKey({ items, chain, before, now, processes, left, shown, coming }: World): string {
  const table = assignNumber(items, () =>
    JSON.stringify([...items].sort(([one], [other]) => (one < other ? -1 : 1))),
  );
  const chains = [chain, before].map((one) => assignNumber(one, () => JSON.stringify(one)));
  const at = processes.map(({ node, dead, unpaid, misled, due }) =>
    dead ? "dead" : `${node.id} ${unpaid} ${misled} ${due}`,
  );
  return [table, ...chains, now, ...at, ...Object.values(left), coming.length, ...shown].join();
}
