import * as z from "zod";

/** An address in any casing. */
export const AddressForm = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{40}$/)]);
export type Address = z.infer<typeof AddressForm>;

/** A transaction's hash. */
export const HashForm = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{64}$/)]);
export type Hash = z.infer<typeof HashForm>;

/** A number of base units, decimal. */
export const UnitsForm = z.string().regex(/^\d{1,78}$/);

/** Whether two addresses are one, whatever their casing. */
export function sameAddress(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}
