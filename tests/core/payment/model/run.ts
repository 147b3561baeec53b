import { openChain } from "../../../../core/adapter/chain.ts";
import { mnemonicSigner } from "../../../../core/adapter/mnemonic.ts";
import { mainnet } from "../../../../core/chain/deployment.ts";
import * as Payment from "../../../../core/payment/index.ts";
import { platformMnemonic } from "../../../../local/devnet/accounts.ts";
import { beginning, contracts, type Ground, pressOwners } from "./ground.ts";
import { treasury } from "./ledger.ts";
import { openNode } from "./node.ts";
import type { Case, Deed, Operation, Pay, ReadFault, SendFault, TableFault } from "./operation.ts";
import { openPurse, type Place, placeName, type Signed } from "./purse.ts";
import { settleDown } from "./rest.ts";
import { type Crash, openScheduler, type Time } from "./scheduler.ts";
import { priceUnits, type Store, textOf } from "./store.ts";
import { type Answer, answerName, justified, mayFail } from "./verdict.ts";
import { count, must, type Tally } from "./violation.ts";
import { type Moment, openWatch } from "./watch.ts";
import { openWorld } from "./world.ts";

/** Where runs take place. */
export type Stage = { readonly ground: Ground; readonly store: Store };

/** Few enough that requests meet at them. */
const relayerCount = 2;

/** Calls to the outside after which processes that have not ended never will. */
const endless = 4_000;

/** A run in progress, for those who look after it. */
export type Run = Awaited<ReturnType<typeof begin>>;

/** Carries out a case from a fresh beginning to the rest after it. Throws Violation where an invariant does not hold. */
export async function run(
  stage: Stage,
  one: Case,
  tally: Tally,
  trace?: (line: string) => void,
): Promise<void> {
  const running = await begin(stage, one, tally, trace ?? (() => undefined));
  for (const operation of one.operations) {
    await running.perform(operation);
    for (let step = 0; step < operation.steps; step += 1) await running.step();
  }
  await settleDown(running, one.back);
}

