import { generateKeyPairSync, sign, verify } from "node:crypto";
import fc from "fast-check";
import { privateKeyToAddress } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { pointFromDer, signatureFromDer } from "../../../core/chain/der.ts";
import { addressOf, lowS, order } from "../../../core/chain/secp256k1.ts";
import { publicKeyInfo } from "../../../local/kms/ecdsa.ts";

const lengths = [1, 8, 127, 128, 129, 200, 247, 248, 249, 255, 256];
/** Numbers of every length, so that short ones and those with a high bit are as frequent as the usual ones. */
const scalar = fc
  .constantFrom(...lengths)
  .chain((bits) => fc.bigInt({ min: 1n << BigInt(bits - 1), max: (1n << BigInt(bits)) - 1n }))
  .map((value) => (value < order ? value : order - 1n));

/** Encoded without regard to the decoder: a two's complement number in the fewest bytes, as X.690 8.3 has it. */
function integer(value: bigint): readonly number[] {
  const width = BigInt.asIntN(8, value) === value ? 1 : Math.ceil((value.toString(2).length + 1) / 8);
  const bytes = Array.from({ length: width }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));
  return element(2, bytes.reverse());
}

function element(tag: number, content: readonly number[]): readonly number[] {
  return [tag, content.length, ...content];
}

const encode = (r: bigint, s: bigint) => Uint8Array.from(element(0x30, [...integer(r), ...integer(s)]));

describe("a DER signature", () => {
  test("gives the numbers that were encoded, whatever their length and first bit", () => {
    fc.assert(
      fc.property(scalar, scalar, (r, s) => {
        expect(signatureFromDer(encode(r, s))).toEqual({ r, s });
      }),
      { numRuns: 500 },
    );
  });

  test("of OpenSSL is read, and its numbers still verify", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
    for (let round = 0; round < 100; round += 1) {
      const message = Buffer.from(`message ${round}`);
      const { r, s } = signatureFromDer(sign("sha256", message, privateKey));
      const raw = Buffer.from(
        [r, lowS(s)].map((value) => value.toString(16).padStart(64, "0")).join(""),
        "hex",
      );
      expect(verify("sha256", message, { key: publicKey, dsaEncoding: "ieee-p1363" }, raw)).toBe(true);
    }
  });

  test("is refused when anything is cut off or added, anywhere", () => {
    fc.assert(
      fc.property(
        scalar,
        scalar,
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 4 }),
        (r, s, at, more) => {
          const der = encode(r, s);
          const place = at % der.length;
          expect(() => signatureFromDer(der.subarray(0, place))).toThrow(/^Malformed DER signature/);
          expect(() => signatureFromDer(Uint8Array.from([...der, ...more]))).toThrow("bytes follow its end");
        },
      ),
    );
  });

  test("has one encoding only: bytes that are read encode to themselves", () => {
    fc.assert(
      fc.property(scalar, scalar, fc.nat(), fc.integer({ min: 1, max: 255 }), (r, s, at, change) => {
        const der = encode(r, s).map((byte, index, { length }) =>
          index === at % length ? byte ^ change : byte,
        );
        const read = attempt(der);
        if (read !== undefined) expect(encode(read.r, read.s)).toEqual(der);
      }),
      { numRuns: 1000 },
    );
  });

  const one = [2, 1, 1];
  test.each<[string, readonly number[], string]>([
    ["nothing", [], "it ends early"],
    ["another tag around", element(0x31, [...one, ...one]), "tag 49 stands where 48 belongs"],
    ["another tag inside", element(0x30, [...one, 4, 1, 1]), "tag 4 stands where 2 belongs"],
    ["a length in the long form", [0x30, 0x81, 6, ...one, ...one], "a length is not in the short form"],
    ["no end", [0x30, 0x80, ...one, ...one, 0, 0], "a length is not in the short form"],
    ["a third number", element(0x30, [...one, ...one, ...one]), "bytes follow its end"],
    ["one number", element(0x30, one), "it ends early"],
    ["an empty number", element(0x30, [2, 0, ...one]), "a number is empty"],
    ["a negative number", element(0x30, [2, 1, 0x80, ...one]), "a number is negative"],
    ["a needless zero", element(0x30, [2, 2, 0, 0x7f, ...one]), "a number has a needless zero"],
    ["zero", element(0x30, [...one, 2, 1, 0]), "a number is outside the curve's order"],
    ["the order", element(0x30, [...one, ...integer(order)]), "a number is outside the curve's order"],
    ["33 bytes", element(0x30, [...integer(1n << 256n), ...one]), "a number is outside the curve's order"],
  ])("with %s is refused", (_, bytes, reason) => {
    expect(() => signatureFromDer(Uint8Array.from(bytes))).toThrow(`Malformed DER signature: ${reason}`);
  });
});

test("of the two values of s the lower one is taken, and the lower one stays", () => {
  const half = order / 2n;
  expect([lowS(half), lowS(half + 1n), lowS(order - 1n), lowS(1n)]).toEqual([half, half, 1n, 1n]);
  fc.assert(
    fc.property(scalar, (s) => {
      expect(lowS(s)).toBe(lowS(order - s));
      expect(lowS(s)).toBeLessThanOrEqual(half);
    }),
  );
});

describe("a DER public key", () => {
  const privateKey = Buffer.alloc(32, 7);

  test("of secp256k1 leads to the account of its private key", () => {
    const address = addressOf(pointFromDer(publicKeyInfo(privateKey)));
    expect(address).toBe(privateKeyToAddress(`0x${privateKey.toString("hex")}`).toLowerCase());
  });

  test("of another curve, compressed, cut or lengthened is refused", () => {
    const whole = publicKeyInfo(privateKey);
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const wrong = [
      publicKey.export({ format: "der", type: "spki" }),
      whole.subarray(0, -1),
      Buffer.concat([whole, Buffer.of(0)]),
      Buffer.from(whole.toString("hex").replace("03420004", "03420002"), "hex"),
      Buffer.of(),
    ];
    for (const der of wrong) expect(() => pointFromDer(der)).toThrow(TypeError);
  });
});

function attempt(der: Uint8Array) {
  try {
    return signatureFromDer(der);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return undefined;
  }
}
