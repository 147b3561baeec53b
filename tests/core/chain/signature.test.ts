import { secp256k1 } from "@noble/curves/secp256k1";
import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { keccak256, numberToHex, recoverAddress } from "viem/utils";
import { describe, expect, test } from "vitest";
import { type Hex, lower } from "../../../core/chain/hex.ts";
import { isSignedByKey, normaliseSignature, recoverSigner } from "../../../core/chain/signature.ts";
import { otherMeaning, sameMeaning } from "../../support/signature-forms.ts";

const order = secp256k1.CURVE.n;
const encodeWord = (value: bigint) => numberToHex(value, { size: 32 });

/** Returns the signer that viem, a library in JavaScript, recovers from the signature. Our own check uses a library in WebAssembly. */
async function recoverByViem(digest: Hex, signature: Hex): Promise<string | undefined> {
  const canonical = normaliseSignature(signature);
  if (canonical.length !== 132) return undefined;
  return recoverAddress({ hash: digest, signature: canonical }).then(lower, () => undefined);
}

const generateBytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);
const digests = generateBytes(32);
const keys = fc.bigInt(1n, order - 1n).map(encodeWord);
const edges = [
  0n,
  1n,
  2n,
  order / 2n,
  order / 2n + 1n,
  order - 1n,
  order,
  order + 1n,
  2n ** 255n,
  2n ** 256n - 1n,
];
const numbers = fc.oneof(fc.constantFrom(...edges.map(encodeWord)), generateBytes(32));
const recoveries = fc.constantFrom("00", "01", "02", "03", "1a", "1b", "1c", "1d", "1B", "1C", "25", "ff");

describe("our check of a signature agrees with the check of viem", () => {
  test("our check and viem give the same result for a key's signature, in every form of the signature and after every change to it", async () => {
    const forms = Object.values({ ...sameMeaning, ...otherMeaning });
    await fc.assert(
      fc.asyncProperty(keys, digests, fc.constantFrom(...forms), async (key, digest, form) => {
        const account = privateKeyToAccount(key);
        const signature = form(await account.sign({ hash: digest }));
        const wallet = lower(account.address);
        expect(await isSignedByKey(wallet, digest, signature)).toBe(
          (await recoverByViem(digest, signature)) === wallet,
        );
      }),
      { numRuns: 150 },
    );
  });

  test("our check and viem give the same result for a signature made of any two numbers, even of zero or a number beyond the curve's order", async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(digests, numbers, numbers, recoveries, async (digest, r, s, recovery) => {
        const signature: Hex = `0x${r.slice(2)}${s.slice(2)}${recovery}`;
        const signer = await recoverByViem(digest, signature);
        if (signer === undefined) {
          // A signature from which no signer can be recovered is refused even for the address of the empty public key.
          expect(await isSignedByKey(lower(`0x${keccak256("0x").slice(-40)}`), digest, signature)).toBe(
            false,
          );
          const parity = recovery === "1b" || recovery === "1B" || recovery === "00" ? 0 : 1;
          if (/^(?:1[bcBC]|0[01])$/.test(recovery))
            expect(await recoverSigner(digest, `${r}${s.slice(2)}`, parity)).toBeUndefined();
        } else {
          found += 1;
          expect(await isSignedByKey(lower(`0x${signer.slice(2)}`), digest, signature)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
    expect(found).toBeGreaterThan(20);
  });

  test("a signature of any length is accepted if and only if the chain accepts the signature", async () => {
    const wallet = lower(privateKeyToAccount(encodeWord(1n)).address);
    for (let length = 0; length <= 130; length += 1) {
      const signature: Hex = `0x${"1b".repeat(length)}`;
      expect(await isSignedByKey(wallet, encodeWord(7n), signature)).toBe(
        (await recoverByViem(encodeWord(7n), signature)) === wallet,
      );
    }
    expect(await recoverSigner("0x07", `0x${"1b".repeat(64)}`, 0)).toBeUndefined();
    expect(await recoverSigner(encodeWord(7n), `0x${"1b".repeat(63)}`, 0)).toBeUndefined();
  });
});
