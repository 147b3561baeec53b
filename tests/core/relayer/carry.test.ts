import { expect, test } from "vitest";
import { type Address, HexInput, lower } from "../../../core/chain/hex.ts";
import { claimTime } from "../../../core/record/relayer.ts";
import { crowds } from "../../../core/relayer/crowd.ts";
import {
  type CarryPorts,
  endTransaction,
  type IntentOutcome,
  makeEndWrites,
  type Records,
  readItemsWithKeys,
  sendIntent,
} from "../../../core/relayer/index.ts";
import { commit } from "../../../core/transact.ts";
import { alterNode } from "../../support/interference.ts";
import { listBusyRelayers } from "../../support/ledger.ts";
import { getTestAccount, startPayments } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";

/** Tests the outbox alone, with intents that have nothing to do with presses. */
const payments = startPart(startPayments);

/** Gives each test a different relayer key. After the last key, the function starts again with the first key. */
let keys = 0;
type OneKeyPorts = CarryPorts & { readonly address: Address };
async function makeOneKeyPorts(): Promise<OneKeyPorts> {
  const addresses = await payments.ports.relayers.addresses();
  const [address = "0x"] = addresses.slice(keys++ % addresses.length);
  const relayers = { ...payments.ports.relayers, addresses: async () => [address] };
  return { ...payments.ports, relayers, address };
}

async function leaseKey(address: string): Promise<void> {
  const lease = { lease: "somebody", leaseUntil: Date.now() + 600_000 };
  await payments.ports.table.entities.relayer.put({ address, nextNonce: 0, ...lease }).go();
}

async function freeKey(address: string): Promise<void> {
  await payments.ports.table.entities.relayer.patch({ address }).remove(["lease", "leaseUntil"]).go();
}

/** Resolves when the given number of intents wait for a relayer key. */
function waitFor({ relayers }: OneKeyPorts, count: number): Promise<void> {
  return expect.poll(() => crowds.get(relayers)?.queue.size).toBe(count);
}

/**
 * Sends the named intents, which all wait because the relayer key is leased, and then frees the key. Returns the outcome of each intent.
 */
async function sendTogether(
  ports: OneKeyPorts,
  names: readonly string[],
  send = makeToyRecords(ports),
): Promise<readonly string[]> {
  await leaseKey(ports.address);
  const waiting = names.map((name) => send(name));
  await waitFor(ports, names.length);
  await freeKey(ports.address);
  const ends = await Promise.all(waiting);
  expect(ends.map(({ name }) => name)).toEqual(names);
  return ends.map(({ what }) => what);
}

type ToyIntent = { readonly claim: string; readonly claimUntil: number };
type ToyEnd = { readonly name: string; readonly what: string };

/**
 * Makes test intents, which are called toys, and stores the intents in a map. An intent whose name is in `breaks` cannot be read when it is
 * about to be sent. `tried` lists the intents that try to lease a relayer key, and `gas` is the number of gas units that each intent asks
 * for.
 */
