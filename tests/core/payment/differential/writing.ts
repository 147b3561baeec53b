import { getAddress, isAddress } from "viem/utils";
import { lower } from "../../../../core/chain/hex.ts";

const swapped = (letter: string) =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();

/** Ways to write a decimal number that is given as text. */
export const numberWritings = {
  "leading zeros": (text: string) => `00${text}`,
  hexadecimal: (text: string) => `0x${BigInt(text).toString(16)}`,
  "a space before": (text: string) => ` ${text}`,
  "a space behind": (text: string) => `${text} `,
  "a plus": (text: string) => `+${text}`,
  "a BigInt literal": (text: string) => `${text}n`,
  "a JSON number": (text: string) => Number(text),
} as const;

/** Ways to write an address that is given as text. */
export const addressWritings = {
  "lower case": (text: string) => text.toLowerCase(),
  "upper case": (text: string) => `0x${text.slice(2).toUpperCase()}`,
  "checksum case": (text: string) => getAddress(lower(`0x${text.slice(2)}`)),
  "the checksum's case changed round": (text: string) =>
    `0x${getAddress(lower(`0x${text.slice(2)}`))
      .slice(2)
      .replaceAll(/[a-fA-F]/g, swapped)}`,
  "a letter too many": (text: string) => `${text}a`,
} as const;

const writings = { ...numberWritings, ...addressWritings };
export type Writing = keyof typeof writings;

/** The text in another notation; a text that is neither address nor number is returned unchanged. */
export function rewrite(value: unknown, writing: Writing): unknown {
  if (typeof value !== "string") return value;
  const fits = writing in addressWritings ? isAddress(value, { strict: false }) : /^[0-9]+$/.test(value);
  return fits ? writings[writing](value) : value;
}
