import { beforeAll, describe, expect, test } from "vitest";
import { type Address, lower } from "../../../core/chain/hex.ts";
import type { Permit } from "../../../core/chain/permit2.ts";
import { pay } from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import { actBefore, advanceClock, skipWaits } from "../../support/interference.ts";
import {
  encodePermitHeader,
  fetchTerms,
  getTestAccount,
  listPress,
  makePermit,
  makeSignedHeader,
  readBalance,
  startPayments,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { deployContractWallet, fund, setFrozen } from "../../support/wallets.ts";

let pressId: number;
const publisher = getTestAccount(4);
const reader = getTestAccount(20);
const wallet = lower(reader.address);

const payments = startPart(startPayments);
beforeAll(() => fund(payments, reader));

const payLeg = (header: string, leg: Leg = "publisher") => pay(payments.ports, { leg, pressId, header });

/** A payment header with a permit that the reader's key signs. */
const makeHeader = (leg: Leg, changes: Partial<Permit> = {}) =>
  makeSignedHeader(payments, reader, leg, pressId, changes);

describe("only the payer can make the service settle a failed permit that is still valid", () => {
  async function failPayment(payer: Address): Promise<void> {
    pressId = await listPress(payments, publisher);
    await payLeg(await makeHeader("fee", { from: payer }), "fee");
    const freeze = () => setFrozen(payments, payer, true);
    const frozen = actBefore(skipWaits(payments.ports), /^eth_send|Receipt$/, freeze);
    const own = await makeHeader("publisher", { from: payer });
    expect(await pay(frozen, { leg: "publisher", pressId, header: own })).toMatchObject({
      kind: "terms",
      receipt: { success: false },
    });
    await setFrozen(payments, payer, false);
  }

  test("a signature that the payer's contract refuses settles nothing", async () => {
    const contract = await deployContractWallet(payments, reader);
    const since = payments.ports.clock.now();
    await failPayment(contract);
    const before = await readBalance(payments, contract);
    const { entry } = await fetchTerms(payments, "publisher", pressId);
    const garbage = encodePermitHeader(
      entry,
      makePermit({ address: contract }, entry),
      `0x${"12".repeat(65)}`,
    );
    expect(await payLeg(garbage)).toMatchObject({ terms: { code: "invalid_permit2_signature" } });
    expect(await readBalance(payments, contract)).toBe(before);
    const own = await makeHeader("publisher", { from: contract });
    // The wallet's contract may have burned the gas on purpose, so the wallet must wait before its next payment.
    const early = { ...payments.ports, clock: { ...payments.ports.clock, now: () => since + 1_000 } };
    await expect(pay(early, { leg: "publisher", pressId, header: own })).rejects.toMatchObject({
      code: "wallet_gas_limit",
    });
    const rested = advanceClock(payments.ports, 9_000);
    expect(await pay(rested, { leg: "publisher", pressId, header: own })).toMatchObject({ kind: "paid" });
    expect(before - (await readBalance(payments, contract))).toBe(225_000n);
  });

  test("instead of a fresh permit, the service settles the payer's failed permit, even if the wallet's contract takes more gas to check the failed permit", async () => {
    const contract = await deployContractWallet(payments, reader);
    // if (msg.data.length <= 200) keccak256(memory[0..262144]); return the magic value of EIP-1271;
    const bytecode = `0x3660c810600e57620400005f20505b7f1626ba7e${"0".repeat(56)}60005260206000f3` as const;
    await payments.client.setCode({ address: contract, bytecode });
    await failPayment(contract);
    const { entry } = await fetchTerms(payments, "publisher", pressId);
    const permit = makePermit({ address: contract }, entry);
    const header = encodePermitHeader(entry, permit, `0x${"12".repeat(130)}`);
    const rested = advanceClock(payments.ports, 9_000);
    expect(await pay(rested, { leg: "publisher", pressId, header })).toMatchObject({ kind: "paid" });
  });

  test("a request with a permit that is publicly known does not settle another permit", async () => {
    await failPayment(wallet);
    const before = await readBalance(payments, wallet);
    expect(await payLeg(await makeHeader("publisher", { deadline: 1n }))).toMatchObject({
      terms: { code: "permit2_deadline_expired" },
    });
    expect(await readBalance(payments, wallet)).toBe(before);
    expect(await payLeg(await makeHeader("publisher"))).toMatchObject({ kind: "paid" });
    expect(before - (await readBalance(payments, wallet))).toBe(225_000n);
  });
});
