import { openChain } from "../../../../core/adapter/chain/index.ts";
import { mnemonicSigner } from "../../../../core/adapter/mnemonic.ts";
import { mainnet } from "../../../../core/chain/deployment.ts";
import * as Payment from "../../../../core/payment/index.ts";
import { platformMnemonic } from "../../../../local/devnet/accounts.ts";
import { openClients } from "./clients.ts";
import { openCopier } from "./copier.ts";
import { openFaults } from "./faults.ts";
import { failuresPerDay, openGriefers, valueAtLeast } from "./griefers.ts";
import { beginning, contracts, type Ground } from "./ground.ts";
import { treasury } from "./ledger.ts";
import { openNode } from "./node.ts";
import type { Case, Operation } from "./operation.ts";
import { openPurse } from "./purse.ts";
import { settleDown } from "./rest.ts";
import { type Crash, openScheduler, type Time } from "./scheduler.ts";
import type { Store } from "./store.ts";
import { mayFail } from "./verdict.ts";
import { count, must, type Tally } from "./violation.ts";
import { openWatch } from "./watch.ts";
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
  count(tally, "cases");
  for (const operation of one.operations) {
    await running.perform(operation);
    for (let step = 0; step < operation.steps; step += 1) await running.step();
  }
  await settleDown(running, one.back);
}

async function begin({ ground, store }: Stage, one: Case, tally: Tally, trace: (line: string) => void) {
  await ground.reset();
  const time = clockOf();
  let choice = 0;
  const choose = (below: number) => (one.choices[choice++ % one.choices.length] ?? 0) % below;
  const scheduler = openScheduler(time, choose);
  const signer = mnemonicSigner(platformMnemonic, relayerCount);
  const relayers = await signer.addresses();
  const purse = openPurse();
  const world = openWorld(ground, purse, relayers, time);
  const faults = openFaults(tally);
  const checks: (() => Promise<void>)[] = [];
  const later = (check: () => Promise<void>) => void checks.push(check);
  const griefers = openGriefers({
    ground,
    ports: () => ports(),
    scheduler,
    time,
    tally,
    trace,
    later,
  });
  const watch = openWatch(ground, world, purse, griefers);

  const table = await store.fresh({
    call: scheduler.call,
    stored: watch.stored,
    fault: () => (scheduler.inside() ? faults.table() : undefined),
  });
  const node = openNode(ground, openChain([ground.url]), {
    faults,
    now: time.now,
    // Not thrown into the service, which takes whatever comes out of a broadcast for the node's trouble.
    sent: (raw) => watch.sent(raw).catch((error: unknown) => later(() => Promise.reject(error))),
  });
  let names = 0;
  const name = () => `name-${++names}`;
  /** The ports of a process of its own: what it keeps in memory by them no other knows. */
  const ports = (): Payment.PaymentPorts => ({
    table,
    clock: { now: () => time.now() + one.skew, sleep: scheduler.sleep },
    ids: { secret: name, nonce: name, uuid: name, pick: choose },
    settings: {
      origin: "http://localhost:3000",
      chainId: mainnet.chainId,
      chainName: mainnet.name,
      contracts,
      treasury,
      // No ceiling for the price, which runs raise a thousandfold.
      gas: { maxPrice: 10n ** 13n, allowance: 10 ** 12, failuresPerDay: valueAtLeast(failuresPerDay) },
    },
    chain: { batch: (calls) => scheduler.call(() => node.batch(calls)) },
    relayers: {
      addresses: signer.addresses,
      sign: (address, transaction) => scheduler.call(() => signer.sign(address, transaction)),
    },
    meter: { count: () => undefined },
  });
  const copier = openCopier({ ports, scheduler, purse, ground, tally, trace, later });
  const clients = openClients({
    ports,
    scheduler,
    purse,
    world,
    watch,
    copier,
    table,
    time,
    tally,
    trace,
    later,
  });

  async function reconcile(crash: Crash | undefined): Promise<void> {
    const work = async () => {
      const done = await Payment.reconcile(ports()).catch((error: unknown) => {
        if (!mayFail(error)) later(() => Promise.reject(error));
        return undefined;
      });
      trace(`reconcile: ${JSON.stringify(done)}`);
    };
    await scheduler.start(work, { crash });
  }

  async function step(): Promise<boolean> {
    const moved = await scheduler.step();
    for (const check of checks.splice(0)) await check();
    return moved;
  }

  async function wait(seconds: number): Promise<void> {
    time.advance(seconds * 1000);
    // A chain makes blocks all the time: no node is late by this long.
    for (let block = 0; block < 5; block += 1) await ground.mine(time.now());
  }

  return {
    table,
    purse,
    watch,
    world,
    ground,
    time,
    tally,
    relayers,
    clients,
    griefers,
    trace,
    step,
    wait,
    reconcile,
    calm: faults.calm,
    crashes: scheduler.crashes,
    /** Lets every process come to its end. */
    async drain(): Promise<void> {
      let left = endless;
      while ((await step()) && left > 0) left -= 1;
      must(left > 0, "stuck lease", "every request comes to an end");
    },
    async perform(operation: Operation): Promise<void> {
      trace(`- ${JSON.stringify(operation)}`);
      count(tally, "operations");
      switch (operation.do) {
        case "pay":
          return clients.pay(operation);
        case "grief":
          return griefers.ask(operation);
        case "reconcile":
          return reconcile(operation.crash);
        case "mine":
          for (let block = 0; block < operation.blocks; block += 1) await ground.mine(time.now());
          return;
        case "wait":
          return wait(operation.seconds);
        case "settle late":
          await wait(operation.seconds);
          if (await world.settleBroadcast(true)) count(tally, "world: settle late");
          return;
        case "copy":
          await copier.copy(operation);
          return;
        case "read fault":
        case "send fault":
        case "table fault":
          return faults.add(operation);
        default: {
          const done = await world.perform(operation);
          if (done === true) count(tally, `world: ${operation.do}`);
          trace(`  ${done}`);
        }
      }
    },
  };
}

function clockOf(): Time {
  let now = beginning * 1000;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
