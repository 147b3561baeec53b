import type { HDAccount } from "viem/accounts";
import { concatHex, encodeAbiParameters, getAddress, pad } from "viem/utils";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { type Address, type Hex, lower } from "../../core/chain/hex.ts";
import { findArtifact } from "../../local/devnet/compile.ts";
import { type PayAnswer, startTarget } from "../support/attacked.ts";
import type { GrieferSettings } from "../support/griefer.ts";
import { repeatInOrder, startPart } from "../support/provide.ts";
import { delegate, deployContractWallet, fund, makeAccount } from "../support/wallets.ts";

/**
 * A contract wallet accepts signatures by its own code, and our service pays the gas for running that code. The attacker's code accepts
 * signatures when a payment is simulated, but burns all its gas when the transaction is included in a block. The attacker pays nothing for
 * a transaction that fails.
 */

/** Limits in gas units: for one payment, and for one wallet in a day. */
const [legGas, walletGas] = [600_000, 2_000_000];
/**
 * The seconds that a wallet must wait after one of its payments has failed, and the seconds that other wallets with the same code must
 * wait.
 */
const [walletCooldown, codeCooldown] = [8, 2];

/**
 * The behaviour of a wallet that uses as much gas in simulation as the service accepts, so that the wallet can burn the same amount of gas
 * in the block.
 */
const greedy = { tell: "switch", appetite: 300_000n } as const;

const attacked = startPart(() =>
  startTarget({
    environment: { GAS_ALLOWANCE_USDG: "0.6", FAILED_GAS_USDG_PER_DAY: "12" },
  }),
);
/** The storage slots of a proxy's implementation and of its beacon (EIP-1967). */
const proxySlots = [
  "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
] as const;

afterEach(() => {
  attacked.node.around = undefined;
  attacked.node.gasPrice = undefined;
  attacked.node.heard = undefined;
  attacked.now();
});

/** Runs an attack. Returns the answers to the attack's requests, and the gas that the attack has cost our relayers. */
async function measureBurnedGas<Result>(attack: () => Promise<Result>) {
  const before = await attacked.chain.getBlockNumber();
  const result = await attack();
  return { result, ...(await attacked.sumBurnedGas(before)) };
}

function repeatConcurrently(
  times: number,
  sendRequest: (index: number) => Promise<PayAnswer>,
): Promise<readonly PayAnswer[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => sendRequest(index)));
}

const onChain: Partial<PayAnswer> = { status: 402, code: "permit2_simulation_failed" };

function expectCooldown({ status, code, retryAfter = 0 }: PayAnswer, seconds: number): void {
  expect({ status, code }).toEqual({ status: 429, code: "wallet_gas_limit" });
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(seconds);
}

/**
 * Expects that after a wallet's payment has failed on the chain, other wallets with the same code must wait, but at most for the cooldown
 * of the code.
 */
async function expectShortDelay(one: Address, other: Address): Promise<void> {
  const { press, payFrom, armWallets, stopClock, later } = attacked;
  armWallets(new Set([one]));
  const pressId = await press();
  stopClock();
  expect(await payFrom(one, "treasury", pressId)).toMatchObject(onChain);
  expectCooldown(await payFrom(other, "treasury", pressId), codeCooldown);
  later(codeCooldown * 1000);
  expect(await payFrom(other, "treasury", pressId)).toMatchObject({ status: 200 });
}

/** Pays the fee and the rest of the price as an honest client does. Returns the seconds that the client had to wait in total. */
async function buyPress(wallet: Address, pressId: number, signer?: HDAccount): Promise<number> {
  let told = 0;
  for (const leg of ["treasury", "publisher"] as const) {
    for (;;) {
      const { status, retryAfter = 1, code } = await attacked.payFrom(wallet, leg, pressId, signer);
      if (status === 200) break;
      // On a busy machine, the chain may not answer in time. A wait for the chain is not counted, because it does not depend on the wallet.
      if (code !== "chain_unavailable") told += retryAfter;
      if (told > 30) throw new Error(`The ${leg} leg is not paid: ${code}`);
      await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
    }
  }
  return told;
}