async function begin({ ground, store }: Stage, one: Case, tally: Tally, trace: (line: string) => void) {
  await ground.reset();
  let now = beginning * 1000;
  const time: Time = {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
  let choice = 0;
  const choose = (below: number) => (one.choices[choice++ % one.choices.length] ?? 0) % below;
  const scheduler = openScheduler(time, choose);
  const signer = mnemonicSigner(platformMnemonic, relayerCount);
  const relayers = await signer.addresses();
  const purse = openPurse();
  const world = openWorld(ground, purse, relayers, time);
  const watch = openWatch(ground, world, purse);

  let reads: readonly ReadFault[] = [];
  let sends: readonly SendFault[] = [];
  let tables: readonly (TableFault | undefined)[] = [];
  const faults = {
    read() {
      const [first] = reads;
      reads = reads.slice(1);
      if (first !== undefined) count(tally, `fault: node ${first.kind}`);
      return first;
    },
    send() {
      const [first] = sends;
      sends = sends.slice(1);
      if (first !== undefined) count(tally, `fault: broadcast ${first}`);
      return first;
    },
  };
  const table = await store.fresh({
    call: scheduler.call,
    stored: watch.stored,
    fault() {
      if (!scheduler.inside()) return undefined;
      const [first] = tables;
      tables = tables.slice(1);
      if (first !== undefined) count(tally, `fault: table ${first}`);
      return first;
    },
  });
  /** What requests and jobs have ended with and nobody has judged yet. */
  const ended: (() => Promise<void>)[] = [];
  const node = openNode(ground, openChain([ground.url]), {
    faults,
    now: time.now,
    // Not thrown into the service, which takes whatever comes out of a broadcast for the node's trouble.
    sent: (raw) => watch.sent(raw).catch((error: unknown) => void ended.push(() => Promise.reject(error))),
  });
  let names = 0;
  const name = (kind: string) => `${kind}-${++names}`;
  const ports: Payment.PaymentPorts = {
    table,
    clock: { now: () => time.now() + one.skew, sleep: scheduler.sleep },
    ids: {
      secret: () => name("secret"),
      nonce: () => name("nonce"),
      uuid: () => name("claim"),
      pick: choose,
    },
    settings: {
      origin: "http://localhost:3000",
      chainId: mainnet.chainId,
      chainName: mainnet.name,
      contracts,
      treasury,
    },
    chain: { batch: (calls) => scheduler.call(() => node.batch(calls)) },
    relayers: signer,
  };
  /** The ports of a process of its own: what one keeps in memory no other knows. */
  const ownPorts = (): Payment.PaymentPorts => ({
    ...ports,
    relayers: {
      addresses: signer.addresses,
      sign: (address, transaction) => scheduler.call(() => signer.sign(address, transaction)),
    },
  });

  const paid = new Set<string>();

  /** Sends a payment; `heard` gets its answer, if any comes. */
  async function request(
    signed: Signed,
    trouble: { readonly crash?: Crash | undefined; readonly ambush?: Pay["ambush"] },
    heard: (answer: Answer) => void = () => undefined,
  ) {
    const place = { payer: signed.payer, press: signed.press, leg: signed.leg };
    const begun = watch.moment();
    const title = `${name("request")} ${placeName(place)} permit ${signed.permit.nonce / 1_000_003n}`;
    const { crash, ambush } = trouble;
    const deed = ambush && { call: ambush.call, act: () => ambushed(signed, ambush.deed) };
    const work = async () => {
      const answer: Answer = await Payment.pay(ownPorts(), {
        leg: place.leg,
        pressId: place.press,
        header: signed.header,
      }).catch((error: unknown) => ({ kind: "error", error }));
      trace(`${title}: ${answerName(answer)}`);
      ended.push(() => judge(place, begun, answer));
      heard(answer);
    };
    await scheduler.start(work, { crash, ambush: deed });
  }

  async function ambushed(signed: Signed, deed: Deed): Promise<void> {
    const { payer, press } = signed;
    const done =
      deed === "settle this"
        ? await world.settle(signed)
        : await world.perform({ do: deed, payer, press, relayer: payer, steps: 0 });
    trace(`  ${deed} meets permit ${signed.permit.nonce / 1_000_003n}: ${done}`);
    count(tally, `ambush: ${deed}`);
  }

  async function judge(place: Place, begun: Moment, answer: Answer): Promise<void> {
    count(tally, `answer: ${answerName(answer)}`);
    if (answer.kind === "paid") {
      paid.add(placeName(place));
      const receipt = await watch.receipt(answer.receipt.transaction);
      must(
        receipt?.status === "0x1",
        "lost unlock",
        `${placeName(place)} is called paid by a transaction that has paid`,
      );
      const text = place.leg === "publisher" ? textOf(place.press) : undefined;
      must(answer.unlocked?.body === text, "lost unlock", `${placeName(place)} delivers what it pays for`);
    } else if (answer.kind === "terms") {
      const since = watch.firstBlock(place, begun);
      justified(answer.terms.code, place, { purse, world, since, now: time.now() });
      await watch.refused(place, begun);
    } else {
      if (!mayFail(answer.error)) throw answer.error;
    }
  }

  async function reconcile(crash: Crash | undefined): Promise<void> {
    const work = async () => {
      const done = await Payment.reconcile(ownPorts()).catch((error: unknown) => {
        if (!mayFail(error)) ended.push(() => Promise.reject(error));
        return undefined;
      });
      trace(`reconcile: ${JSON.stringify(done)}`);
    };
    await scheduler.start(work, { crash });
  }

  function terms({ press, leg }: Place, oldTerms: boolean) {
    const fee = priceUnits / 10n;
    const owner = (oldTerms ? pressOwners[press] : undefined) ?? world.owner(press);
    return leg === "fee" ? { amount: fee, to: treasury } : { amount: priceUnits - fee, to: owner };
  }

  async function pay(order: Pay): Promise<void> {
    const { payer, press, leg, header, life, named, oldTerms, crash, ambush } = order;
    const fee = placeName({ payer, press, leg: "fee" });
    const place = { payer, press, leg: leg !== "next" ? leg : paid.has(fee) ? "publisher" : "fee" } as const;
    for (const trouble of order.twice ? [{ crash, ambush }, {}] : [{ crash, ambush }]) {
      const earlier = purse.of(place);
      const again = header === "fresh" ? undefined : header === "again" ? earlier.at(-1) : earlier[0];
      const signing = { life, named, now: time.now() };
      await request(again ?? (await purse.sign(place, terms(place, oldTerms), signing)), trouble);
    }
  }

  async function step(): Promise<boolean> {
    const moved = await scheduler.step();
    for (const check of ended.splice(0)) await check();
    return moved;
  }

  return {
    ports,
    purse,
    watch,
    world,
    ground,
    time,
    tally,
    relayers,
    trace,
    step,
    request,
    reconcile,
    sign: (place: Place) =>
      purse.sign(place, terms(place, false), { life: 300, named: false, now: time.now() }),
    /** Ends all faults. */
    calm() {
      reads = [];
      sends = [];
      tables = [];
    },
    /** Lets every process come to its end. */
    async drain(): Promise<void> {
      let left = endless;
      while ((await step()) && left > 0) left -= 1;
      must(left > 0, "stuck lease", "every request comes to an end");
      for (const check of ended.splice(0)) await check();
    },
    async wait(seconds: number): Promise<void> {
      time.advance(seconds * 1000);
      // A chain makes blocks all the time: no node is late by this long.
      for (let block = 0; block < 5; block += 1) await ground.mine(time.now());
    },
    async perform(operation: Operation): Promise<void> {
      trace(`- ${JSON.stringify(operation)}`);
      count(tally, "operations");
      switch (operation.do) {
        case "pay":
          count(tally, "requests");
          if (operation.crash !== undefined) count(tally, "fault: crash planned");
          return pay(operation);
        case "reconcile":
          return reconcile(operation.crash);
        case "mine":
          for (let block = 0; block < operation.blocks; block += 1) await ground.mine(time.now());
          return;
        case "wait":
          return this.wait(operation.seconds);
        case "read fault":
          reads = [...reads, ...Array.from({ length: operation.times }, () => operation.fault)];
          return;
        case "send fault":
          sends = [...sends, ...Array.from({ length: operation.times }, () => operation.fault)];
          return;
        case "table fault":
          tables = [...tables, ...Array.from({ length: operation.after }, () => undefined), operation.fault];
          return;
        default: {
          const done = await world.perform(operation);
          if (done === true) count(tally, `world: ${operation.do}`);
          trace(`  ${done}`);
        }
      }
    },
    crashes: scheduler.crashes,
  };
}
