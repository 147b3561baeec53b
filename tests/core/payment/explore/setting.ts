import type { HDAccount } from "viem/accounts";
import * as z from "zod";
import { mainnet } from "../../../../core/chain/deployment.ts";
import { lower } from "../../../../core/chain/hex.ts";
import { encodeSettle } from "../../../../core/chain/permit2.ts";
import { encodeHeader, type PaymentPorts, pay } from "../../../../core/payment/index.ts";
import {
  authorize,
  encodePermitHeader,
  exactProxy,
  getTestAccount,
  makePermit,
  putPress,
  signPermit,
  treasury,
  usdg,
} from "../../../support/payment.ts";
import { beginning, genesis, owner, purse, type SignedPayment } from "./chain.ts";
import { type ProcessWork, relayer, startProgram } from "./program.ts";
import {
  addProcess,
  calm,
  type FaultsLeft,
  isAlive,
  isAwake,
  type PayRequest,
  resetModel,
  runWhile,
  type World,
} from "./world.ts";

const pressId = 7;
const id = 1007;

/** Signs a payment for the press without a request for its terms, because the terms never change in this model. */
async function sign(
  account: HDAccount,
  leg: "fee" | "publisher",
  name: string,
  method: SignedPayment["method"] = "permit2",
  { life = 300 }: { readonly life?: number } = {},
): Promise<SignedPayment> {
  const [amount, payee] = leg === "fee" ? [25_000n, treasury] : [225_000n, owner];
  const common = {
    scheme: "exact",
    network: `eip155:${mainnet.chainId}`,
    amount: String(amount),
    asset: usdg,
    payTo: payee,
  };
  const [wallet, ticket] = [lower(account.address), `ticket of ${name}`];
  const deadline = BigInt(beginning / 1000 + life);
  const kept = { name: `${leg} ${name}`, method, wallet, payee, amount, deadline: Number(deadline) };
  if (method === "eip3009") {
    const entry = { ...common, extra: { assetTransferMethod: "eip3009", ticket } };
    const { header, call, nonce } = await authorize(account, entry, { validBefore: deadline + 1n });
    return storePayment({ ...kept, nonce, header, to: usdg, call });
  }
  const extra = { assetTransferMethod: "permit2", spender: exactProxy, name: "USDG", ticket };
  const entry = { ...common, extra };
  const permit = makePermit(account, entry, { deadline });
  const signature = await signPermit(account, permit);
  const header = encodePermitHeader(entry, permit, signature);
  return storePayment({
    ...kept,
    nonce: permit.nonce,
    header,
    to: exactProxy,
    call: encodeSettle(permit, signature),
  });
}

function storePayment(signed: SignedPayment): SignedPayment {
  purse.set(signed.call, signed);
  return signed;
}

const makeRequest = (signed: SignedPayment, changes: Partial<PayRequest> = {}): PayRequest => ({
  name: signed.name,
  signed,
  pressId,
  leg: signed.name.startsWith("fee") ? "fee" : "publisher",
  copied: false,
  ...changes,
});

/** Removes the ticket of the terms from a payment, because the chain does not show the ticket. */
function removeTicket(signed: SignedPayment): SignedPayment {
  const { accepted, ...rest } = Header.parse(JSON.parse(Buffer.from(signed.header, "base64").toString()));
  const { ticket: _ticket, ...extra } = accepted.extra;
  return { ...signed, header: encodeHeader({ ...rest, accepted: { ...accepted, extra } }) };
}
const Header = z.looseObject({ accepted: z.looseObject({ extra: z.looseObject({ ticket: z.string() }) }) });

/** The first state of a simulation, with one press and without any process. */
async function beginWorld(): Promise<World> {
  const world: World = {
    items: new Map(),
    chain: genesis,
    before: genesis,
    now: beginning,
    processes: [],
    left: calm,
    given: calm,
    shown: [],
    coming: [],
  };
  return runWork(world, "lists the press", listPress);
}

/** Runs some work on the table while nothing else happens. */
async function runWork(world: World, name: string, work: ProcessWork): Promise<World> {
  const node = await startProgram({ now: world.now, name }, work);
  const started = { name, request: undefined, node, dead: false, unpaid: true, misled: false, due: 0 };
  const at = await runWhile({ ...world, processes: [started] }, isAlive, name);
  const [done] = at.processes;
  if (done?.node.end !== undefined && "error" in done.node.end) throw done.node.end.error;
  return { ...at, processes: [] };
}

/** Pays one leg of a purchase while nothing else happens. */
function payAlone(world: World, signed: SignedPayment): Promise<World> {
  const { name, header } = signed;
  return runWork(world, name, async (ports) => {
    const { kind } = await pay(ports, { leg: makeRequest(signed).leg, pressId, header });
    if (kind !== "paid") throw new Error(`${name} is not paid`);
  });
}

/** Starts the process of each request, and runs this process alone until it sleeps. */
async function runUntilAsleep(world: World, requests: readonly PayRequest[]): Promise<World> {
  let at = world;
  for (const one of requests) {
    at = await runWhile(await addProcess(at, one.name, one), isAwake, one.name);
  }
  return at;
}

/** Leases the only relayer key to another process, or frees the key. */
function setKeyLease(world: World, held: boolean): Promise<World> {
  return runWork(
    { ...world, processes: [] },
    held ? "holds the key" : "frees the key",
    async ({ table, clock }) => {
      const { relayer: keys } = table.entities;
      const { data } = await keys.get({ address: relayer }).go({ consistent: true });
      const kept = { address: relayer, nextNonce: data?.nextNonce ?? 0 };
      await keys.put(held ? { ...kept, lease: "somebody", leaseUntil: clock.now() + 60_000 } : kept).go();
    },
  ).then((done) => ({ ...done, processes: world.processes }));
}