function makeToyRecords(
  ports: OneKeyPorts,
  {
    breaks = [],
    tried = [],
    gas = 60_000n,
  }: { readonly breaks?: readonly string[]; readonly tried?: string[]; readonly gas?: bigint } = {},
) {
  const places = new Map<string, "waits" | { readonly transaction: string }>();
  const call = { to: lower(getTestAccount(9).address), data: "0x" } as const;
  const hashOf = ({ kind, transaction }: IntentOutcome) =>
    `${kind} in ${transaction.hashes[0]}, which is ${transaction.state}`;
  function makeRecords(name: string, shares: boolean): Records<ToyIntent, ToyIntent, ToyEnd> {
    const makeToy = (): ToyIntent => ({
      claim: `${name}-${ports.ids.uuid()}`,
      claimUntil: ports.clock.now() + claimTime,
    });
    return {
      async claim(lease) {
        const item = makeToy();
        if (lease !== undefined) tried.push(name);
        if (lease === undefined) places.set(item.claim, "waits");
        const write =
          lease &&
          ((entities: Parameters<typeof lease.write>[0]) => lease.write(entities, item, ports.clock.now()));
        const taken = await commit(ports, (entities) => ({
          key: write?.(entities) ?? makeToyWrite(entities, item),
        }));
        return taken.done ? { kind: "claimed", item } : { kind: "key_taken" };
      },
      async makeIntent(_, sender) {
        return {
          call,
          gas,
          gasPrice: 10n ** 9n,
          asked: { address: sender, nonce: 0, balance: 10n ** 18n },
        };
      },
      nameOf: () => name,
      stored: (entities, item, { transaction }) => {
        places.set(item.claim, { transaction });
        return { sent: item, writes: [makeToyWrite(entities, item)] };
      },
      async release({ claim: id }) {
        await commit(ports, (entities) => makeEndWrites(entities, { id, relayer: ports.address }, undefined));
        const place = places.get(id);
        places.delete(id);
        return typeof place !== "object";
      },
      async land(_, txOutcome) {
        const receipt = txOutcome.kind === "landed" ? txOutcome.receipt : undefined;
        await endTransaction(ports, txOutcome.transaction, receipt);
        return { name, what: hashOf(txOutcome) };
      },
      handleUnsent: async (why) => ({ name, what: why }),
      follow: async (_, landing) => ({ name, what: landing === undefined ? "gone" : hashOf(landing) }),
      isTransactionAwaited: async () => true,
      crowd: shares
        ? {
            waiting: async (beside) =>
              [...places]
                .filter(([claim, place]) => place === "waits" && claim !== beside.claim)
                .map(([claim]) => ({ claim, account: claim })),
            listStillWaiting: async (listed) => listed.map(({ claim }) => ({ claim, claimUntil: 0 })),
            loadOf({ claim }) {
              if (breaks.some((one) => claim.startsWith(one))) throw new Error("It is broken");
              return { call, gas, payer: undefined };
            },
            get: () => ports.table.entities.keyring.get({ name: "relayers" }).params(),
            readWaitState: ({ claim }) => places.get(claim) ?? "gone",
            leased: (entities, item) => ({ item, write: makeToyWrite(entities, item) }),
          }
        : undefined,
    };
  }
  return async (name: string, shares = true): Promise<ToyEnd> => {
    const { keys } = await readItemsWithKeys(ports, []);
    return sendIntent(ports, makeRecords(name, shares), { keys, preferred: undefined });
  };
}

/** Makes a table write that represents the record of a test intent. */
function makeToyWrite({ transfer }: Parameters<Parameters<typeof commit>[1]>[0], { claim }: ToyIntent) {
  return transfer.put({ txHash: claim, logIndex: 0, wallet: "a toy", pressId: 0, leg: "fee" }).commit();
}

test("an intent is stored, sent and mined, and its relayer key is free afterwards", async () => {
  const ports = await makeOneKeyPorts();
  const end = await makeToyRecords(ports)("alone", false);
  expect(end).toEqual({ name: "alone", what: expect.stringMatching(/^landed in 0x/) });
  expect(await listBusyRelayers(ports)).toEqual([]);
});

test("if many intents see a free relayer key, only one tries to lease the key, and the others share the next transaction", async () => {
  const ports = await makeOneKeyPorts();
  const tried: string[] = [];
  const send = makeToyRecords(ports, { tried });
  const names = ["one", "two", "three", "four", "five"];
  const ends = await Promise.all(names.map((name) => send(name)));
  expect(ends.map(({ what }) => what)).toEqual(names.map(() => expect.stringMatching(/^landed in 0x/)));
  expect(tried).toHaveLength(1);
  expect(new Set(ends.map(({ what }) => what)).size).toBe(2);
  expect(await listBusyRelayers(ports)).toEqual([]);
});

