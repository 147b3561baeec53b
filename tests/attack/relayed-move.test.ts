import type { HDAccount } from "viem/accounts";
import { numberToHex } from "viem/utils";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { mainnet, usdgDomain } from "../../core/chain/deployment.ts";
import { authorizationTypes, encodeSettleCall } from "../../core/chain/eip3009.ts";
import { type Hex, lower } from "../../core/chain/hex.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { startTarget } from "../support/attacked.ts";
import { readBalance } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { makeAccount, makeWallet } from "../support/wallets.ts";

/**
 * Our service moves the USDG of a wallet to the address that the wallet has signed. The service pays the gas up to the amount of the fees
 * that the wallet has paid. The attackers in these tests want more gas than their fees pay for, or another wallet's money. A unit of gas
 * costs a tenth of a gwei, and an ETH costs 3,000 USDG.
 */
const author = getTestAccount(5);
const { usdg } = mainnet.contracts;
let pressId: number;

const attacked = startPart(() =>
  startTarget({
    environment: { GAS_ALLOWANCE_USDG: "0.25", ETH_PRICE_USDG: "3000", POWERTOOLS_LOG_LEVEL: "ERROR" },
  }),
);
beforeAll(async () => {
  pressId = await attacked.press(author, 4_000_000n);
});

const makeFundedWallet = () => makeWallet(attacked, 10_000_000n);

/** A wallet that has bought a press at 4 USDG and has therefore paid 0.40 USDG of fees, which are the wallet's credit for gas. */
async function makeReader(): Promise<HDAccount> {
  const account = await makeFundedWallet();
  for (const leg of ["treasury", "publisher"] as const) {
    expect((await attacked.http.payByTransfer(account, leg, pressId)).status).toBe(200);
  }
  return account;
}

const readRemaining = (account: { readonly address: Hex }) => readBalance(attacked, lower(account.address));

const readTime = () => BigInt(Math.floor(Date.now() / 1000));
let nonces = 0;

async function makeAuthorization(
  account: HDAccount,
  to: Hex,
  changes: { readonly value?: bigint; readonly life?: bigint } = {},
) {
  nonces += 1;
  return {
    from: account.address,
    to,
    value: changes.value ?? (await readRemaining(account)),
    validAfter: 0n,
    validBefore: readTime() + (changes.life ?? 300n),
    nonce: numberToHex(BigInt(Date.now()) * 1_000n + BigInt(nonces), { size: 32 }),
  };
}
type SignedMove = Awaited<ReturnType<typeof makeAuthorization>>;

function sign(account: HDAccount, message: SignedMove, domain: object = {}): Promise<Hex> {
  return account.signTypedData({
    domain: { ...usdgDomain, chainId: mainnet.chainId, verifyingContract: usdg, ...domain },
    types: authorizationTypes,
    primaryType: "TransferWithAuthorization",
    message,
  });
}

const Said = z.object({
  moved: z.boolean().optional(),
  tx: z.string().optional(),
  already: z.boolean().optional(),
  costUnits: z.string().optional(),
  code: z.string().optional(),
});

async function sendMove(message: SignedMove, signature?: Hex) {
  const texts = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]));
  const sent = { body: { authorization: texts, signature } };
  const { status, body } = await attacked.http.ask("/api/move", sent);
  return { status, ...Said.parse(body) };
}

const readBlockNumber = () => attacked.chain.getBlockNumber({ cacheTime: 0 });
const makeAddress = () => makeAccount().address;

test("a wallet with enough credit for gas moves all its USDG with one signature and without ETH, and repeats of the request move nothing more", async () => {
  const account = await makeReader();
  const to = makeAddress();
  const message = await makeAuthorization(account, to);
  const before = await readBlockNumber();
  const offer = await sendMove(message);
  expect(offer).toMatchObject({ status: 200, moved: false });
  expect(await attacked.computeSpent(before)).toMatchObject({ units: 0, sent: 0 });
  const signature = await sign(account, message);
  const done = await sendMove(message, signature);
  expect(done).toMatchObject({ status: 200, moved: true });
  expect([await readRemaining(account), await readRemaining({ address: to })]).toEqual([0n, message.value]);
  // Repeats of a request get the same answer and send nothing, even if the repeats are simultaneous.
  const again = await Promise.all([1, 2, 3].map(() => sendMove(message, signature)));
  for (const answer of again) expect(answer).toMatchObject({ status: 200, tx: done.tx, already: true });
  const { units, sent } = await attacked.computeSpent(before);
  expect(sent).toBe(1);
  expect(units).toBeLessThanOrEqual(Number(offer.costUnits));
});

test("a signature that was made by another wallet, or for another recipient, amount, chain or token, moves nothing", async () => {
  const account = await makeReader();
  const message = await makeAuthorization(account, makeAddress());
  const before = await readBlockNumber();
  const signature = await sign(account, message);
  const answers = await Promise.all([
    sendMove(message, await sign(getTestAccount(6), message)),
    sendMove({ ...message, to: getTestAccount(6).address }, signature),
    sendMove({ ...message, value: message.value - 1n }, signature),
    sendMove({ ...message, from: getTestAccount(6).address }, signature),
    sendMove(message, await sign(account, message, { chainId: 1 })),
    sendMove(message, await sign(account, message, { verifyingContract: mainnet.contracts.permit2 })),
    sendMove(message, `0x${"0".repeat(130)}`),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 401, code: "invalid_signature" });
  expect(await attacked.computeSpent(before)).toMatchObject({ units: 0, sent: 0 });
  expect(await readRemaining(account)).toBe(message.value);
});

