import { encodeAbiParameters, parseAbiParameters } from "viem";
import type { HDAccount } from "viem/accounts";
import { decodeFunctionData, keccak256, numberToHex, parseTransaction } from "viem/utils";
import { expect, test } from "vitest";
import * as z from "zod";
import { nodeInterfaceAbi } from "../../core/chain/abi.ts";
import { type Hex, HexInput, lower } from "../../core/chain/hex.ts";
import * as Gas from "../../core/gas/index.ts";
import type { PaymentPorts } from "../../core/payment/index.ts";
import type { Leg } from "../../core/payment/schema.ts";

import { readTxCapacity } from "../../core/relayer/operators.ts";
import { alterNode } from "../support/interference.ts";
import { getTestAccount, listPress, startPayments } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { deployContractWallet, fund, type Payer, payFrom } from "../support/wallets.ts";

const publisher = getTestAccount(4);

const payments = startPart(startPayments);

const nodeInterface = "0x00000000000000000000000000000000000000c8";
const Mined = z.looseObject({ transactionHash: HexInput, gasUsed: z.string() });
const Asked = z.looseObject({ to: HexInput, data: HexInput, gas: z.string().optional() });

/**
 * A Nitro node whose estimates, receipts and NodeInterface add gas units for L1 to every transaction: `fixed` units, and `perByte` units
 * for each byte of calldata. The node refuses a transaction whose gas limit is too low for L1.
 */
function makePortsWithL1Cost(fixed: bigint, perByte = 0n): PaymentPorts {
  const computeUnits = (data: string) => fixed + perByte * BigInt(data.length / 2 - 1);
  const sent = new Map<string, bigint>();
  return alterNode(payments.ports, /./, async (calls, ask) => {
    const [{ method, params } = { method: "", params: [] }] = calls;
    if (method.startsWith("eth_sendRawTransaction")) {
      const raw = HexInput.parse(params[0]);
      const { gas = 0n, data = "0x" } = parseTransaction(raw);
      const units = computeUnits(data);
      if (gas < units + 21_000n)
        return [{ status: "failed", code: -32_000, message: "intrinsic gas too low" }];
      sent.set(keccak256(raw), units);
    }
    return (await ask()).map((outcome, index) => {
      const { method, params } = calls[index] ?? { method: "", params: [] };
      const mined = outcome.status === "ok" ? Mined.safeParse(outcome.result).data : undefined;
      const units = sent.get(mined?.transactionHash ?? "");
      if (mined !== undefined && units !== undefined) {
        const gasUsed = numberToHex(BigInt(mined.gasUsed) + units);
        return { status: "ok", result: { ...mined, gasUsed, gasUsedForL1: numberToHex(units) } };
      }
      const asked = Asked.safeParse(params[0]).data;
      if (outcome.status !== "ok" || asked === undefined) return outcome;
      if (method === "eth_estimateGas") {
        const gas = BigInt(z.string().parse(outcome.result)) + computeUnits(asked.data);
        if (asked.gas !== undefined && gas > BigInt(asked.gas)) {
          const message = `gas required exceeds allowance (${BigInt(asked.gas)})`;
          return { status: "reverted", code: -32_000, message, data: undefined };
        }
        return { ...outcome, result: numberToHex(gas) };
      }
      if (method !== "eth_call" || lower(asked.to) !== nodeInterface) return outcome;
      const { args } = decodeFunctionData({ abi: nodeInterfaceAbi, data: asked.data });
      const words = parseAbiParameters("uint64, uint256, uint256");
      const result = encodeAbiParameters(words, [computeUnits(args[2]), 10_000_000n, 30_000_000_000n]);
      return { ...outcome, result };
    });
  });
}

async function expectPurchase(ports: PaymentPorts, payer: Payer, owner = publisher) {
  const dear = { ...payments, ports };
  const pressId = await listPress(payments, owner);
  expect(await payFrom(dear, payer, "fee", pressId)).toMatchObject({ kind: "paid" });
  expect(await payFrom(dear, payer, "publisher", pressId)).toMatchObject({ kind: "paid" });
}

/** Reads the amount that is charged today to the gas account of a press's owner, in USDG base units. */
async function readBookedGas(owner: HDAccount): Promise<number> {
  const key = { subject: `payee:${lower(owner.address)}`, day: new Date().toISOString().slice(0, 10) };
  return (await payments.ports.table.entities.gas.get(key).go({ consistent: true })).data?.spent ?? 0;
}

/** Gives an account ETH, with which the account can mint presses. */
async function fundOwner(index: number): Promise<HDAccount> {
  const owner = getTestAccount(index);
  await payments.client.setBalance({ address: owner.address, value: 10n ** 18n });
  return owner;
}

test("a plain account can pay even if each transaction's L1 part costs 6,000,000 gas units, and the publisher's gas account is charged for L1", async () => {
  const [signer, owner] = [getTestAccount(60), await fundOwner(61)];
  await fund(payments, signer);
  await expectPurchase(makePortsWithL1Cost(6_000_000n), { wallet: lower(signer.address), signer }, owner);
  const cost = Number((12_000_000n * (await payments.client.getGasPrice()) * 3_000_000_000n) / 10n ** 18n);
  expect(await readBookedGas(owner)).toBeGreaterThan(0.9 * (cost - 25_000));
});

