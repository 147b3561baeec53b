import { AppError } from "../../../../core/error.ts";
import { beginning, findSettlement, mineOwnTransaction } from "./chain.ts";
import { expectInvariant, findSignedPayments, listRecords } from "./laws.ts";
import { addProcess, calm, isAlive, type PayRequest, runWhile, type World } from "./world.ts";

/**
 * The times at which the reconciler runs: twice while the signed payments are valid, and once after their deadlines. The reconciler runs at
 * the same times in every explored state, so that several states can share its runs.
 */
const reconciled = [120, 181, 900].map((seconds) => beginning + seconds * 1000);

/** Runs one process to its end while nothing else happens. */
async function runAlone(world: World, name: string, request?: PayRequest): Promise<World> {
  return runWhile(await addProcess({ ...world, processes: [] }, name, request), isAlive, name);
}

/**
 * Ends all faults, runs the reconciler, and lets each payer repeat the request with the first payment and then with a fresh payment. After
 * the payers' last requests, every payment must have been made once, the text must have been delivered, and no relayer key may be leased
 * (invariants 1, 3, 4 and 6). Throws InvariantError.
 */
export async function runToEnd(end: World): Promise<void> {
  const calmed = { ...end.chain, broke: [], burning: [], short: [], frozen: false, dear: false };
  let world: World = { ...end, left: calm, chain: calmed };
  for (const raw of world.chain.pool) world = { ...world, chain: mineOwnTransaction(world, raw) };
  world = { ...world, chain: { ...world.chain, pool: [] }, before: world.chain };
  for (const now of reconciled) {
    if (now >= world.now) world = await runAlone({ ...world, now }, "reconciler");
  }
  const { settlements, relayers } = listRecords(world);
  for (const { state, leg, wallet } of settlements) {
    expectInvariant(
      state === "settled" || state === "failed",
      3,
      `the ${leg} of ${wallet} does not stay ${state}`,
    );
  }
  for (const { inFlight, leaseUntil = 0 } of relayers) {
    expectInvariant(inFlight === undefined && leaseUntil < world.now, 3, "no key stays held");
  }
  const requests = new Map(
    end.processes.flatMap(({ request }) =>
      request?.again === undefined ? [] : [[request.again.name, request.again]],
    ),
  );
  for (const request of requests.values()) world = await repeatRequest(world, end, request);
}

/** The payer repeats the request with a fresh signature that has not been sent before. */
async function repeatRequest(world: World, end: World, request: PayRequest): Promise<World> {
  const { wallet } = request.signed;
  const paidBefore = findSignedPayments({ wallet, leg: request.leg }).some(
    (one) => findSettlement(world.chain, one) !== undefined,
  );
  const after = await runAlone(world, request.name, request);
  const [process] = after.processes;
  const outcome = process?.node.end;
  const answered = end.processes.some(
    ({ request: one, node }) =>
      one?.signed.wallet === wallet &&
      node.end !== undefined &&
      "value" in node.end &&
      hasText(node.end.value),
  );
  const unlocked =
    outcome !== undefined && "error" in outcome && outcome.error instanceof AppError
      ? outcome.error.code === "already_unlocked"
      : false;
  const paid = outcome !== undefined && "value" in outcome && hasKind(outcome.value, "paid");
  expectInvariant(paid || unlocked, 6, `${request.name} ends well`);
  expectInvariant(
    !unlocked || answered || isRecorded(world, request),
    6,
    `${request.name}, who was not answered, is`,
  );
  const charges = findSignedPayments({ wallet, leg: request.leg }).filter(
    (one) => findSettlement(after.chain, one) !== undefined,
  );
  expectInvariant(charges.length === 1, 1, `${request.name} has paid once, not ${charges.length} times`);
  expectInvariant(
    !paidBefore || charges[0]?.name !== request.signed.name,
    1,
    `${request.name} is not charged again`,
  );
  return after;
}

/**
 * Tells whether the text is recorded as delivered. The record of a delivery is written before the text is sent. Once the record exists, the
 * payer also gets the text after a sign-in.
 */
function isRecorded(world: World, { signed, leg }: PayRequest): boolean {
  return listRecords(world).settlements.some(
    (one) => one.wallet === signed.wallet && one.leg === leg && one.answeredAt !== undefined,
  );
}

function hasKind(value: unknown, kind: string): boolean {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === kind;
}

function hasText(value: unknown): boolean {
  return (
    hasKind(value, "paid") &&
    typeof value === "object" &&
    value !== null &&
    "unlocked" in value &&
    value.unlocked !== undefined
  );
}
