import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settleCalldata } from "../../../core/chain/permit2.ts";
import { encodeHeader, pay } from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import {
  encodePermitHeader,
  exactProxy,
  fetchTerms,
  listPress,
  makePermit,
  type Payments,
  send,
  signPermit,
  startPayments,
  testAccount,
} from "../../support/payment.ts";
import { type Case, makeDocument, payerNames, type Setting } from "./differential/case.ts";
import { everyChange } from "./differential/change.ts";
import { disagreements, isSameVerdict, type Judged } from "./differential/disagreement.ts";
import { type Judge, makeLibraryJudge, makeServiceJudge } from "./differential/judge.ts";
import { buyers, prepare } from "./differential/setting.ts";

/** The seed of the random cases that are not enumerated. */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 4663);
const random = { seed, numRuns: Number(process.env.DIFFERENTIAL_RUNS ?? 60) };

let payments: Payments;
let setting: Setting;
let judges: Readonly<Record<Leg, { readonly ours: Judge; readonly theirs: Judge }>>;

beforeAll(async () => {
  payments = await startPayments();
  setting = await prepare(payments);
  const [relayer] = await payments.ports.relayers.addresses();
  if (relayer === undefined) throw new Error("There are no relayers");
  const judgesOf = (leg: Leg) => ({
    ours: makeServiceJudge(payments.ports, leg, setting.pressIds[leg], setting.terms[leg]),
    theirs: makeLibraryJudge(payments, relayer, setting.terms[leg]),
  });
  judges = { fee: judgesOf("fee"), publisher: judgesOf("publisher") };
  console.info(`Payments of seed ${seed}; DIFFERENTIAL_SEED takes another.`);
});
afterAll(() => payments.stop());

async function judge(payment: Case): Promise<Judged> {
  const document = await makeDocument(setting, payment);
  const { ours, theirs } = judges[payment.leg];
  return { case: payment, ours: await ours(document), theirs: await theirs(document) };
}

const changes = fc.array(fc.constantFrom(...everyChange), { maxLength: 2 });
const cases: readonly Case[] = [
  ...everyChange.map((change): Case => ({ leg: "fee", payer: "a key", changes: [change] })),
  // The nonce below was already used in the payment of the fee.
  {
    leg: "publisher",
    payer: "a key",
    changes: [{ kind: "signed number", field: "nonce", to: "2^256 - 1" }],
  },
  ...fc.sample(
    fc.oneof(
      fc.record({ leg: fc.constant<Leg>("fee"), payer: fc.constantFrom(...payerNames), changes }),
      fc.record({ leg: fc.constant<Leg>("publisher"), payer: fc.constantFrom(...buyers), changes }),
    ),
    random,
  ),
];

test(`${cases.length} payments get the same verdict from our service as from the x402 library's facilitator, except for intended differences`, {
  timeout: 120_000,
}, async () => {
  expect(cases.length).toBeGreaterThan(280);
  const results: Judged[] = [];
  for (const payment of cases) results.push(await judge(payment));

  // The service never throws, and never refuses without the current terms.
  expect(results.filter(({ ours }) => ours.kind === "threw")).toEqual([]);

  const counts = new Map(disagreements.map(({ name }) => [name, 0]));
  const unexplained = results.filter((result) => {
    if (isSameVerdict(result)) return false;
    const reason = disagreements.find(({ holds }) => holds(result));
    if (reason !== undefined) counts.set(reason.name, (counts.get(reason.name) ?? 0) + 1);
    return reason === undefined;
  });
  expect(unexplained).toEqual([]);

  const agreed = results.filter(isSameVerdict);
  console.info(
    [`${agreed.length} agreed`, ...[...counts].map(([name, count]) => `${count} ${name}`)].join("\n"),
  );
  // Every row of the table of disagreements is needed, and both judges accept some payments.
  expect([...counts].filter(([, count]) => count === 0)).toEqual([]);
  expect(agreed.filter(({ ours }) => ours.kind === "accepted").length).toBeGreaterThan(30);
});

test("a permit that somebody else settled fails the x402 library's simulation, and is a valid payment for us", async () => {
  const pressId = await listPress(payments, testAccount(4));
  const { signer } = setting.payers["a key"];
  const { entry } = await fetchTerms(payments, "fee", pressId);
  const permit = makePermit(signer, entry);
  const signature = await signPermit(signer, permit);
  const header = encodePermitHeader(entry, permit, signature);
  await send(payments, testAccount(7), exactProxy, settleCalldata(permit, signature));
  const document: unknown = JSON.parse(Buffer.from(header, "base64").toString());
  expect(await judges.fee.theirs(document)).toEqual({ kind: "refused", code: "permit2_simulation_failed" });
  expect(await pay(payments.ports, { leg: "fee", pressId, header })).toMatchObject({ kind: "paid" });
});

describe("any invalid payment header is answered with terms", () => {
  const malformed = {
    kind: "terms",
    terms: { code: "malformed_payment_header", accepts: [{ amount: "25000" }, {}] },
  };
  const answer = (header: string) =>
    pay(payments.ports, { leg: "fee", pressId: setting.pressIds.fee, header });

  test("a payment header with any text, bytes or JSON is refused as malformed", async () => {
    const header = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64")),
      fc.jsonValue().map(encodeHeader),
    );
    for (const text of fc.sample(header, { ...random, numRuns: 200 })) {
      expect(await answer(text), text).toMatchObject(malformed);
    }
  });

  test("every truncated payment header is answered with terms", async () => {
    const good = encodeHeader(await makeDocument(setting, { leg: "fee", payer: "a key", changes: [] }));
    for (const length of fc.sample(fc.nat(good.length - 5), { ...random, numRuns: 100 })) {
      expect(await answer(good.slice(0, length)), String(length)).toMatchObject(malformed);
    }
  });
});