test("if an intent begins to wait while another intent's request asks the chain for the gas price, both intents are sent in one transaction", async () => {
  const ports = await makeOneKeyPorts();
  let late: Promise<ToyEnd> | undefined;
  const slow: OneKeyPorts = alterNode(ports, /^eth_gasPrice$/, async (_, ask) => {
    if (late === undefined) {
      late = send("late");
      await waitFor(ports, 2);
    }
    return ask();
  });
  const send = makeToyRecords(slow);
  await leaseKey(ports.address);
  const early = send("early");
  await waitFor(ports, 1);
  await freeKey(ports.address);
  expect((await early).what).toMatch(/^landed in 0x/);
  expect((await late)?.what).toBe((await early).what);
});

test("when a relayer key becomes free, the waiting intents share the key's first transaction, and get the transaction's outcome when it has ended", async () => {
  const ends = await sendTogether(await makeOneKeyPorts(), ["one", "two", "three"]);
  expect(new Set(ends).size).toBe(1);
  expect(ends[0]).toMatch(/^landed in 0x.*, which is landed$/);
});

test.each([
  ["the relayer key's ETH pays for two of them", { gas: 60_000n, affordable: 350_000n }],
  [
    "a third would take the transaction beyond half of a block's gas",
    { gas: 6_000_000n, affordable: 10n ** 9n },
  ],
])("three waiting intents are sent in two transactions if %s", async (_, { gas, affordable }) => {
  const ports = await makeOneKeyPorts();
  const value = affordable * (await payments.client.getGasPrice());
  await payments.client.setBalance({ address: ports.address, value });
  const ends = await sendTogether(ports, ["one", "two", "three"], makeToyRecords(ports, { gas }));
  for (const end of ends) expect(end).toMatch(/^landed in 0x/);
  expect(new Set(ends).size).toBe(2);
});

test("an intent that has waited alone is sent as a single call, without the gas of a batch", async () => {
  const [end = ""] = await sendTogether(await makeOneKeyPorts(), ["alone"]);
  const hash = HexInput.parse(/0x\w+/.exec(end)?.[0]);
  const { to } = await payments.client.getTransaction({ hash });
  expect(to).toBe(lower(getTestAccount(9).address));
});

test("waiting intents are not signed while gas costs more than the stage's maximum", async () => {
  const ports = await makeOneKeyPorts();
  const cheap = { ...ports, settings: { ...ports.settings, gas: { maxPrice: 1n } } };
  expect(await sendTogether(cheap, ["one", "two"])).toEqual(["unsigned", "unsigned"]);
});

test("a payer gets the answer that no relayer key is free, whether or not other payers wait", async () => {
  const ports = await makeOneKeyPorts();
  await leaseKey(ports.address);
  const hurried = { ...ports, clock: { ...ports.clock, sleep: async () => undefined } };
  for (const shares of [true, false]) {
    expect(await makeToyRecords(hurried)("toy", shares)).toEqual({ name: "toy", what: "held" });
  }
});

test("if the request that looks for a relayer key cannot send its intent, the next waiting request looks for a key", async () => {
  const ports = await makeOneKeyPorts();
  await leaseKey(ports.address);
  // A timer wakes only the request that looks for a relayer key. The requests of the other intents sleep until another request wakes them.
  const sleep = (milliseconds: number) =>
    milliseconds >= 1_000 ? new Promise<void>(() => undefined) : ports.clock.sleep(milliseconds);
  const send = makeToyRecords({ ...ports, clock: { ...ports.clock, sleep } }, { breaks: ["broken"] });
  const broken = send("broken");
  await waitFor(ports, 1);
  const whole = send("whole");
  await waitFor(ports, 2);
  await freeKey(ports.address);
  expect(await broken).toEqual({ name: "broken", what: "unsigned" });
  expect((await whole).what).toMatch(/^landed in 0x/);
});
