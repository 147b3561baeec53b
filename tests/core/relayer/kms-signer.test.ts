import { KMSClient } from "@aws-sdk/client-kms";
import { secp256k1 } from "@noble/curves/secp256k1";
import { recoverTransactionAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { isAddressEqual, keccak256, parseEther, parseTransaction } from "viem/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeKmsSigner } from "../../../core/adapter/kms.ts";
import { type Hex, lower } from "../../../core/chain/hex.ts";
import type { RelayTransaction } from "../../../core/port/chain.ts";
import { openKeyAddresses } from "../../../core/relayer/operators.ts";
import { type KmsFault, startKms } from "../../../local/kms.ts";
import { startTestDevnet } from "../../support/devnet.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";

const ids = ["alias/relayer-0", "6a4f1f7e-2f0a-4f7c-9d57-5f5b5f3c1a11", "alias/relayer-2"] as const;
const keys = ids.map((id) => ({ id, privateKey: generatePrivateKey() }));
const accounts = keys.map(({ privateKey }) => privateKeyToAddress(privateKey));
const addresses = accounts.map(lower);
const first = addresses[0] ?? "0x";

let findFault: (action: string) => KmsFault | undefined = () => undefined;
let asked: string[] = [];
let client: KMSClient;

const kms = startPart(() =>
  startKms({
    keys: [
      ...keys,
      { id: "alias/p256", keySpec: "ECC_NIST_P256" },
      { id: "alias/symmetric", keySpec: "SYMMETRIC_DEFAULT" },
    ],
    fault: (action) => {
      asked.push(action);
      return findFault(action);
    },
  }),
);
beforeAll(async () => {
  client = openKmsClient(kms.endpoint);
});

afterAll(() => client.destroy());

beforeEach(() => {
  findFault = () => undefined;
  asked = [];
});

function openKmsClient(endpoint: string): KMSClient {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  return new KMSClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
}

const transaction: RelayTransaction = {
  chainId: 4663,
  nonce: 0,
  to: "0x402085c248eea27d92e8b30b2c58ed07f9e20001",
  data: "0x13cd3b53",
  gas: 150_000n,
  maxFeePerGas: 20_000_000n,
  maxPriorityFeePerGas: 1n,
};

function checkEip1559(raw: Hex): `0x02${string}` {
  if (!raw.startsWith("0x02")) throw new Error(`Not an EIP-1559 transaction: ${raw}`);
  return `0x02${raw.slice(4)}`;
}

/** A DER-encoded public key for secp256k1 whose coordinates are both 1, so that the point is not on the curve. */
const offCurve = Buffer.from(
  `3056301006072a8648ce3d020106052b8104000a03420004${"1".padStart(64, "0").repeat(2)}`,
  "hex",
).toString("base64");

const makeRange = (count: number) => Array.from({ length: count }, (_, index) => index);
const countCalls = (action: string) => asked.filter((one) => one === action).length;
const makeRefusal = (type: string, status = 400): KmsFault => ({
  kind: "refuse",
  type,
  status,
  message: type,
});
const unavailable = { kind: "upstream", code: "signer_unavailable", retryAfter: 5 };

describe("the signer reads the addresses of its keys from KMS", () => {
  test("the signer returns the addresses of its keys in lower case, in the order of the keys' ids", async () => {
    expect(await makeKmsSigner(client, ids).addresses()).toEqual(addresses);
    expect(await makeKmsSigner(client, ids.toReversed()).addresses()).toEqual(addresses.toReversed());
  });

  test("each address is read from KMS only once, even if many first requests arrive at once", async () => {
    const signer = makeKmsSigner(client, ids);
    findFault = () => ({ kind: "delay", milliseconds: 20 });
    await Promise.all([
      ...makeRange(20).map(() => signer.addresses()),
      ...makeRange(5).map((nonce) => signer.sign(first, { ...transaction, nonce })),
    ]);
    await signer.addresses();
    expect(countCalls("GetPublicKey")).toBe(ids.length);
    expect(countCalls("Sign")).toBe(5);
  });

  test("if the request for one address failed, this address is requested again, and the other addresses are not requested again", async () => {
    const signer = makeKmsSigner(client, ids);
    findFault = () => (asked.length === 1 ? makeRefusal("KMSInternalException", 500) : undefined);
    await expect(signer.addresses()).rejects.toMatchObject(unavailable);
    await expect.poll(() => countCalls("GetPublicKey")).toBe(ids.length);
    expect(await signer.addresses()).toEqual(addresses);
    expect(countCalls("GetPublicKey")).toBe(ids.length + 1);
  });

  test("the address of a key that is listed twice is returned once", async () => {
    expect(await makeKmsSigner(client, [ids[0], ids[0], ids[1]]).addresses()).toEqual(addresses.slice(0, 2));
  });
});

describe("key addresses that are stored in the table are not requested from KMS", () => {
  let now = Date.now();
  const lines: string[] = [];
  const log = { warn: (event: string) => void lines.push(event) };
  const store = startPart(startTestTable);
  beforeEach(async () => {
    lines.length = 0;
    await store.table.entities.keyring.delete({ name: "relayers" }).go();
  });

  const openBook = () =>
    openKeyAddresses({ table: store.table, clock: { now: () => now, sleep: async () => undefined } });
  /** The signer of a process that has just started. */
  const startSigner = (keyIds: readonly string[] = ids) =>
    makeKmsSigner(client, keyIds, { book: openBook(), log });
  const readBook = async () => Object.fromEntries(await openBook().read());
  const own = Object.fromEntries(ids.map((id, index) => [id, addresses[index] ?? "0x"]));

  test("only the first process requests the addresses from KMS, and later processes read them from the table", async () => {
    expect(await startSigner().addresses()).toEqual(addresses);
    expect(countCalls("GetPublicKey")).toBe(ids.length);
    expect(await startSigner().addresses()).toEqual(addresses);
    const serializedTransaction = checkEip1559(await startSigner().sign(first, transaction));
    expect(lower(await recoverTransactionAddress({ serializedTransaction }))).toBe(first);
    expect(countCalls("GetPublicKey")).toBe(ids.length);
  });

  test("only the addresses of new keys are requested from KMS, and the addresses of removed keys are deleted", async () => {
    await startSigner(ids.slice(0, 2)).addresses();
    expect(await startSigner(ids.slice(1)).addresses()).toEqual(addresses.slice(1));
    expect(countCalls("GetPublicKey")).toBe(ids.length);
    expect(Object.keys(await readBook())).toEqual(ids.slice(1));
  });

  test("stored addresses are requested from KMS again after a day, or if the stored item is invalid", async () => {
    await startSigner().addresses();
    now += 24 * 60 * 60_000 + 1;
    expect(await startSigner().addresses()).toEqual(addresses);
    const nonsense = { name: "relayers", addresses: { [ids[0]]: "a wallet" }, writtenAt: now } as const;
    await store.table.entities.keyring.put(nonsense).go();
    expect(await startSigner().addresses()).toEqual(addresses);
    expect(countCalls("GetPublicKey")).toBe(3 * ids.length);
  });

  test.each([
    ["somebody else's", { ...own, [ids[0]]: transaction.to }, transaction.to],
    ["those of each other's keys", { ...own, [ids[0]]: own[ids[1]], [ids[1]]: own[ids[0]] }, first],
  ] as const)(
    "stored addresses that are %s are not used for signing, and are replaced in the table by the addresses from KMS",
    async (_, wrong, believed) => {
      await store.table.entities.keyring.put({ name: "relayers", addresses: wrong, writtenAt: now }).go();
      const signer = startSigner();
      expect(await signer.addresses()).toContain(believed);
      await expect(signer.sign(believed, transaction)).rejects.toMatchObject(unavailable);
      expect(lines).toEqual(["signer_address_wrong"]);
      expect(await signer.addresses()).toEqual(addresses);
      expect(await readBook()).toEqual(own);
      const serializedTransaction = checkEip1559(await signer.sign(first, transaction));
      expect(lower(await recoverTransactionAddress({ serializedTransaction }))).toBe(first);
    },
  );

  test("the keys' addresses are requested from KMS if the table is down", async () => {
    const fail = () => Promise.reject(new Error("The table is down"));
    const signer = makeKmsSigner(client, ids, { book: { read: fail, write: fail }, log });
    expect(await signer.addresses()).toEqual(addresses);
    expect(lines).toEqual(["signer_addresses_unread", "signer_addresses_unwritten"]);
  });
});

describe("the signer signs the relayer's transactions", () => {
  test("the relayer's address can be recovered from each of 200 signed transactions, and each transaction has the requested fields and a low s", async () => {
    // Two hundred signatures at once may take longer than the usual time limit on a busy machine.
    const signer = makeKmsSigner(client, ids, { timeLimit: 30_000 });
    const parities = await Promise.all(
      makeRange(200).map(async (index) => {
        const relayer = addresses[index % addresses.length] ?? "0x";
        const order = { ...transaction, nonce: index + 1 };
        const serializedTransaction = checkEip1559(await signer.sign(relayer, order));
        expect(lower(await recoverTransactionAddress({ serializedTransaction }))).toBe(relayer);
        const { r, s, v, yParity, ...rest } = parseTransaction(serializedTransaction);
        expect(rest).toEqual({ ...order, type: "eip1559" });
        expect(BigInt(s ?? "0x0")).toBeLessThanOrEqual(secp256k1.CURVE.n / 2n);
        return yParity;
      }),
    );
    expect(new Set(parities)).toEqual(new Set([0, 1]));
    expect(countCalls("Sign")).toBe(200);
  });

  test("the chain accepts a signed transaction and shows the relayer as its sender", async () => {
    const devnet = await startTestDevnet();
    try {
      const chain = devnet.client;
      await chain.setBalance({ address: first, value: parseEther("1") });
      const maxFeePerGas = (await chain.getGasPrice()) * 2n;
      const to: Hex = "0x00000000000000000000000000000000000000aa";
      const serializedTransaction = await makeKmsSigner(client, ids).sign(first, {
        ...transaction,
        to,
        maxFeePerGas,
      });
      const hash = await chain.sendRawTransaction({ serializedTransaction });
      const receipt = await chain.waitForTransactionReceipt({ hash });
      expect(hash).toBe(keccak256(serializedTransaction));
      expect(receipt.status).toBe("success");
      expect(isAddressEqual(receipt.from, first)).toBe(true);
    } finally {
      await devnet.stop();
    }
  });

  test("a transaction is signed for the relayer's address, even if the address contains capital letters, and for no other address", async () => {
    const signer = makeKmsSigner(client, ids);
    for (const checksummed of accounts) expect(await signer.sign(checksummed, transaction)).toMatch(/^0x02/);
    await expect(signer.sign(transaction.to, transaction)).rejects.toThrow(
      `No relayer key for ${transaction.to}`,
    );
  });
});

describe("a KMS key whose kind, usage or public key is unsuitable for a relayer is refused", () => {
  test.each([
    ["another curve", "alias/p256", "it is ECC_NIST_P256 for SIGN_VERIFY"],
    ["a symmetric key", "alias/symmetric", "is a symmetric key"],
  ])("a KMS key is refused, and the error names the key: %s", async (_, id, reason) => {
    const refusal = makeKmsSigner(client, [ids[0], id]).addresses();
    await expect(refusal).rejects.toThrow(`KMS key ${id} cannot be a relayer's`);
    await expect(refusal).rejects.toThrow(reason);
  });

  test.each<[string, Record<string, string>, string]>([
    ["another usage", { KeyUsage: "KEY_AGREEMENT" }, "it is ECC_SECG_P256K1 for KEY_AGREEMENT"],
    ["a public key that is none", { PublicKey: "MFYwEAYH" }, "gave an unusable public key"],
    ["a point that is not on the curve", { PublicKey: offCurve }, "gave an unusable public key"],
  ])("a KMS key is refused, and the error names the key: %s", async (_, fields, reason) => {
    findFault = () => ({ kind: "alter", fields });
    const refusal = makeKmsSigner(client, [ids[0]]).addresses();
    await expect(refusal).rejects.toThrow(`KMS key ${ids[0]}`);
    await expect(refusal).rejects.toThrow(reason);
  });
});

describe("a failure of KMS is reported as an outage", () => {
  const sign = async (fault: KmsFault) => {
    findFault = (action) => (action === "Sign" ? fault : undefined);
    return makeKmsSigner(client, ids, { timeLimit: 200 }).sign(first, transaction);
  };

  test.each([
    ["throttled", makeRefusal("ThrottlingException")],
    ["broken", makeRefusal("KMSInternalException", 500)],
    ["disabled key", makeRefusal("DisabledException")],
    ["denied", makeRefusal("AccessDeniedException")],
    ["silent", { kind: "delay", milliseconds: 10_000 } as const],
  ])(
    "if KMS fails to sign, the service reports an outage, and the same transaction can be signed later: %s",
    async (_, fault) => {
      const failure = await sign(fault).catch((error: unknown) => error);
      expect(failure).toMatchObject({ ...unavailable, cause: expect.any(Error) });
    },
  );

  test("if KMS does not give the keys' addresses, the service reports an outage", async () => {
    findFault = () => makeRefusal("ThrottlingException");
    await expect(makeKmsSigner(client, ids).addresses()).rejects.toMatchObject(unavailable);
  });

  test("a KMS key that does not exist is reported as an outage", async () => {
    await expect(makeKmsSigner(client, ["alias/none"]).addresses()).rejects.toMatchObject(unavailable);
  });

  test("a KMS endpoint at which no server answers is reported as an outage", async () => {
    const gone = await startKms({ keys: [] });
    await gone.stop();
    const lost = openKmsClient(gone.endpoint);
    await expect(makeKmsSigner(lost, ids).addresses()).rejects.toMatchObject(unavailable);
    lost.destroy();
  });

  test.each([
    ["bytes behind a signature", "MAYCAQECAQEA"],
    ["nothing", ""],
    ["half of one", "MAYCAQE="],
    ["a number of zero", "MAYCAQECAQA="],
    ["a negative number", "MAYCAYACAQE="],
  ])(
    "an unusable signature from KMS is never used, and the error names the key: %s",
    async (_, Signature) => {
      const failure = await sign({ kind: "alter", fields: { Signature } }).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        message: `KMS key ${ids[0]} gave an unusable signature`,
        cause: expect.any(Error),
      });
    },
  );

  test("a signature from KMS by another key is never used", async () => {
    const forged = sign({ kind: "alter", fields: { Signature: "MAYCAQECAQE=" } });
    await expect(forged).rejects.toThrow(`KMS key ${ids[0]} gave a signature that is not ${first}'s`);
  });
});
