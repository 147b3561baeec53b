import { serializeErc6492Signature } from "viem";
import { concat, numberToHex } from "viem/utils";
import { beforeAll, describe, expect, test } from "vitest";
import { type Hex, lower } from "../../core/chain/hex.ts";
import { getPlatformAccount, platformIndexes } from "../../local/devnet/accounts.ts";
import { type Press, parts, type Reader, startBearers } from "../support/bearers.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { listTransfers } from "../support/ledger.ts";
import { encodePermitHeader, encodeTransfer, usdg } from "../support/payment.ts";
import { repeatInOrder, startPart } from "../support/provide.ts";
import { giveUsdg } from "../support/wallets.ts";

/**
 * Some signatures are checked by running the payer's own code. If a signature is checked by the payer's own code, only the payer may bear
 * the cost of the check.
 */
let press: Press;
const [relayer] = platformIndexes.relayers;

// With only one relayer key, the second payer waits and joins a batch.
const world = startPart(() => startBearers({ environment: { RELAYER_COUNT: "1" } }));
beforeAll(async () => {
  [press] = world.presses;
});

const countSent = () =>
  world.client.getTransactionCount({ address: getPlatformAccount(relayer ?? 0).address });

/**
 * A wallet that holds one USDG although its contract is not deployed yet. The signature contains a call of a factory, and the call would
 * transfer money to the attacker.
 */
async function makeFutureWallet(reader: Reader) {
  const wallet: Hex = lower(`0x${reader.wallet.slice(2, 30)}${"c0ffee".repeat(2)}`);
  await giveUsdg(world, wallet, 1_000_000n);
  const data = encodeTransfer(reader.wallet, 1n);
  const wrap = (signature: Hex) => serializeErc6492Signature({ address: usdg, data, signature });
  return { wallet, wrap };
}

describe("a wallet that does not exist yet signs (EIP-6492)", () => {
  test.each(["treasury", "publisher"] as const)(
    "a signature with the call of a factory is refused for Permit2 and EIP-3009, the factory does not run, and nothing is sent or charged (%s)",
    async (part) => {
      const reader = await world.makeReader();
      const { wallet, wrap } = await makeFutureWallet(reader);
      const before = await countSent();
      const { entry, permit, signature } = await world.sign(reader, press, part, { from: wallet });
      const byPermit = encodePermitHeader(entry, permit, wrap(signature));
      expect(await world.request(press, part, byPermit)).toMatchObject({
        status: 402,
        body: { code: "invalid_permit2_signature", error: expect.stringContaining("Nothing was charged") },
      });
      const { header } = await world.signAuthorization(reader, press, part);
      const payment = JSON.parse(Buffer.from(header, "base64").toString());
      payment.payload.signature = wrap(payment.payload.signature);
      payment.payload.authorization.from = wallet;
      const byAuthorization = Buffer.from(JSON.stringify(payment)).toString("base64");
      expect(await world.request(press, part, byAuthorization)).toMatchObject(
        makeRefusal(402, "invalid_exact_evm_signature"),
      );
      expect(await countSent()).toBe(before);
      expect(await listTransfers(world, { from: wallet })).toEqual([]);
      expect(await listTransfers(world, { to: reader.wallet })).toHaveLength(1);
    },
  );

  test("a plain account is charged once when it sends the same signature with and without the wrapper of EIP-6492", async () => {
    const reader = await world.makeReader();
    const { entry, permit, signature } = await world.sign(reader, press, "treasury");
    const wrapped = serializeErc6492Signature({ address: usdg, data: "0x", signature });
    for (const sent of [wrapped, signature]) {
      expect(await world.request(press, "treasury", encodePermitHeader(entry, permit, sent))).toMatchObject({
        status: 200,
      });
    }
    expect(await listTransfers(world, { from: reader.wallet })).toHaveLength(1);
  });
});

/**
 * Makes code for a wallet. When a contract asks the wallet to check a signature, the wallet's code returns many bytes or reverts with many
 * bytes. Every contract that calls this code pays gas to copy these bytes.
 */
function encodeReturnBomb(bytes: number, end: "returns" | "reverts"): Hex {
  return concat(["0x62", numberToHex(bytes, { size: 3 }), "0x6000", end === "returns" ? "0xf3" : "0xfd"]);
}

describe("a wallet becomes a return bomb between signing and inclusion (EIP-7702)", () => {
  test.each([
    [32_000, "returns"],
    [32_000, "reverts"],
    [200_000, "returns"],
    [200_000, "reverts"],
    [1_500_000, "reverts"],
  ] as const)(
    "if a wallet in a batch becomes a return bomb (its code gives %d bytes when it %s), that wallet is not charged, and every other wallet in the batch pays once",
    async (bytes, end) => {
      const readers = await repeatInOrder(5, () => world.makeReader());
      const [first, hostile, ...others] = readers;
      if (first === undefined || hostile === undefined) throw new Error("Nobody pays");
      const before = await countSent();
      const headers = new Map<Reader, string>();
      for (const reader of readers) {
        headers.set(reader, (await world.sign(reader, press, "treasury")).header);
      }
      const pay = (reader: Reader) => world.request(press, "treasury", headers.get(reader));
      // The first payment keeps the only relayer key occupied until all other payments are waiting for the key. The next transaction is the
      // batch of the waiting payments.
      let paying: ReturnType<typeof pay>[] = [];
      world.door.before("eth_sendRawTransactionSync", async () => {
        paying = [hostile, ...others].map(pay);
        await world.waitForPayers(paying.length);
        world.door.before("eth_sendRawTransactionSync", () =>
          world.client.setCode({ address: hostile.wallet, bytecode: encodeReturnBomb(bytes, end) }),
        );
      });
      expect(await pay(first)).toMatchObject({ status: 200 });
      const [refused, ...paid] = await Promise.all(paying);
      expect(paid.map(({ status }) => status)).toEqual(others.map(() => 200));
      expect(refused).toMatchObject({ status: 402 });
      for (const { wallet } of [first, ...others]) {
        expect((await listTransfers(world, { from: wallet })).map(({ value }) => value)).toEqual([
          parts.treasury,
        ]);
      }
      expect(await listTransfers(world, { from: hostile.wallet })).toEqual([]);
      // The service sends at most one transaction for the first payment, one for the batch, and one more for each payment in the batch.
      expect((await countSent()) - before).toBeLessThanOrEqual(2 + 4);
    },
  );
});