describe("a wallet tries to detect simulation by the gas price or the block", () => {
  test.each(["gasPrice", "block"] as const)(
    "a wallet that uses the %s to detect whether it is simulated causes no transaction and burns no gas",
    async (tell) => {
      const { griefer, chain, press, payFrom } = attacked;
      const wallet = await griefer.deployWallet({ tell: "never" });
      const pressId = await press();
      // The devnet adds an empty block only when its clock has advanced. After an empty block, the wallet would already burn gas in the
      // simulation of its payment.
      vi.spyOn(Date, "now").mockReturnValue(Date.now());
      const { result, gas, failures } = await measureBurnedGas(() =>
        repeatInOrder(5, async () => {
          // The transaction stores its own block number in the wallet as the mark. In every block with a higher number than the mark, the
          // wallet's code acts as if its payment were being included.
          const mark = (await chain.getBlockNumber({ cacheTime: 0 })) + 1n;
          await griefer.changeSettings(wallet, { ...greedy, tell, mark });
          return payFrom(wallet, "treasury", pressId);
        }),
      );
      expect({ gas, failures }).toEqual({ gas: 0, failures: 0 });
      for (const { status } of result) expect(status).toBe(402);
      expect(result).toContainEqual(expect.objectContaining(onChain));
    },
  );

  test("an honest wallet can pay even if the check of its signature takes much gas", async () => {
    const { griefer, press, payFrom } = attacked;
    const wallet = await griefer.deployWallet({ tell: "never", appetite: 340_000n });
    const pressId = await press();
    expect(await payFrom(wallet, "treasury", pressId)).toMatchObject({ status: 200 });
    expect(await payFrom(wallet, "publisher", pressId)).toMatchObject({ status: 200 });
  });

  test("an honest wallet pays for six presses at once within eight seconds, although its gas account covers only three purchases at once", async () => {
    const wallet = await attacked.griefer.deployWallet({ tell: "never", appetite: 340_000n });
    // The fee of the press covers the wallet's gas. The service reserves the gas that a payment may burn until the payment ends.
    const presses = await repeatInOrder(6, () => attacked.press(undefined, 3_000_000n));
    const other = await attacked.griefer.deployWallet({ tell: "never", appetite: 340_000n });
    const began = performance.now();
    expect(await buyPress(other, presses[0] ?? 0)).toBe(0);
    // The seconds that a purchase without waits takes on this machine.
    const seconds = (performance.now() - began) / 1_000;
    const told = await Promise.all(presses.map((pressId) => buyPress(wallet, pressId)));
    expect(Math.max(...told)).toBeLessThanOrEqual(8 + presses.length * seconds);
  });
});

describe("a wallet's owner makes the wallet burn gas only between simulation and inclusion", () => {
  test.each([
    ["one after the other", repeatInOrder<PayAnswer>],
    ["at once", repeatConcurrently],
  ])("eight identical requests, sent %s, burn only the gas of one request", async (_, ask) => {
    const { griefer, press, pay, headerOf, armWallets } = attacked;
    const wallet = await griefer.deployWallet(greedy);
    armWallets(new Set([wallet]));
    const pressId = await press();
    attacked.stopClock();
    const header = await headerOf(wallet, "treasury", pressId);
    const { result, gas, failures } = await measureBurnedGas(() =>
      ask(8, () => pay("treasury", pressId, header)),
    );
    expect(failures).toBe(1);
    expect(gas).toBeGreaterThan(legGas / 2);
    expect(gas).toBeLessThanOrEqual(legGas);
    // If the wallet's switch is set to burn gas when the service checks a request, the service refuses this request.
    for (const { status } of result) expect([402, 429, 503]).toContain(status);
    for (const answer of result) if (answer.status === 429) expectCooldown(answer, walletCooldown);
    expectCooldown(await pay("treasury", pressId, header), walletCooldown);
  });

  test("simultaneous payments for eight presses burn no more gas than the wallet's daily budget", async () => {
    const { griefer, press, headerOf, pay, armWallets } = attacked;
    const wallet = await griefer.deployWallet(greedy);
    armWallets(new Set([wallet]));
    const presses = await repeatInOrder(8, () => press());
    const headers = await Promise.all(presses.map((pressId) => headerOf(wallet, "treasury", pressId)));
    const { gas } = await measureBurnedGas(() =>
      repeatConcurrently(8, (index) => pay("treasury", presses[index] ?? 0, headers[index])),
    );
    expect(gas).toBeLessThanOrEqual(walletGas);
  });

  test("payments for one press after another burn no more gas than the wallet's daily budget, and the wallet gets a new budget on the next day", async () => {
    const { griefer, press, payFrom, armWallets, later } = attacked;
    const wallet = await griefer.deployWallet(greedy);
    armWallets(new Set([wallet]));
    const pressId = await press();
    const { result, gas } = await measureBurnedGas(async () => {
      const answers: PayAnswer[] = [];
      for (let time = 0; time < 8; time += 1) {
        later(time * (walletCooldown + 1) * 1000);
        answers.push(await payFrom(wallet, "treasury", pressId));
      }
      return answers;
    });
    expect(gas).toBeGreaterThan(legGas);
    expect(gas).toBeLessThanOrEqual(walletGas);
    for (const answer of result.slice(-3)) expectCooldown(answer, 24 * 60 * 60);
    later((result.at(-1)?.retryAfter ?? 0) * 1000 + 100_000);
    expect(await payFrom(wallet, "treasury", await press())).toMatchObject(onChain);
  });

  test("after a wallet's failure, other wallets with the same code must wait only for a short time", async () => {
    const { griefer } = attacked;
    const [one, other] = [
      await griefer.deployWallet(greedy, 7n),
      await griefer.deployWallet({ tell: "never" }, 7n),
    ];
    await expectShortDelay(one, other);
  });
});

