import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  domainSeparator,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseEventLogs,
  size,
  toFunctionSelector,
} from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { exactProxyAbi, permit2Abi } from "../../core/chain/abi.ts";
import { permitTypes } from "../../core/chain/permit2.ts";
import { devnetContracts as at, getTestAccount } from "../../local/devnet/accounts.ts";
import { startTestDevnet } from "../support/devnet.ts";
import { startPart } from "../support/provide.ts";

const payer = getTestAccount(1);
const payee = getTestAccount(2).address;
const relayer = getTestAccount(3);
const stranger = getTestAccount(4);
const settleAbi = [...exactProxyAbi, ...permit2Abi];

const devnet = startPart(startTestDevnet);
beforeAll(async () => {
  await devnet.client.writeContractSync({
    account: payer,
    address: at.usdg,
    abi: erc20Abi,
    functionName: "approve",
    args: [at.permit2, maxUint256],
  });
});

type Terms = {
  readonly owner: Address;
  readonly to: Address;
  readonly amount: bigint;
  readonly nonce: bigint;
  readonly deadline: bigint;
  readonly validAfter: bigint;
};

let lastNonce = 0n;
function makeTerms(change: Partial<Terms> = {}): Terms {
  lastNonce += 1n;
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 300);
  return {
    owner: payer.address,
    to: payee,
    amount: 250_000n,
    nonce: lastNonce,
    deadline,
    validAfter: 0n,
    ...change,
  };
}

function makeTypedData({ to, amount, nonce, deadline, validAfter }: Terms) {
  return {
    domain: { name: "Permit2", chainId: 4663, verifyingContract: at.permit2 },
    types: permitTypes,
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: at.usdg, amount },
      spender: at.exactProxy,
      nonce,
      deadline,
      witness: { to, validAfter },
    },
  } as const;
}

function makeSettlement({ owner, to, amount, nonce, deadline, validAfter }: Terms, signature: Hex) {
  return {
    account: relayer,
    address: at.exactProxy,
    abi: settleAbi,
    functionName: "settle",
    args: [{ permitted: { token: at.usdg, amount }, nonce, deadline }, owner, { to, validAfter }, signature],
  } as const;
}

/** Returns the name and the selector of the error when `sent` is settled with a signature over `signed`. */
async function readRefusal(sent: Terms, signed: Terms = sent): Promise<string> {
  const signature = await payer.signTypedData(makeTypedData(signed));
  return readRevertName(devnet.client.simulateContract(makeSettlement(sent, signature)));
}

async function readRevertName(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const revert =
    error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  if (!(revert instanceof ContractFunctionRevertedError))
    throw new Error("It did not revert.", { cause: error });
  return revert.data?.errorName === "Error"
    ? `${revert.reason}`
    : `${revert.data?.errorName ?? revert.signature}`;
}

const readBalance = (owner: Address) =>
  devnet.client.readContract({ address: at.usdg, abi: erc20Abi, functionName: "balanceOf", args: [owner] });

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
    expect(separator).toBe(domainSeparator({ domain: makeTypedData(makeTerms()).domain }));
  });

  test("the exact proxy and Permit2 settle a signed permit: anybody may send the transaction, and the payee in the witness gets the amount", async () => {
    const due = makeTerms();
    const signature = await payer.signTypedData(makeTypedData(due));
    const before = await readBalance(payee);
    const receipt = await devnet.client.writeContractSync(makeSettlement(due, signature));
    expect(receipt.status).toBe("success");
    expect((await readBalance(payee)) - before).toBe(due.amount);
    // USDG deducts each transfer from the allowance, even from the largest allowance.
    const args = [payer.address, at.permit2] as const;
    const usdg = { address: at.usdg, abi: erc20Abi } as const;
    expect(await devnet.client.readContract({ ...usdg, functionName: "allowance", args })).toBe(
      maxUint256 - due.amount,
    );
    const logs = parseEventLogs({ abi: [...erc20Abi, ...exactProxyAbi], logs: receipt.logs });
    expect(logs.map((log) => log.eventName)).toEqual(["Transfer", "Settled"]);
    expect(logs[0]).toMatchObject({
      address: at.usdg,
      args: { from: payer.address, to: payee, value: due.amount },
    });
  });

  test("the exact proxy and Permit2 refuse a permit without owner, payee or amount, and a permit that is not valid yet", async () => {
    const nobody = "0x0000000000000000000000000000000000000000";
    expect(await readRefusal(makeTerms({ owner: nobody }))).toBe("InvalidOwner");
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
    expect(await readRefusal({ ...signed, owner: stranger.address }, signed)).toBe("InvalidSigner");
  });
});
