import * as z from "zod";
import type { Snapshot } from "../state.ts";
import { findFaults, isRefusal } from "./oracle.ts";
import { type FuzzRequest, makeRequests } from "./request.ts";
import { sendRaw } from "./send.ts";
import type { FuzzWorld } from "./world.ts";

export type Finding = { readonly fault: string; readonly request: string };

export type FuzzResult = {
  /** The number of answers by route and status, such as `rpc 200`. */
  readonly answers: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
};

/**
 * Sends `count` requests in sequence. The same seed always gives the same requests. After each refusal, the table and the chain must be as
 * they were before the request.
 */
export async function fuzz(world: FuzzWorld, seed: number, count: number): Promise<FuzzResult> {
  const answers = new Map<string, number>();
  const findings: Finding[] = [];
  let before = await world.state.read();
  for (const [index, request] of makeRequests(world, seed, count).entries()) {
    const answer = await sendRaw(world, request);
    const name = `${request.route} ${answer.status}`;
    answers.set(name, (answers.get(name) ?? 0) + 1);
    const faults = [...findFaults(world.document, request, answer)];
    const after = await world.state.read();
    const changed = isRefusal(answer) ? listChanges(before, after) : [];
    if (changed.length > 0)
      faults.push(`answers with ${answer.status} and has changed ${changed.join("; ")}`);
    for (const fault of faults)
      findings.push({ fault, request: `seed ${seed}, request ${index}: ${formatRequest(request)}` });
    before = after;
  }
  return { answers, findings };
}

const Expiring = z.object({ expiresAt: z.number() });

/**
 * Lists the differences between two snapshots of the table and the chain. Expired items are ignored, because the table deletes expired
 * items by itself.
 */
function listChanges(before: Snapshot, after: Snapshot): readonly string[] {
  const isExpired = (item: string | undefined) => {
    const { data } = Expiring.safeParse(JSON.parse(item ?? "null"));
    return data !== undefined && data.expiresAt <= Date.now() / 1000;
  };
  const items = listDifferences(before.items, after.items).filter(
    (key) => after.items[key] !== undefined || !isExpired(before.items[key]),
  );
  return [
    ...items.map((key) => `${key}: ${before.items[key]} -> ${after.items[key]}`),
    ...listDifferences(before.sent, after.sent).map((wallet) => `the nonce of ${wallet}`),
  ];
}

function listDifferences<Field>(
  one: Readonly<Record<string, Field>>,
  other: Readonly<Record<string, Field>>,
) {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => one[key] !== other[key]);
}

function formatRequest({ method, target, headers, body, payment }: FuzzRequest): string {
  return [method, target, headers, body, payment]
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    .filter((part) => part !== undefined)
    .join(" ")
    .slice(0, 1_500);
}
