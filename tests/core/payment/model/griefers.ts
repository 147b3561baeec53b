import { keccak256 } from "viem/utils";
import * as z from "zod";
import { Quantity } from "../../../../core/chain/call.ts";
import type { Address, Hex } from "../../../../core/chain/hex.ts";
import type { Permit } from "../../../../core/chain/permit2.ts";
import * as Gas from "../../../../core/gas/index.ts";
import * as Payment from "../../../../core/payment/index.ts";

import { payerIn, tells } from "../../../support/griefer.ts";
import { griefers, storedOwner } from "./griefer-wallets.ts";
import { contracts, type Ground, leastGasPrice } from "./ground.ts";
import { treasury } from "./ledger.ts";
import type { Grief } from "./operation.ts";
import { headerOf } from "./purse.ts";
import type { Scheduler, Time } from "./scheduler.ts";
import { priceUnits } from "./store.ts";
import { type Answer, answerName, mayFail } from "./verdict.ts";
import { count, must, type Tally } from "./violation.ts";

/** Gas units that failed payments may burn in a day of the model: few, so that runs spend them. */
export const failuresPerDay = 1_000_000;

/** What so much gas costs at the least price of the model, in USDG base units at 3,000 USDG an ETH. */
export function valueAtLeast(gas: number): number {
  return Gas.valueOfWei(BigInt(gas) * leastGasPrice, 3_000_000_000);
}

/** A payment's limit, which a second relayer may have under way when the budget is spent. */
const overrun = 600_000;
export const gasBudget = failuresPerDay + overrun;

type GriefersOptions = {
  readonly ground: Ground;
  readonly ports: () => Payment.PaymentPorts;
  readonly scheduler: Scheduler;
  readonly time: Time;
  readonly tally: Tally;
  readonly trace: (line: string) => void;
  readonly later: (check: () => Promise<void>) => void;
};

const Receipt = z.nullable(z.object({ status: z.string(), gasUsed: Quantity }));

/** Attackers who want the service to pay for gas: they ask for fees, and burn what the chain gives their wallets. */
export function openGriefers(options: GriefersOptions) {
  const { ground, ports, scheduler, time, tally, trace, later } = options;
  const sent = new Set<Hex>();
  const headers = new Map<Address, string>();
  let nonces = 0n;

  async function arm(wallet: Address, on: boolean): Promise<void> {
    await ground.rpc("anvil_setStorageAt", [wallet, "0x0", storedOwner(on)]);
  }

  function sign(wallet: Address): string {
    nonces += 1n;
    const permit: Permit = {
      from: wallet,
      token: contracts.usdg,
      amount: priceUnits / 10n,
      spender: contracts.exactProxy,
      nonce: nonces,
      deadline: BigInt(Math.floor(time.now() / 1000) + 300),
      validAfter: 0n,
      to: treasury,
    };
    return headerOf({ permit, signature: `0x${"11".repeat(65)}` }, {});
  }

  return {
    /** Asks to pay a fee, by a new permit or by the last one again. */
    async ask({ griefer: which, press: pressId, again }: Grief): Promise<void> {
      const griefer = griefers[which % griefers.length];
      if (griefer === undefined) throw new RangeError("There is no such griefer.");
      const { wallet } = griefer;
      const header = (again ? headers.get(wallet) : undefined) ?? sign(wallet);
      headers.set(wallet, header);
      await arm(wallet, false);
      count(tally, "griefing requests");
      const work = async () => {
        const answer: Answer = await Payment.pay(ports(), { leg: "fee", pressId, header }).catch(
          (error: unknown) => ({ kind: "error", error }),
        );
        trace(`griefer ${which}, press ${pressId}: ${answerName(answer)}`);
        count(tally, `to griefers: ${answerName(answer)}`);
        if (answer.kind === "error" && !mayFail(answer.error)) later(() => Promise.reject(answer.error));
      };
      await scheduler.start(work, {});
    },
    /** Hears of a broadcast before the node does. Answers whether it is of a griefing wallet, which is armed then. */
    async sent(raw: Hex): Promise<boolean> {
      const payer = payerIn(raw);
      const griefer = griefers.find(({ wallet }) => wallet === payer);
      if (griefer !== undefined) sent.add(keccak256(raw));
      if (griefer?.tell === tells.switch) await arm(griefer.wallet, true);
      return griefer !== undefined;
    },
    /** What they have burned of the relayers' gas. Throws Violation where it is more than their budget of a day. */
    async burned(): Promise<number> {
      const receipts = await Promise.all(
        [...sent].map(async (hash) => Receipt.parse(await ground.rpc("eth_getTransactionReceipt", [hash]))),
      );
      const burned = receipts.reduce(
        (sum, receipt) => sum + (receipt?.status === "0x0" ? Number(receipt.gasUsed) : 0),
        0,
      );
      must(burned <= gasBudget, "gas drain", `griefing wallets burn ${burned} gas`);
      count(tally, "gas burned by griefing wallets", burned);
      tally.set("most of it in a run", Math.max(burned, tally.get("most of it in a run") ?? 0));
      return burned;
    },
  };
}
export type Griefers = ReturnType<typeof openGriefers>;
