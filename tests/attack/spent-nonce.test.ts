import { parseSignature } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../core/adapter/system.ts";
import { mainnet, usdgDomain } from "../../core/chain/deployment.ts";
import { type Press, parts, type Reader, startBearers } from "../support/bearers.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { authorize, encodeInvalidation, permit2, send, usdg } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";

/**
 * The attacker spends a nonce of his own wallet and then signs our terms with the spent nonce. No event on the chain names the payment that
 * used the nonce, so the service searches the earlier blocks. The attacker must not be able to cause this expensive search repeatedly for
 * free.
 */
let press: Press;
let twin: Press;

const world = startPart(startBearers);
beforeAll(async () => {
  [press, twin] = world.presses;
});
afterEach(() => {
  vi.restoreAllMocks();
  world.door.pruneState(Number.POSITIVE_INFINITY);
  world.door.withholdLogs(false);
});

const { chainId } = mainnet;

const transferAbi = parseAbi([
  "struct TokenPermissions { address token; uint256 amount; }",
  "struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }",
  "struct SignatureTransferDetails { address to; uint256 requestedAmount; }",
  "function permitTransferFrom(PermitTransferFrom permit, SignatureTransferDetails details, address owner, bytes signature)",
]);

/** Spends a nonce by a Permit2 transfer of zero USDG to the nonce's owner, so that no event shows that the nonce is spent. */
async function burnNonce({ account, wallet }: Reader, nonce: bigint): Promise<void> {
  const permitted = { token: usdg, amount: 0n };
  const deadline = BigInt(Math.floor(systemClock.now() / 1000) + 300);
  const signature = await account.signTypedData({
    domain: { name: "Permit2", chainId, verifyingContract: permit2 },
    types: {
      PermitTransferFrom: [
        { name: "permitted", type: "TokenPermissions" },
        { name: "spender", type: "address" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
      ],
      TokenPermissions: [
        { name: "token", type: "address" },
        { name: "amount", type: "uint256" },
      ],
    },
    primaryType: "PermitTransferFrom",
    message: { permitted, spender: account.address, nonce, deadline },
  });
  const details = { to: wallet, requestedAmount: 0n };
  const args = [{ permitted, nonce, deadline }, details, wallet, signature] as const;
  const data = encodeFunctionData({ abi: transferAbi, functionName: "permitTransferFrom", args });
  await send(world, account, permit2, data);
}

let nonces = 0n;
const makeNonce = () => (BigInt(Date.now()) << 80n) + (nonces++ << 8n);

const signAnother = {
  status: 402,
  body: { code: "permit2_invalid_nonce", error: expect.stringContaining("new nonce") },
};
const pending = makeRefusal(503, "settlement_pending");

/**
 * Sends one request. Returns the answer, and how many calls about the reader's wallet the service made to the node. Batches that do not
 * name the wallet are not counted, because they may come from the service's scheduled jobs.
 */
async function measureCost({ wallet }: Reader, part: keyof typeof parts, header: string) {
  const batches: string[] = [];
  world.door.refuse((body) => {
    if (body.toLowerCase().includes(wallet.slice(2))) batches.push(body);
    return false;
  });
  const answer = await world.request(press, part, header);
  const calls = batches.flatMap((body) => body.match(/"method":"\w+"/g) ?? []);
  const logs = calls.filter((call) => call.includes("eth_getLogs")).length;
  return { answer, batches: batches.length, calls: calls.length, logs };
}

describe.each(["treasury", "publisher"] as const)(
  "a nonce's owner has spent the nonce without an event (%s)",
  (part) => {
    test("the service searches the chain once for a nonce that was spent without an event, and afterwards refuses every payment with that nonce almost without cost", async () => {
      const reader = await world.makeReader(...(part === "publisher" ? [press] : []));
      const nonce = makeNonce();
      await burnNonce(reader, nonce);
      const { header } = await world.sign(reader, press, part, { nonce });
      const first = await measureCost(reader, part, header);
      expect(first.answer).toMatchObject(signAnother);
      expect(first.logs).toBeGreaterThan(0);
      for (let repeat = 0; repeat < 5; repeat += 1) {
        const { answer, batches, calls, logs } = await measureCost(reader, part, header);
        expect(answer).toMatchObject(signAnother);
        expect({ logs, few: batches <= 1 && calls <= 3 }).toEqual({ logs: 0, few: true });
      }
      // A payment with the same nonce but a later deadline still counts as the same payment.
      const again = await world.sign(reader, press, part, { nonce });
      const { answer, calls } = await measureCost(reader, part, again.header);
      expect(answer).toMatchObject(signAnother);
      expect(calls).toBeLessThanOrEqual(3);
      const { header: fresh } = await world.sign(reader, press, part);
      expect(await world.request(press, part, fresh)).toMatchObject({ status: 200 });
    });
  },
);

test("if a node has no old state, the service believes the node only when the node's logs are certain to be complete", async () => {
  const reader = await world.makeReader(press);
  const nonce = makeNonce();
  const { header } = await world.sign(reader, press, "publisher", { nonce });
  await burnNonce(reader, nonce);
  await world.client.mine({ blocks: 8 });
  world.door.pruneState(4);
  expect(await world.request(press, "publisher", header)).toMatchObject(pending);
  await world.passTime(20);
  await world.client.mine({ blocks: 2 });
  expect(await world.request(press, "publisher", header)).toMatchObject(signAnother);
  expect(await measureCost(reader, "publisher", header)).toMatchObject({ answer: signAnother, logs: 0 });
});

test.each(["openly", "hidden"] as const)(
  "if a stranger has settled a permit (%s) while the node shows no logs, the permit is not refused, and counts as paid when the logs appear",
  async (how) => {
    const reader = await world.makeReader(press);
    const payment = await world.sign(reader, press, "publisher");
    await (how === "openly" ? world.settle(payment) : world.settleHidden(payment));
    world.door.withholdLogs(true);
    for (const _ of [1, 2]) {
      expect(await world.request(press, "publisher", payment.header)).toMatchObject(pending);
    }
    world.door.withholdLogs(false);
    expect(await world.request(press, "publisher", payment.header)).toMatchObject(
      makeRefusal(409, "already_unlocked"),
    );
    expect(await world.listCharges(reader)).toEqual([parts.publisher]);
  },
);

test("the service remembers the refusal of a nonce only for the refused amount and payee, because the nonce may have paid another payee", async () => {
  const reader = await world.makeReader(press);
  const payment = await world.sign(reader, press, "publisher");
  await world.settleHidden(payment);
  // The wallet has paid the first press's publisher with a nonce. The wallet signs the payment of another press's fee with the same nonce.
  const { nonce } = payment.permit;
  const { header: other } = await world.sign(reader, twin, "treasury", { nonce });
  for (const _ of [1, 2]) {
    expect(await world.request(twin, "treasury", other)).toMatchObject(signAnother);
  }
  expect(await world.request(press, "publisher", payment.header)).toMatchObject(
    makeRefusal(409, "already_unlocked"),
  );
  expect(await world.listCharges(reader)).toEqual([parts.publisher]);
});

const cancelAbi = parseAbi([
  "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/** A payment by EIP-3009. The payer cancels the nonce of this payment on the chain. */
async function makeCancellingPayment(reader: Reader) {
  const { header, said } = await world.signAuthorization(reader, press, "publisher");
  const signature = await reader.account.signTypedData({
    domain: { ...usdgDomain, chainId, verifyingContract: usdg },
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "CancelAuthorization",
    message: { authorizer: reader.wallet, nonce: said.nonce },
  });
  const { r, s, yParity } = parseSignature(signature);
  const args = [reader.wallet, said.nonce, 27 + yParity, r, s] as const;
  const data = encodeFunctionData({ abi: cancelAbi, functionName: "cancelAuthorization", args });
  return { header, cancel: () => send(world, reader.account, usdg, data) };
}

const refused = makeRefusal(402, "invalid_exact_evm_nonce_already_used");

/** Expects that an authorization with a spent nonce is refused, and that a repeated request costs the service almost nothing. */
async function expectCheapRefusal(reader: Reader, header: string) {
  expect(await world.request(press, "publisher", header)).toMatchObject(refused);
  const { answer, batches, calls } = await measureCost(reader, "publisher", header);
  expect(answer).toMatchObject(refused);
  expect(batches).toBeLessThanOrEqual(1);
  expect(calls).toBeLessThanOrEqual(3);
}

describe("a payer cancels an authorization", () => {
  test("if an authorization is cancelled before it is presented, the payer is not charged, and a repeated request costs the service almost nothing", async () => {
    const reader = await world.makeReader(press);
    const { header, cancel } = await makeCancellingPayment(reader);
    await cancel();
    await expectCheapRefusal(reader, header);
    expect(await world.listCharges(reader)).toEqual([]);
  });

  test("if an authorization is cancelled between our check and our broadcast, the payer gets no text and is not charged, and a fresh authorization pays once", async () => {
    const reader = await world.makeReader(press);
    const { header, cancel } = await makeCancellingPayment(reader);
    world.door.before("eth_sendRawTransactionSync", cancel);
    const answer = await world.request(press, "publisher", header);
    expect(answer).toMatchObject(refused);
    expect(await world.listCharges(reader)).toEqual([]);
    const { header: fresh } = await world.signAuthorization(reader, press, "publisher");
    expect(await world.request(press, "publisher", fresh)).toMatchObject({
      status: 200,
      body: { body: press.text },
    });
    expect(await world.listCharges(reader)).toEqual([parts.publisher]);
  });

  test("if a stranger settles an authorization while its payer cancels it, the payer is charged at most once, and a charged payer gets the text", async () => {
    const reader = await world.makeReader(press);
    const { header, cancel } = await makeCancellingPayment(reader);
    const paying = world.request(press, "publisher", header);
    await cancel().catch(() => undefined);
    const answer = await paying;
    const charged = await world.listCharges(reader);
    expect(answer).toMatchObject(charged.length === 1 ? { status: 200 } : refused);
    expect(charged.length).toBeLessThanOrEqual(1);
  });
});

test("an authorization is refused if its nonce has paid another payee, and costs the service almost nothing when it is presented again", async () => {
  const reader = await world.makeReader(press);
  const { header, authorization } = await world.signAuthorization(reader, press, "publisher");
  const { nonce, validBefore } = authorization;
  const toItself = { amount: "1", payTo: reader.wallet };
  const { call } = await authorize(reader.account, toItself, { nonce, validBefore });
  await send(world, reader.account, usdg, call);
  await expectCheapRefusal(reader, header);
  expect(await world.listCharges(reader)).toEqual([]);
});

// This test is the last in the file, because it adds thousands of blocks to the chain.
test("if a payment was settled before the blocks that the service searches, its payer is not asked to pay again, even if the payer invalidates the nonce later", async () => {
  const reader = await world.makeReader(press);
  const payment = await world.sign(reader, press, "publisher");
  await world.settle(payment);
  await world.door.addEmptyBlocks(20_001);
  await send(world, reader.account, permit2, encodeInvalidation(payment.permit.nonce));
  expect(await world.request(press, "publisher", payment.header)).toMatchObject(pending);
  expect(await world.listCharges(reader)).toEqual([parts.publisher]);
});