describe("the code that a wallet's proxy calls counts as the wallet's code", () => {
  const makeMinimalProxyCode = (target: Address): Hex =>
    `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`;

  /** Deploys a contract whose constructor takes the target and one more value of the given type. */
  async function deployContract(name: string, target: Address, type: "address" | "bytes", value: Hex) {
    const { bytecode } = findArtifact(await attacked.devnet.artifacts(), name);
    const args = encodeAbiParameters([{ type: "address" }, { type }], [target, value]);
    return attacked.griefer.deploy(concatHex([bytecode, args]));
  }

  const deployBeacon = (implementation: Address) =>
    deployContract("UpgradeableBeacon", implementation, "address", lower(attacked.griefer.owner.address));

  /** Makes the attacker's wallet, which delegates to the target contract. */
  async function makeAttacker(kind: string, target: Address, settings: GrieferSettings): Promise<Address> {
    const { griefer, chain } = attacked;
    const start = griefer.encodeInitCall(settings);
    if (kind === "EIP-1967 proxies") return deployContract("ERC1967Proxy", target, "bytes", start);
    if (kind === "beacon proxies") return deployContract("BeaconProxy", target, "bytes", start);
    const account = makeAccount();
    if (kind === "EIP-7702 delegations") {
      await fund({ client: chain }, account);
      await delegate({ client: chain }, account, target);
    }
    const wallet =
      kind === "EIP-7702 delegations"
        ? lower(account.address)
        : await griefer.deploy(makeMinimalProxyCode(target));
    await griefer.call(wallet, start);
    return wallet;
  }

  test.each([
    ["EIP-1167 minimal proxies", "EIP-1967 proxies"],
    ["EIP-1967 proxies", "EIP-1167 minimal proxies"],
    ["EIP-7702 delegations", "EIP-1167 minimal proxies"],
    ["beacon proxies", "beacon proxies"],
  ])(
    "if a wallet of the kind %s fails, other wallets that delegate to the same code are delayed, including wallets of the kind %s",
    async (first, second) => {
      const { griefer } = attacked;
      const implementation = await griefer.deployImplementation();
      const target = first === "beacon proxies" ? await deployBeacon(implementation) : implementation;
      const one = await griefer.fund(await makeAttacker(first, target, greedy));
      const other = await griefer.fund(await makeAttacker(second, target, { tell: "never" }));
      await expectShortDelay(one, other);
    },
  );

  test("a wallet that names one address as its implementation and as its beacon pays like any other wallet", async () => {
    const { griefer, chain, press, payFrom } = attacked;
    const [wallet, pressId] = [await griefer.deployWallet({ tell: "never" }), await press()];
    const value = pad(await griefer.deployImplementation());
    for (const index of proxySlots) await chain.setStorageAt({ address: wallet, index, value });
    expect(await payFrom(wallet, "treasury", pressId)).toMatchObject({ status: 200 });
    expect(await payFrom(wallet, "publisher", pressId)).toMatchObject({ status: 200 });
  });
});

describe("every wallet of an attack has fresh code", () => {
  test("an attack with fresh code delays no plain account, and an honest new contract wallet pays within eight seconds", async () => {
    const { griefer, chain, devnet, press, payFrom, armWallets } = attacked;
    // The attacker has more wallets than the service has relayer keys.
    const wallets = await repeatInOrder(10, () => griefer.deployWallet(greedy));
    armWallets(new Set(wallets));
    const [reader, owner] = [makeAccount(), makeAccount()];
    await fund({ client: chain }, reader);
    const honest = await deployContractWallet({ client: chain, devnet }, owner);
    const pressId = await press();

    attacked.stopClock();
    const { result, gas, failures } = await measureBurnedGas(async () => {
      const attack = Promise.all(
        wallets.map((wallet) => repeatInOrder(3, () => payFrom(wallet, "treasury", pressId))),
      );
      const began = performance.now();
      const plain = await buyPress(lower(reader.address), pressId, reader);
      // The seconds that a purchase takes on this machine during the attack if the service demands no wait.
      const seconds = (performance.now() - began) / 1_000;
      const contract = await buyPress(honest, pressId, owner);
      await attack;
      return { plain, contract, seconds };
    });
    expect(result.plain).toBe(0);
    expect(result.contract).toBeLessThanOrEqual(8 + result.seconds);
    expect(failures).toBe(wallets.length);
    expect(gas).toBeLessThanOrEqual(wallets.length * legGas);
  });
});