const listPress = (ports: PaymentPorts) =>
  putPress(ports, { pressId, id, slug: "a-press", publisher: owner }, "The text.");

/**
 * The payment with which a payer repeats the request at the end of a search. This payment is valid for longer than all earlier payments of
 * the payer.
 */
async function signRepeatedRequest(index: number, leg: "fee" | "publisher"): Promise<PayRequest> {
  return makeRequest(await sign(getTestAccount(index), leg, `again ${index}`, "permit2", { life: 1_400 }));
}

/** Makes a wallet that has paid the fee, and signs the wallet's payments to the publisher. */
async function makePaidReader(...methods: readonly SignedPayment["method"][]) {
  const account = getTestAccount(1);
  const again = await signRepeatedRequest(1, "publisher");
  const signed = await Promise.all(
    methods.map((method) => sign(account, "publisher", `by ${method}`, method)),
  );
  return { world: await payAlone(await beginWorld(), await sign(account, "fee", "before")), again, signed };
}

/** The names of the test scenarios (scenes). */
export const sceneNames = [
  "two requests of one wallet, each with its own signature",
  "one request twice",
  "a request by Permit2 and a copy of it",
  "a request by EIP-3009 and a copy of it",
  "a batch of three by both methods, led by a hostile wallet",
  "fees of a wallet that cannot pay the rest, and of one that can",
  "fees while the owner cannot be paid",
  "fees while gas costs more than the ceiling",
  "the fee and the rest of one wallet at once",
  "fees of two wallets by one key",
] as const;

/**
 * Makes the first state (world) of this test scenario, in which these faults are possible. Only one scenario is open at a time, and the
 * payments of an earlier scenario are forgotten.
 */
export async function openScene(name: SceneName, faultsLeft: Partial<FaultsLeft>): Promise<World> {
  resetModel();
  const given = { ...calm, ...faultsLeft };
  return { ...(await scenes[name]()), left: given, given };
}
export type SceneName = (typeof sceneNames)[number];

/** The maximum number of each kind of fault in the long series of random steps, which combine all kinds of faults. */
export const rough: FaultsLeft = {
  crashes: 2,
  strangers: 2,
  losses: 2,
  lags: 2,
  conflicts: 1,
  outages: 1,
  failures: 1,
  burns: 1,
  pauses: 1,
  reconciliations: 1,
  wakes: 3,
};

/** For each test scenario, a function that makes the first state of the simulation and adds the scenario's processes. */
const scenes: Readonly<Record<SceneName, () => Promise<World>>> = {
  async "two requests of one wallet, each with its own signature"() {
    const { world, again, signed } = await makePaidReader("permit2", "eip3009");
    return addProcesses(
      world,
      signed.map((one) => makeRequest(one, { again })),
    );
  },
  async "one request twice"() {
    const { world, again, signed } = await makePaidReader("permit2");
    const twice = signed.flatMap((one) => [
      makeRequest(one, { again }),
      makeRequest(one, { again, name: "the repeat" }),
    ]);
    return addProcesses(world, twice);
  },
  async "a request by Permit2 and a copy of it"() {
    return addCopies(await makePaidReader("permit2"));
  },
  async "a request by EIP-3009 and a copy of it"() {
    return addCopies(await makePaidReader("eip3009"));
  },
  async "a batch of three by both methods, led by a hostile wallet"() {
    const requests = await signFees("permit2", "permit2", "eip3009");
    return setKeyLease(await runUntilAsleep(await setKeyLease(await beginWorld(), true), requests), false);
  },
  async "fees of a wallet that cannot pay the rest, and of one that can"() {
    return makeFeeWorld({ short: [lower(getTestAccount(1).address)] });
  },
  async "fees while the owner cannot be paid"() {
    return makeFeeWorld({ frozen: true });
  },
  async "fees while gas costs more than the ceiling"() {
    return makeFeeWorld({ dear: true });
  },
  async "the fee and the rest of one wallet at once"() {
    const requests = await Promise.all(
      (["fee", "publisher"] as const).map(async (leg) => {
        const again = await signRepeatedRequest(1, leg);
        return makeRequest(await sign(getTestAccount(1), leg, "at once"), { again });
      }),
    );
    return addProcesses(await beginWorld(), requests);
  },
  async "fees of two wallets by one key"() {
    return makeFeeWorld({});
  },
};

/**
 * For each given method, signs the fee of a different wallet. For each request, also signs a second payment, with which the wallet repeats
 * the request.
 */
function signFees(...methods: readonly SignedPayment["method"][]) {
  const made = methods.map(async (method, index) => {
    const again = await signRepeatedRequest(index + 1, "fee");
    return makeRequest(await sign(getTestAccount(index + 1), "fee", `of ${index + 1}`, method), { again });
  });
  return Promise.all(made);
}

/** A test scenario in which two wallets pay the fee by different methods, and in which the chain has the given fault. */
async function makeFeeWorld(fault: Partial<World["chain"]>): Promise<World> {
  const requests = await signFees("permit2", "eip3009");
  const world = await beginWorld();
  const chain = { ...world.chain, ...fault };
  return addProcesses({ ...world, chain, before: chain }, requests);
}

async function addCopies({
  world,
  again,
  signed,
}: Awaited<ReturnType<typeof makePaidReader>>): Promise<World> {
  const coming = signed.map((one) =>
    makeRequest(removeTicket(one), { again, copied: true, name: "the copy" }),
  );
  return {
    ...(await addProcesses(
      world,
      signed.map((one) => makeRequest(one, { again })),
    )),
    coming,
  };
}

async function addProcesses(start: World, requests: readonly PayRequest[]): Promise<World> {
  let world = start;
  for (const one of requests) world = await addProcess(world, one.name, one);
  return world;
}
