import { AppError } from "../../../../core/error.ts";
import { free } from "../../../../core/relayer/index.ts";
import { payers, pressOwners } from "./ground.ts";
import { readCharges } from "./ledger.ts";
import type { Case } from "./operation.ts";
import { type Place, placeName, type Signed } from "./purse.ts";
import type { Run } from "./run.ts";
import { pressKey } from "./store.ts";
import { type Answer, answerName } from "./verdict.ts";
import { count, must } from "./violation.ts";

/** Reconciler runs, a minute apart, after which nothing may be under way any more. */
const rounds = 3;

/** How often a client repeats a request that is answered by "not yet". */
const patience = 4;

/** Ends all trouble, lets the reconciler work and the payers return, and holds what is then to the invariants. */
export async function settleDown(run: Run, back: Case["back"]): Promise<void> {
  run.trace("- rest");
  run.calm();
  await run.drain();
  await run.world.heal();
  for (let round = 0; round < rounds; round += 1) {
    await run.wait(61);
    await run.reconcile(undefined);
    await run.drain();
  }
  await nothingIsLeft(run);
  if (back.settled) await run.world.settleBroadcast();
  if (back.late) await run.wait(400);
  for (const payer of payers.keys()) {
    for (const press of pressOwners.keys()) {
      const begun = run.purse.all().some((one) => one.payer === payer && one.press === press);
      if (!begun) continue;
      for (const leg of ["fee", "publisher"] as const)
        await comesBack(run, { payer, press, leg }, back.header);
    }
  }
  await nothingIsLeft(run);
  await booksAgree(run);
  count(run.tally, "fault: crash", run.crashes());
}

/** Invariant 3: the reconciler has ended everything, and every relayer can go on. */
async function nothingIsLeft({ ports, ground, relayers, time }: Run): Promise<void> {
  const { settlement, relayer } = ports.table.entities;
  const { data: left } = await settlement.query.inFlight({ pending: "pending" }).go({ pages: "all" });
  must(left.length === 0, "stuck lease", `nothing stays under way, but ${JSON.stringify(left[0])}`);
  const items = await Promise.all(
    relayers.map((address) => relayer.get({ address }).go({ consistent: true })),
  );
  const known = items.flatMap(({ data }) => (data === null ? [] : [data]));
  must(
    free(relayers, known, time.now()).length === relayers.length,
    "stuck lease",
    "no relayer stays leased",
  );
  for (const { address, nextNonce } of known) {
    const nonce = Number(await ground.rpc("eth_getTransactionCount", [address, "latest"]));
    must(nextNonce <= nonce, "stuck lease", `relayer ${address} waits for nonce ${nextNonce} at ${nonce}`);
  }
}

/** The payer asks once more: what was charged is delivered, what was not is paid now. */
async function comesBack(run: Run, place: Place, header: "fresh" | "again"): Promise<void> {
  const last = run.purse.of(place).at(-1);
  const first = header === "again" && last !== undefined ? last : await run.sign(place);
  const answer = await ask(run, first);
  if (answer.kind !== "terms") return isDone(place, answer);
  must(first === last, "lost unlock", `a fresh permit pays ${placeName(place)}, not ${answerName(answer)}`);
  isDone(place, await ask(run, await run.sign(place)));
}

function isDone(place: Place, answer: Answer): void {
  const unlocked = place.leg === "publisher" && answerName(answer) === "already_unlocked";
  must(
    answer.kind === "paid" || unlocked,
    "lost unlock",
    `${placeName(place)} comes to be paid, not ${answerName(answer)}`,
  );
}

async function ask(run: Run, signed: Signed): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answers: Answer[] = [];
    await run.request(signed, {}, (answer) => answers.push(answer));
    await run.drain();
    const [answer] = answers;
    must(answer !== undefined, "lost unlock", "every request is answered");
    const later =
      answer.kind === "error" && answer.error instanceof AppError && answer.error.retryAfter !== undefined;
    if (!later || attempt === patience) return answer;
    await run.wait(2);
  }
}

/** Invariants 1, 3, 5 and 6: what the chain says and what the table says are one. */
async function booksAgree({ ports, ground, purse, relayers, tally, watch }: Run): Promise<void> {
  const charges = await readCharges(ground, purse, relayers);
  const { settlement, transfer, press: presses } = ports.table.entities;
  const unlocks = new Map<number, number>();
  count(tally, "broadcasts", watch.total());
  for (const place of places(purse.all())) {
    const own = charges.filter(({ signed }) => placeName(signed) === placeName(place));
    const ours = own.filter((charge) => charge.ours);
    must(
      ours.length <= 1,
      "double charge",
      `${placeName(place)} is charged once by us, not ${ours.length} times`,
    );
    const accepted = own.filter(({ signed }) => signed.broadcast);
    must(
      accepted.length <= 1,
      "double charge",
      `of the permits accepted for ${placeName(place)} one is charged, not ${accepted.length}`,
    );
    const key = { wallet: payers[place.payer]?.wallet ?? "0x", pressId: place.press, leg: place.leg };
    const { data } = await settlement.get(key).go({ consistent: true });
    must(data?.state === "settled", "lost unlock", `${placeName(place)} is settled`);
    must(
      own.some(({ txHash }) => txHash === data.txHash),
      "lost unlock",
      `${placeName(place)} is settled by a charge of its own`,
    );
    // Of permits that look alike, settled by one transaction, either transfer may stand for either leg.
    const alike = charges.filter(({ txHash }) => txHash === data.txHash);
    const used = await Promise.all(alike.map((charge) => transfer.get(charge).go({ consistent: true })));
    const mine = used.filter(({ data: paid }) => paid?.pressId === place.press && paid.leg === place.leg);
    must(mine.length === 1, "double charge", `one transfer pays for ${placeName(place)}, not ${mine.length}`);
    count(tally, "charges on the chain", own.length);
    count(
      tally,
      "credited to somebody else's transaction",
      own.length - ours.length > 0 && ours.length === 0 ? 1 : 0,
    );
    count(tally, "permits never accepted that others settled besides", own.length - 1);
    if (place.leg === "publisher") unlocks.set(place.press, (unlocks.get(place.press) ?? 0) + 1);
  }
  for (const [press] of pressOwners.entries()) {
    const { data } = await presses.get(pressKey(press)).go({ consistent: true });
    must(
      data?.reads === (unlocks.get(press) ?? 0),
      "lost unlock",
      `press ${press} counts ${data?.reads} reads`,
    );
  }
  count(
    tally,
    "unlocks",
    [...unlocks.values()].reduce((sum, one) => sum + one, 0),
  );
}

function places(all: readonly Signed[]): readonly Place[] {
  return [...new Map(all.map((one) => [placeName(one), one])).values()];
}