describe("the gas price has a ceiling", () => {
  test("no payment is sent or charged while the gas price is above the ceiling", async () => {
    const { chain, press, payFrom, node } = attacked;
    const reader = makeAccount();
    await fund({ client: chain }, reader);
    // The press's fee covers the gas even at a gas price above the service's maximum gas price.
    const pressId = await press(undefined, 70_000_000n);
    node.gasPrice = 10_000_000_001n;
    const before = await chain.getBlockNumber();
    expect(await payFrom(lower(reader.address), "treasury", pressId, reader)).toMatchObject({
      status: 503,
      code: "payments_unavailable",
    });
    expect(await attacked.sentSince(before)).toEqual([]);
    node.gasPrice = 9_000_000_000n;
    expect(await payFrom(lower(reader.address), "treasury", pressId, reader)).toMatchObject({ status: 200 });
    const [sent] = await attacked.sentSince(before);
    expect(sent?.maxFeePerGas).toBe(10_000_000_000n);
  });
});

describe("the service's calls to its nodes give little gas to a stranger's code", () => {
  /**
   * The maximum gas of a call to a stranger's code, in gas units. If a call sets no limit, a node gives it fifty million gas units, and a
   * single estimate makes twenty calls.
   */
  const most = 5_000_000n;
  const Calls = z.union([z.array(z.unknown()), z.unknown().transform((call) => [call])]);
  const Run = z.object({
    method: z.enum(["eth_call", "eth_estimateGas"]),
    params: z.tuple([z.object({ to: z.string().optional(), gas: z.string().optional() })], z.unknown()),
  });

  /** Runs `work`, and lists the gas limit of every call that runs the wallet's code or code from the request. */
  async function recordGasLimits(wallet: Address, work: () => Promise<unknown>): Promise<readonly bigint[]> {
    const found: bigint[] = [];
    attacked.node.heard = (body) => {
      for (const call of Calls.parse(body)) {
        const run = Run.safeParse(call).data;
        if (run === undefined || !JSON.stringify(call).includes(wallet.slice(2))) continue;
        const [{ to, gas }] = run.params;
        const isForeign = run.method === "eth_estimateGas" || to === undefined || to === wallet;
        if (isForeign) found.push(gas === undefined ? 2n ** 64n : BigInt(gas));
      }
    };
    await work();
    return found;
  }

  /** Makes a wallet that accepts any signature if its code gets more than `most` gas units, and that otherwise burns all its gas. */
  const makeHungryWallet = () => attacked.griefer.deployWallet({ tell: "gasLeft", mark: most });
  const signature = `0x${"11".repeat(65)}`;

  const post = (path: string, body: object) =>
    attacked.http.ask(path, { body, headers: { origin: attacked.service.origin } });

  test("a sign-in gives the wallet's code little gas", async () => {
    const wallet = await makeHungryWallet();
    const { nonce } = Object((await post("/api/auth/nonce", { address: wallet })).body);
    const runs = await recordGasLimits(wallet, async () => {
      const signIn = { address: wallet, nonce, signature };
      expect(await post("/api/auth/verify", signIn)).toMatchObject({ status: 401 });
    });
    expect(runs).toHaveLength(1);
    expect(runs.filter((gas) => gas > most)).toEqual([]);
  });

  test("when a text is read with a wallet's signature, the wallet's code gets little gas", async () => {
    const wallet = await makeHungryWallet();
    const path = "/api/presses/a-press-1";
    const { origin } = attacked.service;
    const proof = {
      domain: new URL(origin).host,
      address: getAddress(wallet),
      uri: origin + path,
      version: "1",
      chainId: "eip155:4663",
      type: "eip191",
      nonce: "abcdefgh12345678",
      issuedAt: new Date(Date.now() - 1000).toISOString(),
      signature,
    };
    const header = Buffer.from(JSON.stringify(proof)).toString("base64");
    const runs = await recordGasLimits(wallet, async () => {
      const headers = { "sign-in-with-x": header };
      expect(await attacked.http.ask(path, { headers })).toMatchObject({ status: 401 });
    });
    expect(runs).toHaveLength(1);
    expect(runs.filter((gas) => gas > most)).toEqual([]);
  });

  test("the gas that a payment gives to the wallet's code is limited, but is far more than an honest wallet needs", async () => {
    const wallet = await makeHungryWallet();
    const pressId = await attacked.press();
    const runs = await recordGasLimits(wallet, async () => {
      expect(await attacked.payFrom(wallet, "treasury", pressId)).toMatchObject({ status: 402 });
    });
    expect(runs.length).toBeGreaterThanOrEqual(2);
    expect(runs.filter((gas) => gas > most)).toEqual([]);
  });
});
