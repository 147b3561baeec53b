import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import * as z from "zod";
import { HashInput, type Hex } from "../../core/chain/hex.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { filings } from "../../local/seed/articles.ts";
import { type Answer, makeRecordingVisitor, type Visitor } from "../functions/observed/visitor.ts";
import { register } from "../support/payment.ts";
import { startProxy } from "../support/post.ts";
import { startPart } from "../support/provide.ts";
import { startServiceBehind } from "../support/service.ts";

/** For each transaction, the number of times that the workers have asked the node for its receipt. */
const looks = new Map<Hex, number>();

const service = startPart(() => startServiceBehind("chain", startWatch));

const Receipt = z.object({ method: z.literal("eth_getTransactionReceipt"), params: z.tuple([HashInput]) });

/** A node that counts the requests for receipts. */
function startWatch(endpoint: string) {
  return startProxy(endpoint, async (body, ask) => {
    const asked: unknown = JSON.parse(body);
    for (const call of [asked].flat()) {
      const hash = Receipt.safeParse(call).data?.params[0];
      if (hash !== undefined) looks.set(hash, (looks.get(hash) ?? 0) + 1);
    }
    return ask();
  });
}

async function signInPublisher(index: number): Promise<Visitor> {
  const wallet = makeRecordingVisitor(service.origin, getTestAccount(index));
  await wallet.signIn();
  return wallet;
}

/** Makes an approved press without an audit, because this test does not need the audit. */
async function approve(wallet: Visitor): Promise<number> {
  const draft = { ...filings, publisherName: "Nobody" };
  const { id } = z.object({ id: z.number() }).parse((await wallet.ask("/api/press/save", draft)).body);
  await service.table.entities.press.patch({ id }).set({ status: "approved" }).go();
  return id;
}

const makeRandomHash = (): Hex => `0x${randomBytes(32).toString("hex")}`;
const claim = (wallet: Visitor, id: number, txHash: Hex) => wallet.ask("/api/press/minted", { id, txHash });
const formatAnswer = ({ status, body }: Answer) => `${status} ${Object(body).code}`;
const Refused = z.object({ retryAfter: z.number().positive() });

async function mint(index: number, id: number): Promise<Hex> {
  return (await register(service, getTestAccount(index), `${service.origin}/api/meta/${id}`)).txHash;
}

test("if a publisher names many transaction hashes for a press, at most three are checked at once, and the other hashes are deferred", async () => {
  const attacker = await signInPublisher(30);
  const id = await approve(attacker);
  const hashes = Array.from({ length: 12 }, makeRandomHash);
  const answers = await Promise.all(hashes.map((hash) => claim(attacker, id, hash)));
  const codes = answers.map(formatAnswer);
  expect(codes.filter((code) => code === "503 mint_pending")).toHaveLength(3);
  expect(codes.filter((code) => code === "429 too_many_mints")).toHaveLength(9);
  for (const { body } of answers) Refused.parse(body);
  await expect.poll(() => hashes.filter((hash) => looks.has(hash))).toHaveLength(3);
});

test("simultaneous requests that name one transaction hash for a mint count as one request", async () => {
  const attacker = await signInPublisher(31);
  const id = await approve(attacker);
  const hash = makeRandomHash();
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 10 }, () => claim(attacker, id, hash)));
  expect(new Set(answers.map(formatAnswer))).toEqual(new Set(["503 mint_pending"]));
  await expect.poll(() => looks.get(hash) ?? 0).toBeGreaterThan(0);
  // The worker asks the node for a receipt at once and after one, two and four seconds.
  const seconds = (performance.now() - began) / 1000;
  expect(looks.get(hash)).toBeLessThanOrEqual(2 + seconds);
  const [second, third] = [makeRandomHash(), makeRandomHash()];
  const others = await Promise.all([claim(attacker, id, second), claim(attacker, id, third)]);
  expect(others.map(formatAnswer)).toEqual(["503 mint_pending", "503 mint_pending"]);
});

test("an honest mint is confirmed while attackers send invented transaction hashes without end", async () => {
  const attackers = await Promise.all([40, 41, 42].map(signInPublisher));
  const targets: { attacker: Visitor; id: number }[] = [];
  for (const attacker of attackers) {
    for (let press = 0; press < 2; press += 1) targets.push({ attacker, id: await approve(attacker) });
  }
  looks.clear();
  const began = performance.now();
  let flooding = true;
  const invented = new Set<Hex>();
  const flood = targets.flatMap(({ attacker, id }) =>
    Array.from({ length: 5 }, async () => {
      while (flooding) {
        const hash = makeRandomHash();
        invented.add(hash);
        const { status } = await claim(attacker, id, hash);
        // If the test repeated a refused request at once, the firewall would limit the flood, and the service's own limit would not be
        // tested.
        if (status === 429) await sleep(500);
      }
    }),
  );
  try {
    await expect.poll(() => invented.size).toBeGreaterThan(targets.length * 5);
    const honest = await signInPublisher(1);
    const id = await approve(honest);
    const txHash = await mint(1, id);
    // The attack and other programs can delay the mint's confirmation by minutes.
    await expect
      .poll(async () => (await claim(honest, id, txHash)).status, { timeout: 300_000, interval: 100 })
      .toBe(200);
  } finally {
    flooding = false;
    await Promise.all(flood);
  }
  const countChecked = () => [...looks.keys()].filter((hash) => invented.has(hash)).length;
  await expect.poll(countChecked).toBeGreaterThanOrEqual(targets.length * 3);
  // The check of an invented hash takes at least a minute, and another hash can take its place only after the check.
  const minutes = (performance.now() - began) / 60_000;
  expect(countChecked()).toBeLessThanOrEqual(targets.length * 3 * Math.ceil(minutes));
});
