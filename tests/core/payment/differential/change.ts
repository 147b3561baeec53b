import { otherMeaning, sameMeaning } from "./signature.ts";
import { addressWritings, numberWritings, type Writing } from "./writing.ts";

/** One thing that a payer does differently from an honest client. A name stands for a value that depends on the test case. */
export type Change =
  /** The permit has another value, and is signed with it. */
  | { readonly kind: "signed number"; readonly field: NumberField; readonly to: SignedNumber }
  | { readonly kind: "signed party"; readonly field: PartyField; readonly to: SignedParty }
  /** The signature is by another key, or is written in another form. */
  | { readonly kind: "signature"; readonly form: SignatureForm }
  /** The document is changed after it was signed; `undefined` removes the field. */
  | { readonly kind: "document"; readonly path: Path; readonly to: unknown }
  /** The same value in another notation. */
  | { readonly kind: "writing"; readonly path: Path; readonly as: Writing }
  /** An unknown field is added. */
  | { readonly kind: "extra"; readonly path: Path };

export type Path = readonly string[];
export type SignatureForm = keyof typeof otherMeaning | keyof typeof sameMeaning | "another signer's";
type NumberField = "amount" | "nonce" | "deadline" | "validAfter";
type PartyField = "token" | "to" | "spender";
export type SignedNumber =
  | "0"
  | "1"
  | "2^256 - 1"
  | "due - 1"
  | "due + 1"
  | "spent"
  | "now - 10"
  | "now - 1"
  | "now + 3"
  | "now + 10"
  | "now + 60"
  | "now + 3600";
export type SignedParty = "the zero address" | "the payer" | "somebody else";

const partyFields: readonly PartyField[] = ["token", "to", "spender"];
const parties: readonly SignedParty[] = ["the zero address", "the payer", "somebody else"];
const signedNumbers: readonly (readonly [NumberField, readonly SignedNumber[]])[] = [
  ["amount", ["0", "1", "due - 1", "due + 1", "2^256 - 1"]],
  ["nonce", ["0", "2^256 - 1", "spent"]],
  ["deadline", ["0", "now - 10", "now - 1", "now + 3", "now + 10", "now + 60", "now + 3600", "2^256 - 1"]],
  ["validAfter", ["1", "now - 10", "now + 60", "2^256 - 1"]],
];

const permit: Path = ["payload", "permit2Authorization"];
const numbers: readonly Path[] = [
  [...permit, "permitted", "amount"],
  [...permit, "nonce"],
  [...permit, "deadline"],
  [...permit, "witness", "validAfter"],
  ["accepted", "amount"],
];
const addresses: readonly Path[] = [
  [...permit, "from"],
  [...permit, "permitted", "token"],
  [...permit, "spender"],
  [...permit, "witness", "to"],
  ["accepted", "asset"],
  ["accepted", "payTo"],
];
const objects: readonly Path[] = [
  ["payload"],
  permit,
  [...permit, "permitted"],
  [...permit, "witness"],
  ["accepted"],
];

const otherTypes = [undefined, null, true, 12, [], {}];
const notNumbers = ["-1", "2", String(2n ** 256n), "9".repeat(100), "0x", "1e3", "12.5", "abc", "", " ", "٣"];
const notAddresses = [
  `0x${"ab".repeat(19)}`,
  `0x${"ab".repeat(20)}`,
  `0x${"ab".repeat(21)}`,
  "ab".repeat(20),
  `0X${"ab".repeat(20)}`,
  `0x${"zz".repeat(20)}`,
  `0x${"00".repeat(20)}`,
  "vitalik.eth",
  "",
];
const others: readonly (readonly [Path, readonly unknown[]])[] = [
  [["x402Version"], [1, 3, "2", 2.5, null, undefined]],
  [
    ["accepted", "scheme"],
    ["upto", "EXACT", "", null, undefined],
  ],
  [
    ["accepted", "network"],
    ["eip155:1", "eip155:46630", "4663", "robinhood", "", null, undefined],
  ],
  [
    ["accepted", "maxTimeoutSeconds"],
    [1, "300", null, undefined],
  ],
  [
    ["accepted", "extra"],
    [{}, { assetTransferMethod: "eip3009" }, null, undefined],
  ],
  [["resource"], [{ url: "https://example.com/elsewhere" }, {}, null, undefined]],
  [["extensions"], [{}, { bazaar: { info: {} } }]],
  [
    ["payload", "signature"],
    ["0x0g", "0xabc", "abc", ...otherTypes],
  ],
];

function listNames<Name extends string>(named: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(named).filter((name): name is Name => name in named);
}

/** Every single change. */
export const everyChange: readonly Change[] = [
  ...signedNumbers.flatMap(([field, values]) =>
    values.map((to): Change => ({ kind: "signed number", field, to })),
  ),
  ...partyFields.flatMap((field) => parties.map((to): Change => ({ kind: "signed party", field, to }))),
  ...(["another signer's", ...listNames(otherMeaning), ...listNames(sameMeaning)] as const).map(
    (form): Change => ({ kind: "signature", form }),
  ),
  ...[
    // All numbers have the same form, and all addresses have the same form, so each value is tried on one field, and a few values on each
    // field.
    ...numbers.map(
      (path, index) =>
        [
          path,
          index === 0 ? [...notNumbers, ...otherTypes] : [...notNumbers.slice(0, 3), null, undefined],
        ] as const,
    ),
    ...addresses.map(
      (path, index) =>
        [
          path,
          index === 0 ? [...notAddresses, ...otherTypes] : [...notAddresses.slice(0, 3), null, undefined],
        ] as const,
    ),
    ...objects.map((path) => [path, [undefined, null, [], "text"]] as const),
    ...others,
  ].flatMap(([path, values]) => values.map((to): Change => ({ kind: "document", path, to }))),
  ...[
    ...numbers.map((path) => [path, listNames(numberWritings)] as const),
    ...addresses.map((path) => [path, listNames(addressWritings)] as const),
  ].flatMap(([path, writings]) => writings.map((as): Change => ({ kind: "writing", path, as }))),
  ...[[], ...objects].map((path): Change => ({ kind: "extra", path })),
];
