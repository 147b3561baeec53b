import { keccak256, stringToHex } from "viem/utils";
import { paymentLogs } from "../../../../core/chain/receipt.ts";
import * as Payment from "../../../../core/payment/index.ts";
import type { Table } from "../../../../core/table.ts";
import type { Copier } from "./copier.ts";
import { payers, pressOwners } from "./ground.ts";
import { treasury } from "./ledger.ts";
import type { Deed, Pay } from "./operation.ts";
import { type Place, type Purse, permitNumber, placeName, type Signed } from "./purse.ts";
import type { Crash, Scheduler, Time } from "./scheduler.ts";
import { priceUnits, textOf } from "./store.ts";
import { type Answer, answerName, justified, mayFail } from "./verdict.ts";
import { count, must, type Tally } from "./violation.ts";
import type { Moment, Watch } from "./watch.ts";
import type { World } from "./world.ts";

/** What becomes of a request on its way. */
type Trouble = { readonly crash?: Crash | undefined; readonly ambush?: Pay["ambush"] };

type ClientsOptions = {
  /** The ports of a new process of the service. */
  readonly ports: () => Payment.PaymentPorts;
  readonly scheduler: Scheduler;
  readonly purse: Purse;
  readonly world: World;
  readonly watch: Watch;
  readonly copier: Copier;
  readonly table: Table;
  readonly time: Time;
  readonly tally: Tally;
  readonly trace: (line: string) => void;
  /** Hears of a check to be made as soon as nobody is running. */
  readonly later: (check: () => Promise<void>) => void;
};

/** Honest payers: they sign what they owe, ask, repeat, and sign anew. Every answer that they get is judged. */
export function openClients(options: ClientsOptions) {
  const { ports, scheduler, purse, world, watch, copier, table, time, tally, trace, later } = options;
  const paid = new Set<string>();
  let requests = 0;

  /** Sends a payment; `heard` gets its answer, if any comes. */
  async function request(signed: Signed, trouble: Trouble, heard?: (answer: Answer) => void): Promise<void> {
    const begun = watch.moment();
    requests += 1;
    count(tally, "requests");
    const title = `request ${requests}, ${placeName(signed)}, permit ${permitNumber(signed)}`;
    const { crash, ambush } = trouble;
    const deed = ambush && { call: ambush.call, act: () => ambushed(signed, ambush.deed) };
    const work = async () => {
      const { leg, press: pressId, header } = signed;
      const answer: Answer = await Payment.pay(ports(), { leg, pressId, header }).catch((error: unknown) => ({
        kind: "error",
        error,
      }));
      trace(`${title}: ${answerName(answer)}`);
      later(() => judge(signed, begun, answer));
      heard?.(answer);
    };
    await scheduler.start(work, { crash, ambush: deed });
  }

  async function ambushed(signed: Signed, deed: Deed): Promise<void> {
    const { payer, press } = signed;
    const act = () => {
      if (deed === "settle this") return world.settle(signed);
      if (deed === "settle hidden") return world.settleHidden(signed);
      if (deed === "take back") return world.takeBack(signed);
      if (deed === "copy") return copier.copy({ which: 0, dress: "own ticket" });
      return world.perform({ do: deed, payer, press, relayer: payer, steps: 0 });
    };
    const done = await act();
    trace(`  ${deed} meets permit ${permitNumber(signed)}: ${done}`);
    count(tally, `ambush: ${deed}`);
  }

  async function judge(place: Signed, begun: Moment, answer: Answer): Promise<void> {
    count(tally, `answer: ${answerName(answer)}`);
    const name = placeName(place);
    if (answer.kind === "paid") {
      paid.add(name);
      const receipt = await watch.receipt(answer.receipt.transaction);
      const paying = receipt && purse.of(place).some(({ permit }) => paymentLogs(receipt, permit).length > 0);
      must(paying === true, "lost unlock", `${name} is called paid by a transaction that has paid`);
      const text = place.leg === "publisher" ? textOf(place.press) : undefined;
      must(answer.unlocked?.body === text, "lost unlock", `${name} delivers what it pays for`);
    } else if (answer.kind === "terms") {
      const since = watch.firstBlock(place, begun);
      justified(answer.terms.code, place, { purse, world, since, now: time.now() });
      await watch.refused(place, begun);
    } else if (!mayFail(answer.error)) {
      throw answer.error;
    } else if (answerName(answer) === "already_unlocked") {
      await answeredBefore(place);
    }
  }

  /** Invariant 6: who shows the ticket of the payment that settled is refused only once the text was answered. */
  async function answeredBefore({ payer, press, leg, ticket }: Signed): Promise<void> {
    const key = { wallet: payers[payer]?.wallet ?? "0x", pressId: press, leg };
    const { data } = await table.entities.settlement.get(key).go({ consistent: true });
    const shown = ticket !== undefined && data?.ticket === keccak256(stringToHex(ticket));
    const name = placeName({ payer, press, leg });
    must(!shown || data?.answeredAt !== undefined, "lost unlock", `${name} is answered for its ticket`);
  }

  function terms({ press, leg }: Place, oldTerms: boolean) {
    const fee = priceUnits / 10n;
    const owner = (oldTerms ? pressOwners[press] : undefined) ?? world.owner(press);
    return leg === "fee" ? { amount: fee, to: treasury } : { amount: priceUnits - fee, to: owner };
  }

  return {
    request,
    /** A permit for the terms of now. */
    sign: (place: Place) =>
      purse.sign(place, terms(place, false), {
        life: 300,
        named: false,
        echoes: true,
        now: time.now(),
      }),
    async pay(order: Pay): Promise<void> {
      const { payer, press, leg, header, life, named, echoes, oldTerms, crash, ambush } = order;
      const fee = placeName({ payer, press, leg: "fee" });
      const place = {
        payer,
        press,
        leg: leg !== "next" ? leg : paid.has(fee) ? "publisher" : "fee",
      } as const;
      for (const trouble of order.twice ? [{ crash, ambush }, {}] : [{ crash, ambush }]) {
        const earlier = purse.of(place);
        const again = header === "fresh" ? undefined : header === "again" ? earlier.at(-1) : earlier[0];
        const signing = { life, named, echoes, now: time.now() };
        await request(again ?? (await purse.sign(place, terms(place, oldTerms), signing)), trouble);
      }
    },
  };
}
