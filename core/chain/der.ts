import { bytesToBigInt, bytesToHex } from "viem/utils";
import type { Hex } from "./hex.ts";
import { order } from "./secp256k1.ts";

const sequence = 0x30;
const integer = 0x02;

/** SubjectPublicKeyInfo of an uncompressed secp256k1 point (RFC 5480): a fixed head, then 04 and two coordinates. */
const publicKeyInfo = /^0x3056301006072a8648ce3d020106052b8104000a034200(04[0-9a-f]{128})$/;

/**
 * The numbers of a secp256k1 signature in DER (RFC 3279, section 2.2.3), `s` as it was signed: high or low. Strict,
 * as X.690 is: one encoding per signature, nothing before, between or after. Throws TypeError saying what is wrong.
 */
export function signatureFromDer(der: Uint8Array): { readonly r: bigint; readonly s: bigint } {
  const { content, rest } = read(sequence, der);
  const r = read(integer, content);
  const s = read(integer, r.rest);
  if (rest.length > 0 || s.rest.length > 0) throw malformed("bytes follow its end");
  return { r: scalar(r.content), s: scalar(s.content) };
}

/** The uncompressed point (04, x, y) of a secp256k1 public key in DER. Throws TypeError for any other key or form. */
export function pointFromDer(der: Uint8Array): Hex {
  const point = publicKeyInfo.exec(bytesToHex(der))?.[1];
  if (point === undefined) throw new TypeError("Not the DER of an uncompressed secp256k1 public key");
  return `0x${point}`;
}

function read(expected: number, bytes: Uint8Array) {
  const [tag, length] = bytes;
  if (tag === undefined || length === undefined) throw malformed("it ends early");
  if (tag !== expected) throw malformed(`tag ${tag} stands where ${expected} belongs`);
  // DER keeps the long form for 128 bytes and more; a signature on this curve has at most 70.
  if (length > 0x7f) throw malformed("a length is not in the short form");
  const end = 2 + length;
  if (bytes.length < end) throw malformed("it ends early");
  return { content: bytes.subarray(2, end), rest: bytes.subarray(end) };
}

function scalar(content: Uint8Array): bigint {
  const [first, second] = content;
  if (first === undefined) throw malformed("a number is empty");
  if (first > 0x7f) throw malformed("a number is negative");
  if (first === 0 && second !== undefined && second <= 0x7f) throw malformed("a number has a needless zero");
  const value = bytesToBigInt(content);
  if (value === 0n || value >= order) throw malformed("a number is outside the curve's order");
  return value;
}

function malformed(what: string): TypeError {
  return new TypeError(`Malformed DER signature: ${what}`);
}
