import { encodeAbiParameters, parseAbiParameters } from "viem";
import { numberToHex } from "viem/utils";
import { expect, test } from "vitest";
import * as z from "zod";
import { type Hex, HexInput, lower } from "../../core/chain/hex.ts";
import * as Gas from "../../core/gas/index.ts";
import type { PaymentPorts } from "../../core/payment/index.ts";

import { readTxCapacity } from "../../core/relayer/operators.ts";
import { alterNode } from "../support/interference.ts";
import { getTestAccount, listPress, startPayments } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { deployContractWallet, fund, type Payer, payFrom } from "../support/wallets.ts";

const publisher = getTestAccount(4);

const payments = startPart(startPayments);

const Asked = z.tuple([z.object({ to: HexInput })], z.unknown());

/** A Nitro node whose estimates and NodeInterface add `units` gas units for L1 to every transaction. */
function makePortsWithL1Cost(units: bigint): PaymentPorts {
  const isInterface = (params: readonly unknown[]) =>
    lower(Asked.safeParse(params).data?.[0].to ?? "0x") === "0x00000000000000000000000000000000000000c8";
  return alterNode(payments.ports, /^eth_(estimateGas|gasPrice)$/, async (calls, ask) =>
    (await ask()).map((outcome, index) => {
      const { method, params } = calls[index] ?? { method: "", params: [] };
      if (outcome.status !== "ok") return outcome;
      if (method === "eth_estimateGas") {
        return { ...outcome, result: numberToHex(BigInt(z.string().parse(outcome.result)) + units) };
      }
      if (method !== "eth_call" || !isInterface(params)) return outcome;
      const words = parseAbiParameters("uint64, uint256, uint256");
      return { ...outcome, result: encodeAbiParameters(words, [units, 10_000_000n, 30_000_000_000n]) };
    }),
  );
}

async function expectPurchase(ports: PaymentPorts, payer: Payer) {
  const dear = { ...payments, ports };
  const pressId = await listPress(payments, publisher);
  expect(await payFrom(dear, payer, "fee", pressId)).toMatchObject({ kind: "paid" });
  expect(await payFrom(dear, payer, "publisher", pressId)).toMatchObject({ kind: "paid" });
}

test("a plain account can pay while each transaction's L1 part costs 3,000,000 gas units", async () => {
  const signer = getTestAccount(60);
  await fund(payments, signer);
  await expectPurchase(makePortsWithL1Cost(3_000_000n), { wallet: lower(signer.address), signer });
});

test("a contract wallet can pay while each transaction's L1 part costs 1,000,000 gas units", async () => {
  const signer = getTestAccount(80);
  const wallet = await deployContractWallet(payments, signer);
  await expectPurchase(makePortsWithL1Cost(1_000_000n), { wallet, signer });
});

test("a contract wallet is refused if its own code takes more gas than a payment's limit, however much gas the node counts for L1", async () => {
  const signer = getTestAccount(69);
  await fund(payments, signer);
  // The code of a wallet that accepts every signature after burning half a million gas units.
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

test("the gas for L1 counts in the forecast of how many transactions a relayer key can pay for, and in the gas that the fee of a read must cover", async () => {
  const [address = "0x0"] = await payments.ports.relayers.addresses();
  const keys = [{ address, sends: "leg" } as const];
  const legs = async (units: bigint) =>
    (await readTxCapacity({ ...makePortsWithL1Cost(units), keys }))[0]?.transactions ?? 0;
  expect((await legs(0n)) / (await legs(1_125_000n))).toBeCloseTo(10, 1);

  const payee = lower(publisher.address);
  const { settings } = payments.ports;
  const asked = (units: bigint) =>
    Gas.requireGasPayer(
      { ...makePortsWithL1Cost(units), settings: { ...settings, gas: { ...settings.gas, allowance: 0 } } },
      payee,
      10_000n,
    );
  await expect(asked(0n)).resolves.toBeUndefined();
  await expect(asked(1_125_000n)).rejects.toMatchObject({ code: "price_below_gas" });
});

/** Runtime code that counts down for `units` gas units and then returns ERC-1271's magic value. */
function makeBurningCode(units: bigint): Hex {
  const turns = (units / 26n).toString(16).padStart(6, "0");
  // The bytecode starts with a loop: PUSH3 `turns` JUMPDEST PUSH1 1 SWAP1 SUB DUP1 PUSH1 4 JUMPI
  return `0x62${turns}5b6001900380600457631626ba7e60e01b60005260206000f3`;
}
