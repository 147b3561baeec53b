import type { HDAccount } from "viem/accounts";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { beforeAll, expect, test } from "vitest";
import { erc20Abi } from "../../core/chain/abi.ts";
import { type Address, lower } from "../../core/chain/hex.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { startTarget } from "../support/attacked.ts";
import type { PayPath } from "../support/http-payer.ts";
import { identityRegistry, permit2, readBalance, send, treasury, usdg } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { makeWallet, setFrozen } from "../support/wallets.ts";

/**
 * The platform charges its fee before the rest of the price. The platform must not charge the fee if the payer can never pay the rest of
 * the price.
 */
let pressId: number;

const owner = getTestAccount(4);
const buyer = getTestAccount(5);
const [price, fee] = [250_000n, 25_000n];

const registryAbi = parseAbi(["function transferFrom(address from, address to, uint256 tokenId)"]);

const attacked = startPart(() => startTarget({ gasPrice: 10_000_000n }));
beforeAll(async () => {
  pressId = await attacked.press(owner, price);
});

/** Makes a new wallet with USDG. Permit2 is allowed to move at most `allowance` base units from the wallet. */
async function makeReader(balance: bigint, allowance: bigint): Promise<HDAccount> {
  const account = await makeWallet(attacked, balance);
  await attacked.chain.setBalance({ address: account.address, value: 10n ** 18n });
  const approval = { abi: erc20Abi, functionName: "approve", args: [permit2, allowance] } as const;
  await send(attacked, account, usdg, encodeFunctionData(approval));
  return account;
}

const pay = (account: HDAccount, leg: PayPath, id = pressId) =>
  attacked.payFrom(lower(account.address), leg, id, account);

/**
 * Expects that the fee is refused with `code` and with an error text that contains the words in `said`, and that no USDG is transferred.
 */
async function expectNothingTaken(account: HDAccount, code: string, said: readonly string[], id = pressId) {
  const holds = () =>
    Promise.all([lower(account.address), treasury].map((one) => readBalance(attacked, one)));
  const before = await holds();
  const answer = await pay(account, "treasury", id);
  expect(await holds()).toEqual(before);
  expect(answer).toMatchObject({ status: 402, code });
  for (const words of said) expect(answer.error).toContain(words);
}

async function runWhileFrozen(account: Address, work: () => Promise<void>): Promise<void> {
  await setFrozen(attacked, account, true);
  try {
    await work();
  } finally {
    await setFrozen(attacked, account, false);
  }
}

test.each([
  ["only the fee", fee, "0.225"],
  ["all but one base unit", price - 1n, "0.000001"],
] as const)(
  "a wallet that holds %s is not charged, and the refusal says how much of the whole price the wallet lacks",
  async (_, holds, lack) => {
    const account = await makeReader(holds, price);
    await expectNothingTaken(account, "permit2_insufficient_balance", ["0.25 USDG", `${lack} USDG`]);
  },
);

test("if a wallet lets Permit2 move one base unit less than the price, the wallet is not charged, and the refusal says how much to approve", async () => {
  const account = await makeReader(price, price - 1n);
  await expectNothingTaken(account, "permit2_allowance_required", ["0.25 USDG"]);
});

test("no fee is taken for a press whose owner cannot receive USDG", async () => {
  const account = await makeReader(price, price);
  const publisher = lower(owner.address);
  await runWhileFrozen(publisher, () => expectNothingTaken(account, "permit2_simulation_failed", ["owner"]));
});

test("no fee is taken for a press whose new owner cannot receive USDG, although its first owner can receive USDG", async () => {
  const account = await makeReader(price, price);
  const sold = await attacked.press(owner, price);
  const args = [owner.address, buyer.address, BigInt(sold)] as const;
  const sale = encodeFunctionData({ abi: registryAbi, functionName: "transferFrom", args });
  await send(attacked, owner, identityRegistry, sale);
  await runWhileFrozen(lower(buyer.address), () =>
    expectNothingTaken(account, "permit2_simulation_failed", ["owner"], sold),
  );
  // After the sale of a press's NFT, it does not matter if the first owner's account is frozen.
  await runWhileFrozen(lower(owner.address), async () => {
    expect(await pay(account, "treasury", sold)).toMatchObject({ status: 200 });
    expect(await pay(account, "publisher", sold)).toMatchObject({ status: 200 });
  });
});

test("a wallet whose balance and allowance are exactly the price can pay both the fee and the rest", async () => {
  const account = await makeReader(price, price);
  expect(await pay(account, "treasury")).toMatchObject({ status: 200 });
  expect(await pay(account, "publisher")).toMatchObject({ status: 200 });
  expect(await readBalance(attacked, lower(account.address))).toBe(0n);
});
