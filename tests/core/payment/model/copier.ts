import * as Payment from "../../../../core/payment/index.ts";
import type { Ground } from "./ground.ts";
import type { Operation } from "./operation.ts";
import { headerOf, type Purse, permitNumber, placeName, type Signed, ticketOf } from "./purse.ts";
import type { Scheduler } from "./scheduler.ts";
import { type Answer, answerName, mayFail } from "./verdict.ts";
import { count, must, type Tally } from "./violation.ts";

type CopierOptions = {
  readonly ports: () => Payment.PaymentPorts;
  readonly scheduler: Scheduler;
  readonly purse: Purse;
  readonly ground: Ground;
  readonly tally: Tally;
  readonly trace: (line: string) => void;
  readonly later: (check: () => Promise<void>) => void;
};

/** Blocks that a late node may be behind: what strangers have settled is known to the service once all nodes have it. */
const latest = 5n;

/** One who reads the chain: invariant 5 says that what is copied off it gives neither text nor session. */
export function openCopier({ ports, scheduler, purse, ground, tally, trace, later }: CopierOptions) {
  let copies = 0;

  /** The publishers' permits that the chain shows, the newest last. */
  function seen(): readonly Signed[] {
    const settled = ({ settledIn }: Signed) =>
      settledIn !== undefined && settledIn + latest < ground.head().number;
    return purse.all().filter((one) => one.leg === "publisher" && (one.broadcast || settled(one)));
  }

  return {
    /** Presents a copy, the newest but `which`; answers whether there was one. */
    async copy({
      which,
      dress,
    }: Omit<Extract<Operation, { readonly do: "copy" }>, "do" | "steps">): Promise<boolean> {
      const permits = seen();
      const copied = permits[permits.length - 1 - (which % permits.length)];
      if (copied === undefined) return false;
      copies += 1;
      count(tally, "copies");
      const title = `copy ${copies}, ${placeName(copied)}, permit ${permitNumber(copied)}, ${dress}`;
      const header = headerOf(copied, {
        name: dress === "own name" ? `name-of-a-copier-${copies}` : undefined,
        ticket: dress === "nothing" ? undefined : ticketOf(`copier-${copies}`),
      });
      const work = async () => {
        const answer: Answer = await Payment.pay(ports(), {
          leg: "publisher",
          pressId: copied.press,
          header,
        }).catch((error: unknown) => ({ kind: "error", error }));
        trace(`${title}: ${answerName(answer)}`);
        later(() => judge(title, answer));
      };
      await scheduler.start(work, {});
      return true;
    },
  };

  async function judge(title: string, answer: Answer): Promise<void> {
    count(tally, `copy: ${answerName(answer)}`);
    must(answer.kind !== "paid", "stolen text", `nothing is given for ${title}`);
    if (answer.kind === "error" && !mayFail(answer.error)) throw answer.error;
  }
}
export type Copier = ReturnType<typeof openCopier>;
