import { describe, expect, test } from "vitest";
import { countUndelivered, type PaymentPorts, readPending, reconcile } from "../../../core/payment/index.ts";
import type { MetricEvent } from "../../../core/port/cloud.ts";
import { readTxCapacity } from "../../../core/relayer/operators.ts";
import { advanceClock, limitToOneKey, withholdCalls } from "../../support/interference.ts";
import { getTestAccount, listPress, payLeg, startPayments } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { makeReaders } from "./readers.ts";

const publisher = getTestAccount(4);
const minute = 60_000;

const payments = startPart(startPayments);
const { makeReader, makePayingReader, payAndDie } = makeReaders(payments);

/** Lets the process that serves a payer die just before or just after its broadcast. Returns the payer. */
async function makeUnfinishedPayment(when: "before" | "after") {
  const payer = await makePayingReader("fee");
  await payAndDie(payer, when);
  return payer;
}

const readSurvey = async (ports: PaymentPorts) => {
  const found = await readPending(ports);
  return {
    count: found.items.length,
    oldest: found.oldest,
    undelivered: await countUndelivered(ports, found),
  };
};

describe("the survey reports the unfinished payments", () => {
  let payer: Awaited<ReturnType<typeof makePayingReader>>;

  test("a survey does not ask the chain if there is no unfinished payment", async () => {
    expect(await readSurvey(withholdCalls(payments.ports, /./))).toEqual({
      count: 0,
      oldest: 0,
      undelivered: 0,
    });
  });

  test("the survey reports the age of the oldest payment, and counts a charged payment as undelivered after two runs of the reconciler", async () => {
    payer = await makeUnfinishedPayment("after");
    const young = await readSurvey(payments.ports);
    expect(young).toEqual({ count: 1, oldest: expect.any(Number), undelivered: 0 });
    expect(young.oldest).toBeLessThan(minute);
    const old = await readSurvey(advanceClock(payments.ports, 3 * minute));
    expect(old).toEqual({ count: 1, oldest: expect.any(Number), undelivered: 1 });
    expect(old.oldest).toBeGreaterThanOrEqual(3 * minute);
  });

  test("a payment without a transfer on the chain is not counted as paid", async () => {
    await makeUnfinishedPayment("before");
    expect(await readSurvey(advanceClock(payments.ports, 3 * minute))).toMatchObject({
      count: 2,
      undelivered: 1,
    });
  });

  test("a survey fails while the chain does not answer, because the survey cannot know who has paid", async () => {
    const mute = withholdCalls(advanceClock(payments.ports, 3 * minute), /./);
    expect((await readPending(mute)).items).toHaveLength(2);
    await expect(readSurvey(mute)).rejects.toMatchObject({ code: "chain_unavailable" });
  });

  test("a survey does not count a payment that the reconciler has finished, even if the survey read the payment before the reconciler finished it", async () => {
    const ports = advanceClock(payments.ports, 3 * minute);
    const before = await readPending(ports);
    const mined = {
      ...before,
      items: before.items.filter(({ wallet }) => wallet === payer.wallet),
    };
    expect(await countUndelivered(ports, mined)).toBe(1);
    await reconcile(ports);
    expect(await countUndelivered(ports, mined)).toBe(0);
    // The reconciler has sent the transaction of the other payment again, and the transaction must still be included in a block.
    const reconcileAndRead = async () => {
      await reconcile(ports);
      return readSurvey(ports);
    };
    await expect.poll(reconcileAndRead).toEqual({ count: 0, oldest: 0, undelivered: 0 });
  });
});

test("the survey computes how many settlements a relayer's gas pays for at the current gas price, and rounds the number down; 0 means too little gas for one settlement", async () => {
  const addresses = await payments.ports.relayers.addresses();
  const keys = addresses.map((address) => ({ address, sends: "leg" }) as const);
  const before = await readTxCapacity({ ...payments.ports, keys });
  expect(before.map(({ address }) => address)).toEqual(addresses);
  const [first = "0x"] = addresses;
  const { account } = await makeReader();

  const pressId = await listPress(payments, publisher);
  const gas = await payments.client.getBalance({ address: first });
  await payLeg({ ports: limitToOneKey(payments.ports) }, account, "fee", pressId);
  const cost = gas - (await payments.client.getBalance({ address: first }));
  const settlements = BigInt(before.find(({ address }) => address === first)?.transactions ?? 0);
  expect(cost).toBeGreaterThan(0n);
  expect(settlements * cost).toBeLessThanOrEqual(gas);
  // The estimate of a settlement's cost assumes double the gas price and a quarter more gas, and the result is rounded up.
  expect(settlements * cost * 5n).toBeGreaterThan(gas);

  await payments.client.setBalance({ address: first, value: cost });
  expect(
    (await readTxCapacity({ ...payments.ports, keys })).map(({ transactions }) => transactions === 0),
  ).toEqual(addresses.map((address) => address === first));
  await payments.client.setBalance({ address: first, value: gas });
});

test("a verdict costs more gas than a settlement, so the same ETH pays for fewer verdicts than settlements", async () => {
  const [address = "0x"] = await payments.ports.relayers.addresses();
  const keys = (["leg", "verdict"] as const).map((sends) => ({ address, sends }));
  const [legs, verdicts] = await readTxCapacity({ ...payments.ports, keys });
  expect(verdicts?.transactions).toBeGreaterThan(0);
  expect(verdicts?.transactions).toBeLessThan(legs?.transactions ?? 0);
});

test("each settlement and each failure is counted once, whichever process ends the payment", async () => {
  const counted: MetricEvent[] = [];
  const ports = { ...payments.ports, meter: { count: (one: MetricEvent) => void counted.push(one) } };
  const { account } = await makeReader();
  const pressId = await listPress(payments, publisher);
  await payLeg({ ...payments, ports }, account, "fee", pressId);
  expect(counted).toEqual([{ name: "LegSettled", leg: "fee" }]);
  await payLeg({ ...payments, ports }, account, "publisher", pressId);
  expect(counted.splice(0)).toHaveLength(2);

  await makeUnfinishedPayment("after");
  const runs = [reconcile(advanceClock(ports, minute)), reconcile(advanceClock(ports, minute))];
  await Promise.all(runs);
  expect(counted).toEqual([{ name: "LegSettled", leg: "fee" }]);
});