test("an authorization that has expired, expires soon, is not valid yet, or lasts more than ten minutes is refused", async () => {
  const account = await makeReader();
  for (const life of [-1n, 5n, 700n]) {
    const message = await makeAuthorization(account, makeAddress(), { life });
    const answer = await sendMove(message, await sign(account, message));
    expect(answer).toMatchObject({ status: 400, code: "authorization_not_valid" });
  }
  const early = { ...(await makeAuthorization(account, makeAddress())), validAfter: readTime() + 60n };
  expect(await sendMove(early, await sign(account, early))).toMatchObject({
    code: "authorization_not_valid",
  });
});

test("a move whose nonce is already spent is refused and gets no gas", async () => {
  const account = await makeReader();
  const to = makeAddress();
  const message = await makeAuthorization(account, to, { value: 1_000_000n });
  const signature = await sign(account, message);
  const spent = { ...message, token: usdg, amount: message.value, nonce: BigInt(message.nonce) };
  const data = encodeSettleCall({ ...spent, from: lower(spent.from), to: lower(to) }, signature);
  await attacked.chain.sendTransactionSync({ account: getTestAccount(6), to: usdg, data });
  const before = await readBlockNumber();
  expect(await sendMove(message, signature)).toMatchObject({ status: 409, code: "authorization_used" });
  expect(await sendMove(message)).toMatchObject({ status: 409, code: "authorization_used" });
  expect(await attacked.computeSpent(before)).toMatchObject({ units: 0, sent: 0 });
  expect(await readRemaining({ address: to })).toBe(1_000_000n);
});

test("an amount of zero, or an amount above the balance, is refused before anything is sent or reserved", async () => {
  const account = await makeReader();
  const before = await readBlockNumber();
  for (const value of [(await readRemaining(account)) + 1n, 0n]) {
    const message = await makeAuthorization(account, makeAddress(), { value });
    const answer = await sendMove(message, await sign(account, message));
    expect(answer).toMatchObject({ status: 409, code: "move_refused" });
  }
  expect(await attacked.computeSpent(before)).toMatchObject({ units: 0, sent: 0 });
  const message = await makeAuthorization(account, makeAddress());
  expect(await sendMove(message, await sign(account, message))).toMatchObject({ moved: true });
});

test("wallets that have paid no fee get no gas for a move, no matter how many wallets ask", async () => {
  const before = await readBlockNumber();
  for (let wallet = 0; wallet < 3; wallet += 1) {
    const account = await makeFundedWallet();
    const message = await makeAuthorization(account, makeAddress());
    expect(await sendMove(message)).toMatchObject({ status: 409, code: "move_without_credit" });
    const answer = await sendMove(message, await sign(account, message));
    expect(answer).toMatchObject({ status: 409, code: "move_without_credit" });
  }
  expect(await attacked.computeSpent(before)).toMatchObject({ units: 0, sent: 0 });
});

test("a wallet can move its USDG until its credit for gas is spent, and gets no gas beyond the credit", async () => {
  const before = await readBlockNumber();
  const account = await makeReader();
  const reads = await attacked.computeSpent(before);
  const since = await readBlockNumber();
  let moved = 0;
  let last = await sendMove(await makeAuthorization(account, makeAddress(), { value: 1n }));
  while (last.status === 200 && moved < 20) {
    const message = await makeAuthorization(account, makeAddress(), { value: 1n });
    last = await sendMove(message, await sign(account, message));
    if (last.moved === true) moved += 1;
  }
  const { units, sent } = await attacked.computeSpent(since);
  console.info(
    `${moved} moves took ${units} units of gas, of 400000 units of fees less ${reads.units} for reads.`,
  );
  expect(last).toMatchObject({ status: 409, code: "move_without_credit" });
  expect(moved).toBeGreaterThan(1);
  expect(sent).toBe(moved);
  expect(reads.units + units).toBeLessThanOrEqual(400_000);
  // When the wallet buys another press, the fee is added to the wallet's credit for gas. Credit that the wallet has already spent is not
  // given again.
  expect(await sendMove(await makeAuthorization(account, makeAddress()))).toMatchObject({
    code: "move_without_credit",
  });
});

test.each([
  ["first", 0],
  ["later", 1],
])(
  "if a wallet asks for several %s moves at once, one move is sent and the other moves use no gas",
  async (_, earlier) => {
    const account = await makeReader();
    for (let moved = 0; moved < earlier; moved += 1) {
      const message = await makeAuthorization(account, makeAddress(), { value: 1n });
      expect(await sendMove(message, await sign(account, message))).toMatchObject({ status: 200 });
    }
    const messages = await Promise.all(
      Array.from({ length: 4 }, () => makeAuthorization(account, makeAddress())),
    );
    const signed = await Promise.all(
      messages.map(async (message) => ({ message, signature: await sign(account, message) })),
    );
    const before = await readBlockNumber();
    const answers = await Promise.all(
      [...signed, ...signed].map(({ message, signature }) => sendMove(message, signature)),
    );
    const won = new Set(answers.flatMap(({ tx }) => tx ?? []));
    expect(won.size).toBe(1);
    for (const { status, code } of answers.filter(({ tx }) => tx === undefined)) {
      expect(`${status} ${code}`).toMatch(/^(503 settlement_pending|409 move_refused)$/);
    }
    expect((await attacked.computeSpent(before)).sent).toBe(1);
    expect(await readRemaining(account)).toBe(0n);
  },
);
