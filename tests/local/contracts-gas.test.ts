import { encodeFunctionData, type Hex, keccak256, numberToHex, toHex } from "viem";
import type { HDAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { reputationAbi } from "../../core/chain/abi.ts";
import { usdgDomain } from "../../core/chain/deployment.ts";
import { encodeSettle } from "../../core/chain/permit2.ts";
import * as Gas from "../../core/gas/index.ts";

import { devnetContracts as at, getTestAccount } from "../../local/devnet/accounts.ts";
import { startTestDevnet } from "../support/devnet.ts";
import { approve, authorize, encodeRegister, makePermit, signPermit } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";

/**
 * The gas units that the deployed contracts use. The sources of USDG version 3 with its facets (paxosglobal/paxos-token-contracts at
 * 674ac10) and of ERC-8004's registries (erc-8004/erc-8004-contracts at b9e466c) were compiled with the settings of their repositories.
 * These contracts were deployed behind proxies on a devnet. To measure the gas, the transactions of this file were sent to the contracts.
 */
const real = {
  eip3009: { holder: 85_496, stranger: 102_428 },
  permit2: { holder: 100_205, stranger: 117_125 },
  approval: 58_172,
  register: [194_901, 160_701],
  feedback: { first: 212_680, next: 195_580, again: 130_830, vote: 173_845 },
};

const payer = getTestAccount(5);
const holder = getTestAccount(6);
const relayer = getTestAccount(7);
const amount = "25000";
const deadline = 10n ** 11n;
/** The bytes that follow the arguments of a settling call; these bytes name the press and say which of the two payments is settled. */
const purpose = "11".repeat(17);

const devnet = startPart(startTestDevnet);

async function measureGas(account: HDAccount, to: Hex, data: Hex): Promise<number> {
  const { status, gasUsed } = await devnet.client.sendTransactionSync({ account, to, data, gas: 1_000_000n });
  expect(status).toBe("success");
  return Number(gasUsed);
}

/** A difference of three percent is allowed, because the compilers differ. */
function expectSimilarGas(found: number, expected: number): void {
  expect(found).toBeGreaterThan(0.97 * expected);
  expect(found).toBeLessThan(1.03 * expected);
}

let nonces = 0;
const makeNonce = () => BigInt(keccak256(toHex(++nonces)));
const makeStranger = () => numberToHex(makeNonce() >> 96n, { size: 20 });

describe("a payment on the devnet uses as much gas as a payment with a USDG contract that is compiled from Paxos's source", () => {
  async function measureEip3009Gas(to: Hex): Promise<number> {
    const fields = { nonce: makeNonce(), validBefore: deadline };
    const { call } = await authorize(payer, { amount, payTo: to }, fields);
    return measureGas(relayer, at.usdg, `${call}${purpose}`);
  }

  async function measurePermit2Gas(to: Hex): Promise<number> {
    const entry = { amount, asset: at.usdg, payTo: to, extra: { spender: at.exactProxy } };
    const permit = makePermit(payer, entry, { nonce: makeNonce(), deadline });
    const call = encodeSettle(permit, await signPermit(payer, permit));
    return measureGas(relayer, at.exactProxy, `${call}${purpose}`);
  }

  test("a payment leg by EIP-3009 uses about as much gas on the devnet as with the deployed contracts, for a payee with or without USDG", async () => {
    expect(usdgDomain).toEqual({ name: "Global Dollar", version: "1" });
    expectSimilarGas(await measureEip3009Gas(holder.address), real.eip3009.holder);
    expectSimilarGas(await measureEip3009Gas(makeStranger()), real.eip3009.stranger);
  });

  test("a payment leg by Permit2 and the approval of Permit2 use about as much gas on the devnet as with the deployed contracts", async () => {
    const { gasUsed } = await approve(devnet, payer);
    expectSimilarGas(Number(gasUsed), real.approval);
    expectSimilarGas(await measurePermit2Gas(holder.address), real.permit2.holder);
    expectSimilarGas(await measurePermit2Gas(makeStranger()), real.permit2.stranger);
  });
});

test("a mint, a verdict and a vote use as much gas on the devnet as with ERC-8004's own registries", async () => {
  const register = encodeRegister("https://press.example.com/api/meta/12");
  for (const gas of real.register)
    expectSimilarGas(await measureGas(holder, at.identityRegistry, register), gas);

  const give = (from: HDAccount, tags: readonly [string, string], report: string) => {
    const args = [0n, 87n, 0, ...tags, "", report, keccak256("0x11")] as const;
    return measureGas(
      from,
      at.reputationRegistry,
      encodeFunctionData({ abi: reputationAbi, functionName: "giveFeedback", args }),
    );
  };
  const measureVerdictGas = (from: HDAccount) =>
    give(from, ["audit", "approve"], "https://press.example.com/api/audit-report/12");
  expectSimilarGas(await measureVerdictGas(getTestAccount(2)), real.feedback.first);
  expectSimilarGas(await measureVerdictGas(getTestAccount(3)), real.feedback.next);
  expectSimilarGas(await measureVerdictGas(getTestAccount(3)), real.feedback.again);
  expectSimilarGas(await give(getTestAccount(4), ["accurate", ""], ""), real.feedback.vote);
});

test("the forecast of a key's gas expects more gas for a leg of a payment, and more gas for a verdict, than the deployed contracts use", () => {
  expect(Gas.usualGas.leg).toBeGreaterThan(BigInt(real.permit2.stranger));
  expect(Gas.usualGas.verdict).toBeGreaterThan(BigInt(real.feedback.first));
});
