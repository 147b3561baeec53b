import { hkdfSync } from "node:crypto";
import { keccak256, recoverAddress, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { computeAddress, deriveKey, prfInput, signDigest } from "../../../web/src/purse/key.ts";

const secret = new Uint8Array(32).fill(7);
const host = "press-market.example";

test("a purse's key is derived by HKDF from the passkey's secret, with the purpose, version and host", async () => {
  const info = `press-market/purse/v1/secp256k1/0/${host}`;
  const expected = new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(), info, 32));
  const key = await deriveKey(secret, host);
  expect(key).toEqual(expected);
  expect(computeAddress(key)).toBe(privateKeyToAccount(toHex(expected)).address);
});

test("the same secret always gives the same purse, because all readers would lose their money if the derivation changed", async () => {
  expect(new TextDecoder().decode(prfInput)).toBe("press-market/purse/v1");
  expect(computeAddress(await deriveKey(secret, host))).toBe("0xb3F0986D1E40629910dae4330353a36E9d49fB81");
});

test("the same secret gives a different purse at each host, even at a subdomain or the parent domain", async () => {
  const hosts = [host, `www.${host}`, "example", "press-rnarket.example"];
  const purses = await Promise.all(hosts.map(async (each) => computeAddress(await deriveKey(secret, each))));
  expect(new Set(purses).size).toBe(hosts.length);
});

test("if the derived bytes are not a valid key of the curve, the key is derived again until it is valid", async () => {
  const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
  const tooLarge = Uint8Array.from(Buffer.from(order, "hex"));
  const good = new Uint8Array(32).fill(1);
  const asked: string[] = [];
  const given = [new Uint8Array(32), tooLarge, new Uint8Array(32).fill(255), good];
  const key = await deriveKey(secret, host, async (_, info) => {
    asked.push(new TextDecoder().decode(info));
    return given[asked.length - 1] ?? good;
  });
  expect(key).toEqual(good);
  expect(asked).toEqual([0, 1, 2, 3].map((attempt) => `press-market/purse/v1/secp256k1/${attempt}/${host}`));
});

test.each([0, 16, 31, 33, 64])("a secret of %d bytes is refused and makes no key", async (length) => {
  await expect(deriveKey(new Uint8Array(length), host)).rejects.toThrow(RangeError);
});

test("the address recovered from a purse's signature is the purse's address, and the signature's s is low", async () => {
  const key = await deriveKey(secret, host);
  for (let round = 0; round < 20; round += 1) {
    const hash = keccak256(toHex(`message ${round}`));
    const signature = signDigest(key, hash);
    expect(await recoverAddress({ hash, signature })).toBe(computeAddress(key));
    expect(BigInt(`0x${signature.slice(66, 130)}`) <= order / 2n).toBe(true);
  }
});

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
