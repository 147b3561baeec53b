import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { concat, encodeAbiParameters, numberToHex, toFunctionSelector } from "viem/utils";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Hex } from "../../core/chain/hex.ts";
import { findCookieName } from "../../functions/lib/reply.ts";
import { type Press, parts, type Reader, startBearers } from "../support/bearers.ts";
import { listTransfers } from "../support/ledger.ts";
import { encodePermitHeader } from "../support/payment.ts";
import { repeatInOrder, startPart } from "../support/provide.ts";

/**
 * If several payers send payments at the same moment, the service sends the node calls for all these payments in shared batches. A hostile
 * payer must not harm the other payers in a batch.
 */
let press: Press;
/**
 * The bodies of the requests to the node, and a pattern for the requests that the node refuses. The node refuses the requests that match
 * the pattern.
 */
let asked: string[] = [];
let refused: RegExp | undefined;

const world = startPart(startBearers);
beforeAll(async () => {
  [press] = world.presses;
  // A payment before the first test makes the service load the code that checks signatures.
  await world.makeReader(press);
  world.door.refuse((body) => {
    asked.push(body);
    return refused?.test(body) === true;
  });
});
afterEach(() => {
  refused = undefined;
});

type Request = Readonly<Record<string, string>>;

/**
 * Sends several requests in a single network packet, so that the service reads all of them at the same moment. Each request is a payment of
 * the fee. Returns the statuses of the answers.
 */
async function payTogether(requests: readonly Request[]): Promise<readonly number[]> {
  const { hostname, port } = new URL(world.service.origin);
  const body = JSON.stringify({ pressId: press.pressId });
  const packet = requests.map((own, index) => {
    const connection = index === requests.length - 1 ? "close" : "keep-alive";
    const headers = {
      host: hostname,
      connection,
      "content-type": "application/json",
      "content-length": String(body.length),
      ...own,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST /api/pay/treasury HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
  });
  const socket = connect(Number(port), hostname);
  socket.write(packet.join(""));
  const answers = await text(socket);
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

async function signPayment(reader: Reader): Promise<Request> {
  return { "payment-signature": (await world.sign(reader, press, "treasury")).header };
}

/** A payment whose signature only the wallet's own code could accept. */
async function makeUnsignedPayment(reader: Reader, bytes: number): Promise<Request> {
  const { entry, permit } = await world.sign(reader, press, "treasury");
  return { "payment-signature": encodePermitHeader(entry, permit, `0x${"11".repeat(bytes)}`) };
}

const isValid = toFunctionSelector("isValidSignature(bytes32,bytes)").slice(2);
const countPayers = (body: string) => body.split("eth_getCode").length - 1;
const hasWallet = (body: string, { wallet }: Reader) => body.toLowerCase().includes(wallet.slice(2));

/** Code that returns or reverts with the given number of zero bytes. */
const encodeReturnBomb = (bytes: number, end: "f3" | "fd"): Hex =>
  concat(["0x62", numberToHex(bytes, { size: 3 }), "0x6000", `0x${end}`]);
/** Code that loops until all its gas is burned. */
const burner: Hex = "0x5b600056";
/** Code that answers every call with EIP-1271's magic value. */
const consent: Hex = concat([
  "0x7f",
  encodeAbiParameters([{ type: "bytes4" }], ["0x1626ba7e"]),
  "0x60005260206000f3",
]);

const bytes = 1_500_000;

test.each<{
  readonly what: string;
  readonly code: Hex;
  readonly ask: (hostile: Reader) => Promise<Request>;
  readonly refuses?: boolean;
}>([
  {
    what: "its code burns all gas, without a key's signature",
    code: burner,
    ask: (one) => makeUnsignedPayment(one, 65),
  },
  { what: "its code burns all gas, with its key's signature", code: burner, ask: signPayment },
  {
    what: "its code answers with megabytes",
    code: encodeReturnBomb(bytes, "f3"),
    ask: (one) => makeUnsignedPayment(one, 65),
  },
  { what: "its code reverts with megabytes", code: encodeReturnBomb(bytes, "fd"), ask: signPayment },
  { what: "the node refuses its questions", code: burner, ask: signPayment, refuses: true },
  {
    what: "its code takes the longest signature",
    code: consent,
    ask: (one) => makeUnsignedPayment(one, 2_000),
  },
  {
    what: "its session's token is too long for a key",
    code: burner,
    ask: async (one) => ({
      ...(await signPayment(one)),
      cookie: `${findCookieName(world.service.origin)}=${"x".repeat(4_000)}`,
    }),
  },
])(
  "payers who ask at the same moment as a hostile wallet each pay once: $what",
  async ({ code, ask, refuses }) => {
    const hostile = await world.makeReader();
    const honest = [await world.makeReader(), await world.makeReader()];
    const [first = {}, second = {}] = await Promise.all(honest.map(signPayment));
    const attacks = await repeatInOrder(4, () => ask(hostile));
    await world.client.setCode({ address: hostile.wallet, bytecode: code });
    if (refuses) refused = new RegExp(hostile.wallet.slice(2), "i");

    let statuses: readonly number[] = [];
    let isShared = false;
    const paid = honest.map(() => false);
    // On a busy machine the devnet may need longer for the hostile calls than the service waits for a node. In this case the service
    // answers with 503, and the test sends the same payments and the same attacks again.
    for (let round = 0; round < 5 && paid.includes(false); round += 1) {
      asked = [];
      statuses = await payTogether([first, ...attacks, second]);
      expect(statuses).toHaveLength(6);
      for (const [payer, status] of [statuses[0], statuses.at(-1)].entries()) {
        expect(paid[payer] ? [200, 409] : [200, 503]).toContain(status);
        paid[payer] ||= status === 200;
      }
      isShared ||= asked.some((body) => countPayers(body) > 1);
      // A batch must never run the code of two wallets.
      for (const body of asked.filter((one) => one.includes(isValid)))
        expect(countPayers(body)).toBeLessThanOrEqual(1);
    }
    expect(paid).toEqual([true, true]);
    // At least one batch must contain calls for several payers.
    expect(isShared).toBe(true);
    for (const payer of honest) {
      // At most three questions to the node may contain an honest payer's address: two shared batches, and one separate call if another
      // payer made a batch fail. The transaction is sent twice if the node's answer to it comes late.
      const questions = asked.filter((body) => hasWallet(body, payer) && !body.includes("eth_sendRaw"));
      expect(questions.length).toBeLessThanOrEqual(3);
      const moved = await listTransfers(world, { from: payer.wallet });
      expect(moved.map(({ value }) => value)).toEqual([parts.treasury]);
    }
    expect(statuses.slice(1, -1)).not.toContain(500);
    expect((await listTransfers(world, { from: hostile.wallet })).length).toBeLessThanOrEqual(1);
  },
);