test("a contract wallet can pay even if each transaction's L1 part costs 1,000,000 gas units", async () => {
  const signer = getTestAccount(80);
  const wallet = await deployContractWallet(payments, signer);
  await expectPurchase(makePortsWithL1Cost(1_000_000n), { wallet, signer });
});

test("a contract wallet is refused if its own code takes more gas than a payment may use; the gas that the node counts for L1 makes no difference", async () => {
  const signer = getTestAccount(69);
  await fund(payments, signer);
  // Wallet code that accepts every signature after it has burned half a million gas units.
  const code = makeBurningCode(500_000n);
  await payments.client.setCode({ address: signer.address, bytecode: code });
  const payer = { wallet: lower(signer.address), signer };
  for (const units of [0n, 1_600_000n]) {
    const pressId = await listPress(payments, publisher);
    const dear = { ...payments, ports: makePortsWithL1Cost(units) };
    expect(await payFrom(dear, payer, "fee", pressId)).toMatchObject({
      kind: "terms",
      terms: { code: "permit2_simulation_failed" },
    });
  }
});

test("the gas that a wallet's fee has reserved does not pay for the L1 data of a longer signature, but no payment is refused because the price of L1 has risen", async () => {
  const signer = getTestAccount(68);
  const wallet = lower(signer.address);
  await fund(payments, signer);
  await payments.client.setCode({ address: wallet, bytecode: makeBurningCode(1_000n) });
  const [cheap, dear] = [makePortsWithL1Cost(50_000n, 100n), makePortsWithL1Cost(50_000n, 500n)];
  const pressId = await listPress(payments, publisher);
  const payBy = (ports: PaymentPorts, leg: Leg, bytes: number) =>
    payFrom({ ...payments, ports }, { wallet, signer, form: () => `0x${"5a".repeat(bytes)}` }, leg, pressId);
  expect(await payBy(cheap, "fee", 1)).toMatchObject({ kind: "paid" });
  // The wallet's payments have used up its gas account.
  const account = { ...Gas.makeBurnedKey(wallet, Date.now()), spent: 1e9, expiresAt: 2e9 };
  await payments.ports.table.entities.gas.upsert(account).go();
  await expect(payBy(cheap, "publisher", 600)).rejects.toMatchObject({ code: "wallet_gas_limit" });
  expect(await payBy(dear, "publisher", 2)).toMatchObject({ kind: "paid" });
});

test("if a wallet's code accepts a long signature, the publisher's gas account does not pay for the L1 data of the additional bytes", async () => {
  const ports = makePortsWithL1Cost(50_000n, 100n);
  const measureBookedGas = async (account: number, owner: number, bytes: number) => {
    const [signer, payee] = [getTestAccount(account), await fundOwner(owner)];
    const wallet = lower(signer.address);
    await fund(payments, signer);
    await payments.client.setCode({ address: wallet, bytecode: makeBurningCode(1_000n) });
    const pressId = await listPress(payments, payee, 10_000n);
    const makeSignature = (): Hex => `0x${"5a".repeat(bytes)}`;
    expect(
      await payFrom({ ...payments, ports }, { wallet, signer, form: makeSignature }, "fee", pressId),
    ).toMatchObject({
      kind: "paid",
    });
    return readBookedGas(payee);
  };
  const usual = await measureBookedGas(66, 67, 65);
  expect(usual).toBeGreaterThan(0);
  // The publisher's gas account pays at most the gas that is assumed for a payer without code. That gas is a little more than this wallet's
  // usual gas.
  expect(await measureBookedGas(65, 64, 2_000)).toBeLessThan(1.5 * usual);
});

test("the gas for L1 is included in the forecast of how many transactions a relayer key can pay for, and in the gas that the fee of a read must cover", async () => {
  const [address = "0x0"] = await payments.ports.relayers.addresses();
  const keys = [{ address, sends: "leg" } as const];
  const countLegs = async (units: bigint) =>
    (await readTxCapacity({ ...makePortsWithL1Cost(units), keys }))[0]?.transactions ?? 0;
  expect((await countLegs(0n)) / (await countLegs(1_125_000n))).toBeCloseTo(10, 1);

  const payee = lower(publisher.address);
  const { settings } = payments.ports;
  const requirePayer = (units: bigint) =>
    Gas.requireGasPayer(
      { ...makePortsWithL1Cost(units), settings: { ...settings, gas: { ...settings.gas, allowance: 0 } } },
      payee,
      10_000n,
    );
  await expect(requirePayer(0n)).resolves.toBeUndefined();
  await expect(requirePayer(1_125_000n)).rejects.toMatchObject({ code: "price_below_gas" });
});

/** Runtime code that counts down for `units` gas units and then returns ERC-1271's magic value. */
function makeBurningCode(units: bigint): Hex {
  const turns = (units / 26n).toString(16).padStart(6, "0");
  // The bytecode starts with a loop: PUSH3 `turns` JUMPDEST PUSH1 1 SWAP1 SUB DUP1 PUSH1 4 JUMPI
  return `0x62${turns}5b6001900380600457631626ba7e60e01b60005260206000f3`;
}
