import { encodeFunctionData, hashTypedData, parseAbi } from "viem";
import { createSiweMessage } from "viem/siwe";
import { describe, expect, test, vi } from "vitest";
import { makeAuthorizationData } from "../../../client/signing.ts";
import { computeServiceTime, fetchBody } from "../../../web/src/api/request.ts";
import {
  allowCall,
  allowSignIn,
  allowTransfer,
  encodeMove,
  type ShownRequest,
  type SigningRules,
} from "../../../web/src/purse/allow.ts";
import { findRecipientFault } from "../../../web/src/purse/move.tsx";

const address = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955";
const payee = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const stranger = "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f";
const rules: SigningRules = {
  address,
  chainId: 4663,
  token: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
  identityRegistry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  reputationRegistry: "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63",
  origin: "https://press-market.example",
};
const now = Date.parse("2026-11-24T12:00:00Z");
const seconds = now / 1000;

describe("a purse checks a sign-in message before it signs", () => {
  const fields = {
    address,
    chainId: 4663,
    domain: "press-market.example",
    uri: "https://press-market.example",
    version: "1",
    nonce: "abcdefgh12345678",
    statement:
      "Sign in to read what you have unlocked and to publish. This costs nothing and moves no money.",
    issuedAt: new Date(now),
    expirationTime: new Date(now + 10 * 60_000),
  } as const;

  test("a purse signs this site's sign-in message", () => {
    expect(allowSignIn(createSiweMessage(fields), rules, now)).toBeUndefined();
  });

  test("if this computer's clock is two hours slow, a purse uses the service's time, which only an answer to a POST request shows", async () => {
    vi.setSystemTime(now - 2 * 60 * 60_000);
    const makeFetchAt = (time: number) => async () =>
      new Response("{}", { headers: { date: new Date(time).toUTCString() } });
    vi.stubGlobal("fetch", makeFetchAt(now));
    await fetchBody("/api/auth/nonce", { method: "POST" });
    vi.stubGlobal("fetch", makeFetchAt(now - 24 * 60 * 60_000));
    await fetchBody("/api/discovery", {});
    expect(allowSignIn(createSiweMessage(fields), rules)).toBeUndefined();
    expect(computeServiceTime()).toBe(seconds);
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test.each([
    ["another site", { domain: "evil.example" }],
    ["another site that names this one's address", { domain: "evil.example", uri: rules.origin }],
    ["a subdomain", { domain: "www.press-market.example" }],
    ["another port", { domain: "press-market.example:8443" }],
    ["another address of the net", { uri: "https://press-market.example.evil.example/" }],
    ["another chain", { chainId: 1 }],
    ["another purse", { address: stranger }],
    ["a day", { expirationTime: new Date(now + 24 * 60 * 60_000) }],
    ["ever", { expirationTime: undefined }],
  ] as const)(
    "a purse refuses a sign-in message with a wrong site, chain, purse or time: %s",
    (_, changes) => {
      expect(() => allowSignIn(createSiweMessage({ ...fields, ...changes }), rules, now)).toThrow(
        "A purse signs only",
      );
    },
  );

  test.each([
    "",
    "Hello",
    "0xdeadbeef",
    `I give everything away.\n\n${createSiweMessage(fields)}`,
    `\u0019Ethereum Signed Message:\n32`,
  ])("a purse refuses the text %j as a sign-in message", (message) => {
    expect(() => allowSignIn(message, rules, now)).toThrow("A purse signs only");
  });
});

const payment = {
  chainId: 4663,
  token: rules.token,
  name: "Global Dollar",
  version: "1",
  from: address,
  to: payee,
  amount: "450000",
  nonce: `0x${"1".repeat(64)}`,
  until: String(seconds + 300),
} as const;
const shown: ShownRequest = {
  kind: "payments",
  payments: [
    { to: payee, amount: "450000" },
    { to: stranger, amount: "50000" },
  ],
  now: seconds,
};

describe("a purse checks a transfer of USDG before it signs", () => {
  test("a purse signs exactly the transfer of USDG that the page shows, with the types of EIP-3009", () => {
    const { typed } = makeAuthorizationData(payment);
    expect(allowTransfer(typed, rules, shown)).toBe(hashTypedData(typed));
    expect(allowTransfer({ ...typed, types: { ...typed.types, EIP712Domain: [] } }, rules, shown)).toBe(
      hashTypedData(typed),
    );
  });

  test.each([
    ["another amount", { amount: "450001" }],
    ["another recipient", { to: "0x0000000000000000000000000000000000000bad" }],
    ["the other part's recipient", { to: stranger }],
    ["another payer", { from: stranger }],
    ["another chain", { chainId: 1 }],
    ["another token", { token: rules.identityRegistry }],
    ["a day", { until: String(seconds + 24 * 60 * 60) }],
  ] as const)(
    "a transfer of USDG with a wrong amount, wallet, chain, token or time is refused: %s",
    (_, changes) => {
      const { typed } = makeAuthorizationData({ ...payment, ...changes });
      expect(() => allowTransfer(typed, rules, shown)).toThrow("A purse signs only");
    },
  );

  test("a purse refuses a transfer of USDG by signature if the page shows no payment, or shows more than the two parts of a price", () => {
    const { typed } = makeAuthorizationData(payment);
    expect(() => allowTransfer(typed, rules, undefined)).toThrow("A purse signs only");
    const three = { ...shown, payments: [...shown.payments, { to: payee, amount: "1" }] };
    expect(() => allowTransfer(typed, rules, three)).toThrow("A purse signs only");
  });

  test.each([
    "Permit",
    "PermitWitnessTransferFrom",
    "ReceiveWithAuthorization",
    "CancelAuthorization",
    "Mail",
  ])("a purse refuses to sign a transfer of USDG whose type is %s", (primaryType) => {
    const { typed } = makeAuthorizationData(payment);
    const renamed = {
      ...typed,
      primaryType,
      types: { [primaryType]: typed.types.TransferWithAuthorization },
    };
    expect(() => allowTransfer(renamed, rules, shown)).toThrow("A purse signs only");
  });
});

describe("a purse checks a transaction before it signs", () => {
  const feedback = encodeFunctionData({
    abi: parseAbi(["function giveFeedback(uint256, int128, uint8, string, string, string, string, bytes32)"]),
    args: [1n, 1n, 0, "", "", "https://press-market.example/press/a", "", `0x${"0".repeat(64)}`],
  });
  const registration = encodeFunctionData({
    abi: parseAbi(["function register(string)"]),
    args: ["https://press-market.example/api/meta/1"],
  });
  const move: ShownRequest = { kind: "move", to: stranger, amount: "9000000" };

  const makeShownCall = (to: string, data: `0x${string}`): ShownRequest => ({ kind: "call", to, data });

  test("a purse sends a transaction only for the vote, the mint or the transfer of money that the page shows", () => {
    for (const [to, data] of [
      [rules.reputationRegistry, feedback],
      [rules.identityRegistry, registration],
    ] as const) {
      expect(allowCall({ to, data }, rules, makeShownCall(to, data)).data).toBe(data);
      for (const other of [undefined, move, makeShownCall(to, `${data}00`), makeShownCall(stranger, data)]) {
        expect(() => allowCall({ to, data }, rules, other)).toThrow("A purse signs only");
      }
    }
    const data = encodeMove(stranger, "9000000");
    // The gas values in a request are ignored, because the purse chooses the gas price itself.
    const priced = { to: rules.token, data, gas: "0xffffff", gasPrice: "0xffffff", maxFeePerGas: "0xffffff" };
    expect(allowCall(priced, rules, move)).toEqual({ to: rules.token, data });
  });

  const approval = encodeFunctionData({
    abi: parseAbi(["function approve(address, uint256)"]),
    args: [stranger, 1n],
  });
  test.each([
    ["an approval", rules.token, approval],
    ["a vote at another contract", stranger, feedback],
    ["a mint at the reputation registry", rules.reputationRegistry, registration],
    ["a move", rules.token, encodeMove(stranger, "9000000")],
  ] as const)("a purse refuses to send %s, even if the page shows it as a vote or a mint", (_, to, data) => {
    expect(() => allowCall({ to, data }, rules, makeShownCall(to, data))).toThrow("A purse signs only");
  });

  test.each([
    ["ETH", { to: stranger, data: "0x", value: "0x1" }],
    ["ETH beside a vote", { to: rules.reputationRegistry, data: feedback, value: "0x1" }],
    ["a contract's creation", { data: feedback }],
    ["more than was shown", { to: rules.token, data: encodeMove(stranger, "9000001") }],
    ["another recipient than was shown", { to: rules.token, data: encodeMove(payee, "9000000") }],
    ["bytes behind the move", { to: rules.token, data: `${encodeMove(stranger, "9000000")}00` }],
  ] as const)("a transaction is refused for %s", (_, call) => {
    expect(() => allowCall(call, rules, move)).toThrow("A purse signs only");
  });

  test("a purse refuses a transaction that moves money if the page shows only payments or nothing", () => {
    const payment = { to: rules.token, data: encodeMove(payee, "450000") };
    for (const other of [shown, undefined]) {
      expect(() => allowCall(payment, rules, other)).toThrow("A purse signs only");
    }
  });
});

test.each([
  ["the own address in small letters", address.toLowerCase(), "own address"],
  ["the USDG token", rules.token, "address of the USDG token"],
  ["a mistyped digit", payee.replace(/5$/, "6"), "contains a mistake"],
  ["a correct address", payee, undefined],
  ["a correct address in small letters", payee.toLowerCase(), undefined],
  ["a correct address in capital letters", `0x${payee.slice(2).toUpperCase()}`, undefined],
])("a purse refuses only itself, the USDG token and mistyped addresses as recipients: %s", (_, to, fault) => {
  const says = findRecipientFault(to, address, rules.token);
  expect(says).toEqual(fault && expect.stringContaining(fault));
});
