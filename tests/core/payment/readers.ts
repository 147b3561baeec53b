import type { HDAccount } from "viem/accounts";
import { numberToHex } from "viem/utils";
import { expect } from "vitest";
import { type Address, lower } from "../../../core/chain/hex.ts";
import { AppError } from "../../../core/error.ts";
import { type PayRequest, pay } from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import { makeGrantCalls } from "../../support/crowd.ts";
import { actBefore, makeDyingPorts, makePortsDyingAtSigning } from "../../support/interference.ts";
import { listTransfers, readSettlement } from "../../support/ledger.ts";
import {
  encodeTransfer,
  getTestAccount,
  listPress,
  type Payments,
  payLeg,
  readBalance,
  send,
  signLeg,
  treasury,
  usdg,
} from "../../support/payment.ts";
import { makeAccount } from "../../support/wallets.ts";

const somebody = getTestAccount(7);
const funds = 10_000_000n;

type Reader = { readonly account: HDAccount; readonly wallet: Address };
type Changes = Parameters<typeof signLeg>[4];

/** Gives each test its own readers. A press costs 250,000 base units, and account 4 owns it. */
export function makeReaders(payments: Payments) {
  /** A wallet with ETH for gas, and with 10 USDG that Permit2 is allowed to move. */
  async function makeReader() {
    const account = makeAccount();
    const ether = { method: "anvil_setBalance", params: [account.address, numberToHex(10n ** 18n)] };
    await payments.ports.chain.batch([...makeGrantCalls(account.address, funds), ether]);
    return { account, wallet: lower(account.address) };
  }

  const sign = (account: HDAccount, leg: Leg, pressId: number, changes?: Changes) =>
    signLeg(payments, account, leg, pressId, changes);

  /** The amounts that a reader was charged, oldest first. */
  async function listCharges({ wallet }: { readonly wallet: Address }) {
    return (await listTransfers(payments, { from: wallet })).map(({ value }) => value);
  }

  /** Moves all USDG of a reader to account 7. */
  async function spendAll({ account, wallet }: Reader) {
    const units = await readBalance(payments, wallet);
    await send(payments, account, usdg, encodeTransfer(somebody.address, units));
  }

  return {
    makeReader,
    sign,
    listCharges,
    /** Expects that the reader was charged exactly the given amounts. */
    async expectCharged(wallet: Address, ...amounts: bigint[]) {
      expect(await listCharges({ wallet })).toEqual(amounts);
    },
    /** Expects that the reader has paid the fee the given number of times. */
    async expectFees(wallet: Address, times = 1) {
      const moved = await listTransfers(payments, { from: wallet, to: treasury });
      expect(moved.map(({ value }) => value)).toEqual(Array(times).fill(25_000n));
    },
    spendAll,
    /** Ports that let the reader spend all USDG right before the service sends the payment. */
    makeEmptyingPorts: (reader: Reader, ports = payments.ports) =>
      actBefore(ports, /^eth_sendRawTransactionSync$/, () => spendAll(reader)),
    /** Gives a reader the starting amount of USDG again. */
    refill: (wallet: Address) => send(payments, somebody, usdg, encodeTransfer(wallet, funds)),
    /** A reader who must pay the leg next, and the reader's permit for the leg. */
    async makePayingReader(leg: Leg = "fee", changes?: Changes) {
      const reader = await makeReader();
      const pressId = await listPress(payments, getTestAccount(4));
      if (leg === "publisher") await payLeg(payments, reader.account, "fee", pressId);
      return { ...reader, leg, pressId, ...(await sign(reader.account, leg, pressId, changes)) };
    },
    /** Leases relayer keys to another process, by default all keys for three hours. Returns a function that ends the leases. */
    async leaseKeys(
      addresses?: readonly string[],
      milliseconds = 180 * 60_000,
    ): Promise<() => Promise<void>> {
      const { relayer } = payments.ports.table.entities;
      const keys = addresses ?? (await payments.ports.relayers.addresses());
      for (const address of keys) {
        const { data } = await relayer.get({ address }).go({ consistent: true });
        const lease = { lease: "somebody", leaseUntil: Date.now() + milliseconds };
        await relayer.put({ address, nextNonce: data?.nextNonce ?? 0, ...lease }).go();
      }
      return async () => {
        for (const address of keys) await relayer.patch({ address }).remove(["lease", "leaseUntil"]).go();
      };
    },
    /** Waits until at least `count` payments wait for a relayer key. */
    async waitForQueue(count: number): Promise<void> {
      const { settlement } = payments.ports.table.entities;
      const read = () => settlement.query.inFlight({ pending: "waiting" }).go({ pages: "all" });
      await expect
        .poll(async () => (await read()).data.length, { interval: 20 })
        .toBeGreaterThanOrEqual(count);
    },
    readRecord: ({ wallet, pressId, leg }: PayingReader) =>
      readSettlement(payments.ports, wallet, pressId, leg),
    /** Starts a payment in a process that dies when it signs or broadcasts its transaction. */
    async payAndDie(request: PayRequest, deathTime: "signing" | "before" | "after", ports = payments.ports) {
      const dying =
        deathTime === "signing"
          ? makePortsDyingAtSigning(ports)
          : makeDyingPorts(ports, /^eth_sendRawTransaction/, deathTime);
      void pay(dying.ports, request);
      await dying.ended;
    },
  };
}

/** The maximum number of times that an honest client repeats a request that was answered with 503. */
const mostRepeats = 20;

/** Calls `work` again if it is answered with 503, as an honest client does. Also returns the number of repeats. */
export async function repeatPatiently<Value>({ clock }: Payments["ports"], work: () => Promise<Value>) {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return { value: await work(), repeats };
    } catch (error) {
      if (!(error instanceof AppError && error.kind === "upstream") || repeats === mostRepeats) throw error;
      await clock.sleep((error.retryAfter ?? 1) * 1000);
    }
  }
}

/** The outcome of a payment that is refused with this code and fresh terms. */
export const makeRefusal = (code: string) => ({ kind: "terms", terms: { code } });

export type PayingReader = { readonly wallet: Address; readonly leg: Leg; readonly pressId: number };
