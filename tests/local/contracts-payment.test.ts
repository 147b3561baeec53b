import {
  decodeErrorResult,
  domainSeparator,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseEventLogs,
  size,
  toFunctionSelector,
} from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { exactProxyAbi, permit2Abi } from "../../core/chain/abi.ts";
import { encodeSettle, type Permit } from "../../core/chain/permit2.ts";
import { devnetContracts as at, getTestAccount } from "../../local/devnet/accounts.ts";
import { readRevertData, startTestDevnet } from "../support/devnet.ts";
import { approve, makePermit, readAllowance, readBalance, send, signPermit } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";

const payer = getTestAccount(1);
const payee = getTestAccount(2).address;
const relayer = getTestAccount(3);
const stranger = getTestAccount(4);
const entry = { amount: "250000", asset: at.usdg, payTo: payee, extra: { spender: at.exactProxy } };

const devnet = startPart(startTestDevnet);
beforeAll(() => approve(devnet, payer));

const makeTerms = (change: Partial<Permit> = {}) => makePermit(payer, entry, change);

/**
 * Simulates a call that settles `sent` with a signature over `signed`. Returns the name of the contract's error, or `undefined` if the call
 * does not revert.
 */
async function readRefusal(sent: Permit, signed = sent): Promise<string | undefined> {
  const data = encodeSettle(sent, await signPermit(payer, signed));
  const revert = await readRevertData(devnet.client.call({ account: relayer, to: at.exactProxy, data }));
  return revert && decodeErrorResult({ abi: [...exactProxyAbi, ...permit2Abi], data: revert }).errorName;
}

describe("the devnet's exact proxy and Permit2 behave like the contracts on mainnet", () => {
  test("the exact proxy has the deployed proxy's selectors, and Permit2 has the deployed Permit2's code size and domain", async () => {
    const { methods } = (await devnet.artifacts()).X402ExactPermit2Proxy ?? { methods: {} };
    expect(methods).toMatchObject({
      "settle(((address,uint256),uint256,uint256),address,(address,uint256),bytes)": "0x13cd3b53",
      "PERMIT2()": toFunctionSelector("PERMIT2()"),
      "WITNESS_TYPEHASH()": toFunctionSelector("WITNESS_TYPEHASH()"),
    });
    expect(toFunctionSelector("InvalidNonce()")).toBe("0x756688fe");
    expect(size((await devnet.client.getCode({ address: at.permit2 })) ?? "0x")).toBe(9152);
    const abi = parseAbi(["function DOMAIN_SEPARATOR() view returns (bytes32)"]);
    const separator = await devnet.client.readContract({
      address: at.permit2,
      abi,
      functionName: "DOMAIN_SEPARATOR",
    });
    const domain = { name: "Permit2", chainId: 4663, verifyingContract: at.permit2 };
    expect(separator).toBe(domainSeparator({ domain }));
  });

  test("the exact proxy and Permit2 settle a signed permit: anybody may send the transaction, and the payee in the witness gets the amount", async () => {
    const due = makeTerms();
    const data = encodeSettle(due, await signPermit(payer, due));
    const before = await readBalance(devnet, payee);
    const receipt = await send(devnet, relayer, at.exactProxy, data);
    expect(receipt.status).toBe("success");
    expect((await readBalance(devnet, payee)) - before).toBe(due.amount);
    // USDG deducts each transfer from the allowance, even from the largest allowance.
    expect(await readAllowance(devnet, payer.address)).toBe(maxUint256 - due.amount);
    const logs = parseEventLogs({ abi: [...erc20Abi, ...exactProxyAbi], logs: receipt.logs });
    expect(logs.map((log) => log.eventName)).toEqual(["Transfer", "Settled"]);
    expect(logs[0]).toMatchObject({
      address: at.usdg,
      args: { from: payer.address, to: payee, value: due.amount },
    });
  });

  test("the exact proxy and Permit2 refuse a permit without owner, payee or amount, and a permit that is not valid yet", async () => {
    const nobody = "0x0000000000000000000000000000000000000000";
    expect(await readRefusal(makeTerms({ from: nobody }))).toBe("InvalidOwner");
    expect(await readRefusal(makeTerms({ to: nobody }))).toBe("InvalidDestination");
    expect(await readRefusal(makeTerms({ amount: 0n }))).toBe("InvalidAmount");
    const soon = BigInt(Math.floor(Date.now() / 1000) + 60);
    expect(await readRefusal(makeTerms({ validAfter: soon }))).toBe("PaymentTooEarly");
  });

  test("the exact proxy and Permit2 refuse a payee, amount or owner that differs from the signed value", async () => {
    const signed = makeTerms();
    expect(await readRefusal({ ...signed, to: stranger.address }, signed)).toBe("InvalidSigner");
    expect(await readRefusal({ ...signed, amount: signed.amount - 1n }, signed)).toBe("InvalidSigner");
    expect(await readRefusal({ ...signed, validAfter: 1n }, signed)).toBe("InvalidSigner");
    expect(await readRefusal({ ...signed, from: stranger.address }, signed)).toBe("InvalidSigner");
  });
});
