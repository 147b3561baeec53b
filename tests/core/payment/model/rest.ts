import { AppError } from "../../../../core/error.ts";
import { booksAgree } from "./books.ts";
import { failuresPerDay } from "./griefers.ts";
import { payers, pressOwners } from "./ground.ts";
import type { Case } from "./operation.ts";
import { type Place, placeName, type Signed } from "./purse.ts";
import type { Run } from "./run.ts";
import { type Answer, answerName } from "./verdict.ts";
import { count, must } from "./violation.ts";

/** Reconciler runs, a minute apart, after which nothing may be under way any more. */
const rounds = 3;

/** How often a client repeats a request that is answered by "not yet". */
const mostRequests = 4;

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
  if (back.settled !== "not") await run.world.settleBroadcast(back.settled === "hidden");
  if (back.late) await run.wait(400);
  // The day's budget may be spent: contract wallets that have never paid come back tomorrow.
  if ((await run.griefers.burned()) > failuresPerDay / 2) await run.wait(24 * 60 * 60);
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
async function nothingIsLeft({ table, ground, relayers, time }: Run): Promise<void> {
  const { settlement, relayer } = table.entities;
  const { data: left } = await settlement.query.inFlight({ pending: "pending" }).go({ pages: "all" });
  must(left.length === 0, "stuck lease", `nothing stays under way, but ${JSON.stringify(left[0])}`);
  const items = await Promise.all(
    relayers.map((address) => relayer.get({ address }).go({ consistent: true })),
  );
  const known = items.flatMap(({ data }) => (data === null ? [] : [data]));
  must(
    known.every(({ inFlight, leaseUntil = 0 }) => inFlight === undefined && leaseUntil < time.now()),
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
  const first = header === "again" && last !== undefined ? last : await run.clients.sign(place);
  const answer = await ask(run, first);
  if (answer.kind !== "terms") return isDone(place, answer);
  must(first === last, "lost unlock", `a fresh permit pays ${placeName(place)}, not ${answerName(answer)}`);
  isDone(place, await ask(run, await run.clients.sign(place)));
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
    await run.clients.request(signed, {}, (answer) => answers.push(answer));
    await run.drain();
    const [answer] = answers;
    must(answer !== undefined, "lost unlock", "every request is answered");
    const later =
      answer.kind === "error" && answer.error instanceof AppError && answer.error.retryAfter !== undefined;
    if (!later || attempt === mostRequests) return answer;
    await run.wait(2);
  }
}
