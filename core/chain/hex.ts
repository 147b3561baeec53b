import { isAddress } from "viem/utils";
import * as z from "zod";

export type Hex = `0x${string}`;
export type Address = `0x${string}`;

/** A wallet or contract address in upper, lower or mixed case. Callers need not give an address in checksum form. */
export const AddressInput = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{40}$/)], {
  error: "must be a 0x-prefixed address of 20 bytes",
});

/** A hash of 32 bytes, such as the hash of a transaction. */
export const HashInput = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{64}$/)], {
  error: "must be a 0x-prefixed hash of 32 bytes",
});

/** Bytes as hex text that begins with 0x. The text `0x` alone is valid and stands for no bytes. */
export const HexInput = z.templateLiteral(["0x", z.string().regex(/^(?:[0-9a-fA-F]{2})*$/)], {
  error: "must be 0x-prefixed hex",
});

/** Converts addresses, hashes and bytes to lower case, the form in which they are compared and stored. */
export function lower(value: Hex): Hex {
  return `0x${value.slice(2).toLowerCase()}`;
}

/**
 * Converts a valid address to lower case. Throws a TypeError for an invalid address, so this function is for configuration and chain data,
 * not for callers' input.
 */
export function toAddress(value: string): Address {
  if (!isAddress(value, { strict: false })) throw new TypeError(`Not an address: ${value}`);
  return lower(value);
}
