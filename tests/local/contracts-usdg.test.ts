import {
  decodeErrorResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToNumber,
  numberToHex,
  parseAbi,
  parseEventLogs,
  slice,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import type { HDAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { authorizationTypes } from "../../core/chain/eip3009.ts";
import { devnetContracts as at, getTestAccount } from "../../local/devnet/accounts.ts";
import { readRevertData, startTestDevnet } from "../support/devnet.ts";
import { readBalance } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { sameMeaning } from "../support/signature-forms.ts";
import { deployContractWallet, setFrozen, setPaused } from "../support/wallets.ts";

/** USDG's transfers by signature, as in Paxos's source (EIP-3009). */
const abi = [
  ...erc20Abi,
  ...parseAbi([
    "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
    "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
    "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
    "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
    "event AuthorizationAlreadyUsed(address indexed authorizer, bytes32 indexed nonce)",
    "error ContractPaused()",
    "error AddressFrozen()",
    "error ZeroAddress()",
    "error InsufficientFunds()",
    "error FacetNotFound()",
    "error InvalidSignature()",
    "error AuthorizationInvalid()",
    "error AuthorizationExpired()",
  ]),
] as const;
const usdg = { address: at.usdg, abi } as const;

const payer = getTestAccount(5);
const payee = getTestAccount(6);
const relayer = getTestAccount(7);
const stranger = getTestAccount(8);

/** A contract wallet that the payer's key controls, and that holds USDG. */
let wallet: Hex;

const devnet = startPart(startTestDevnet);
beforeAll(async () => {
  wallet = await deployContractWallet({ client: devnet.client, devnet }, payer, 0n);
});

type Authorization = {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  /** The bounds of the validity time in seconds since the epoch; both bounds are exclusive. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
};

const farAhead = 4_000_000_000n;
let lastNonce = 0n;
const makeNonce = () => numberToHex(++lastNonce, { size: 32 });

function makeAuthorization(change: Partial<Authorization> = {}): Authorization {
  return {
    from: payer.address,
    to: payee.address,
    value: 250_000n,
    validAfter: 0n,
    validBefore: farAhead,
    nonce: makeNonce(),
    ...change,
  };
}

const domain = { name: "Global Dollar", version: "1", chainId: 4663, verifyingContract: at.usdg } as const;
const types = {
  ...authorizationTypes,
  ReceiveWithAuthorization: authorizationTypes.TransferWithAuthorization,
} as const;

type MessageKind = "TransferWithAuthorization" | "ReceiveWithAuthorization";
const sign = (
  message: Authorization,
  { by = payer, as = "TransferWithAuthorization" }: { by?: HDAccount; as?: MessageKind } = {},
) => by.signTypedData({ domain, types, primaryType: as, message });

const listFields = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) =>
  [from, to, value, validAfter, validBefore, nonce] as const;

function splitSignature(signature: Hex): readonly [number, Hex, Hex] {
  return [hexToNumber(slice(signature, 64)), slice(signature, 0, 32), slice(signature, 32, 64)];
}

/** Calldata of a transfer, with v, r and s or with the signature's bytes. */
function encodeTransfer(signed: Authorization, signature: Hex, form: "vrs" | "bytes" = "vrs"): Hex {
  const functionName = "transferWithAuthorization";
  return form === "bytes"
    ? encodeFunctionData({ abi, functionName, args: [...listFields(signed), signature] })
    : encodeFunctionData({ abi, functionName, args: [...listFields(signed), ...splitSignature(signature)] });
}

/** Sends calldata to USDG. Returns the names of the events that USDG emits, with the amount after each `Transfer`. */
async function send(data: Hex, account: HDAccount = relayer): Promise<readonly string[]> {
  const hash = await devnet.client.sendTransaction({ account, to: at.usdg, data, gas: 500_000n });
  const { status, logs } = await devnet.client.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error("It was reverted.");
  return parseEventLogs({ abi, logs }).map((log) =>
    log.eventName === "Transfer" ? `Transfer ${log.args.value}` : log.eventName,
  );
}

/** The name of USDG's error for the calldata; `undefined` if USDG accepts the calldata. `time` is the time of the block. */
async function readRefusal(data: Hex, { from = relayer, time }: { from?: HDAccount; time?: bigint } = {}) {
  const block = time === undefined ? {} : { blockOverrides: { time } };
  const revert = await readRevertData(devnet.client.call({ account: from, to: at.usdg, data, ...block }));
  return revert && decodeErrorResult({ abi, data: revert }).errorName;
}

const isSpent = ({ from, nonce }: Authorization) =>
  devnet.client.readContract({ ...usdg, functionName: "authorizationState", args: [from, nonce] });

test("the devnet's USDG has mainnet's EIP-712 separator, and exposes no more of its domain than mainnet's USDG", async () => {
  const separator = await devnet.client.call({ to: at.usdg, data: toFunctionSelector("DOMAIN_SEPARATOR()") });
  expect(separator.data).toBe("0x7a3d7400b27830f4f91c2c16a082486d67c1befecaec2f53b33f1f35d5b62036");
  expect(await readRefusal(toFunctionSelector("version()"))).toBe("FacetNotFound");
  expect(await readRefusal(toFunctionSelector("eip712Domain()"))).toBe("FacetNotFound");
  expect(toFunctionSelector("FacetNotFound()")).toBe("0x800ab12c");
});

describe("transferWithAuthorization", () => {
  test("transferWithAuthorization moves the amount that the payer signed and spends the nonce, and anybody may submit the call", async () => {
    for (const form of ["vrs", "bytes"] as const) {
      const signed = makeAuthorization();
      const before = await readBalance(devnet, payer.address);
      const received = await readBalance(devnet, payee.address);
      const data = encodeTransfer(signed, await sign(signed), form);
      expect(await isSpent(signed)).toBe(false);
      expect(await send(data, stranger)).toEqual(["AuthorizationUsed", "Transfer 250000"]);
      expect(await isSpent(signed)).toBe(true);
      expect(await readBalance(devnet, payer.address)).toBe(before - 250_000n);
      expect(await readBalance(devnet, payee.address)).toBe(received + 250_000n);
    }
  });

  test("a call of transferWithAuthorization with a spent nonce succeeds, moves no USDG and emits an event, whatever its signature is", async () => {
    const signed = makeAuthorization();
    const signature = await sign(signed);
    await send(encodeTransfer(signed, signature));
    const before = await readBalance(devnet, payer.address);
    expect(await send(encodeTransfer(signed, signature))).toEqual(["AuthorizationAlreadyUsed"]);
    const forged = await sign(signed, { by: stranger });
    expect(await send(encodeTransfer(signed, forged))).toEqual(["AuthorizationAlreadyUsed"]);
    expect(await readBalance(devnet, payer.address)).toBe(before);
  });

  test("transferWithAuthorization is valid strictly between the two times in the authorization", async () => {
    const signed = makeAuthorization({ validAfter: 2_000_000_000n, validBefore: 2_000_000_300n });
    const data = encodeTransfer(signed, await sign(signed));
    expect(await readRefusal(data, { time: 2_000_000_000n })).toBe("AuthorizationInvalid");
    expect(await readRefusal(data, { time: 2_000_000_001n })).toBeUndefined();
    expect(await readRefusal(data, { time: 2_000_000_299n })).toBeUndefined();
    expect(await readRefusal(data, { time: 2_000_000_300n })).toBe("AuthorizationExpired");
  });

  test("transferWithAuthorization is refused if a signed value was changed, or if another account signed", async () => {
    const signed = makeAuthorization();
    const signature = await sign(signed);
    for (const change of [
      { from: stranger.address },
      { to: stranger.address },
      { value: 250_001n },
      { validAfter: 1n },
      { validBefore: farAhead + 1n },
      { nonce: makeNonce() },
    ]) {
      expect(await readRefusal(encodeTransfer({ ...signed, ...change }, signature))).toBe("InvalidSignature");
    }
    for (const wrong of [
      await sign(signed, { by: stranger }),
      await sign(signed, { as: "ReceiveWithAuthorization" }),
      // The same signature with the other possible value of s; plain ECDSA accepts both values.
      sameMeaning["the high s"](signature),
    ]) {
      expect(await readRefusal(encodeTransfer(signed, wrong))).toBe("InvalidSignature");
      expect(await readRefusal(encodeTransfer(signed, wrong, "bytes"))).toBe("InvalidSignature");
    }
    expect(await readRefusal(encodeTransfer(signed, "0x", "bytes"))).toBe("InvalidSignature");
    expect(await readRefusal(encodeTransfer(signed, signature))).toBeUndefined();
  });

  test("transferWithAuthorization obeys the rules of every transfer, and a refused transfer leaves the nonce unspent", async () => {
    const signed = makeAuthorization();
    const data = encodeTransfer(signed, await sign(signed));
    for (const frozen of [payer.address, payee.address]) {
      await setFrozen(devnet, frozen, true);
      expect(await readRefusal(data)).toBe("AddressFrozen");
      await setFrozen(devnet, frozen, false);
    }
    await setPaused(devnet, true);
    expect(await readRefusal(data)).toBe("ContractPaused");
    await setPaused(devnet, false);
    const dear = makeAuthorization({ value: (await readBalance(devnet, payer.address)) + 1n });
    expect(await readRefusal(encodeTransfer(dear, await sign(dear)))).toBe("InsufficientFunds");
    const lost = makeAuthorization({ to: zeroAddress });
    expect(await readRefusal(encodeTransfer(lost, await sign(lost)))).toBe("ZeroAddress");
    expect(await isSpent(signed)).toBe(false);
    expect(await send(data)).toEqual(["AuthorizationUsed", "Transfer 250000"]);
  });

  test("transferWithAuthorization asks a contract wallet whether its signature is valid (ERC-1271), and accepts the signature of a plain account with code (EIP-7702)", async () => {
    for (const form of ["vrs", "bytes"] as const) {
      const signed = makeAuthorization({ from: wallet });
      expect(await send(encodeTransfer(signed, await sign(signed), form))).toContain("AuthorizationUsed");
      const forged = makeAuthorization({ from: wallet });
      const signature = await sign(forged, { by: stranger });
      expect(await readRefusal(encodeTransfer(forged, signature, form))).toBe("InvalidSignature");
    }
    const delegate = (await devnet.client.getCode({ address: at.multicall3 })) ?? "0x";
    await devnet.client.setCode({ address: payer.address, bytecode: delegate });
    const signed = makeAuthorization();
    expect(await send(encodeTransfer(signed, await sign(signed)))).toContain("AuthorizationUsed");
    await devnet.client.setCode({ address: payer.address, bytecode: "0x" });
  });
});
