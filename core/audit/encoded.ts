/** Long enough for a few words, and no hash, address or identifier of the usual kinds. */
const base64 = /(?<![\w+/=.-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=])/g;
const hex = /(?<![\w.])(?:0x)?(?:[0-9a-f]{2}[ :,]?){16,}(?!\w)/gi;
const binary = /(?<!\d)(?:[01]{8}[ ,]?){8,}(?!\d)/g;

const decoders: readonly (readonly [RegExp, (found: string) => Uint8Array])[] = [
  [base64, (found) => Buffer.from(found, "base64")],
  [hex, (found) => Buffer.from(found.replace(/^0x|[ :,]/g, ""), "hex")],
  [binary, (found) => Uint8Array.from(found.match(/[01]{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))],
];

/** What is written in base64, hexadecimal or binary numbers, as far as it is words. */
export function encodedProse(text: string): readonly string[] {
  return decoders.flatMap(([pattern, decode]) =>
    (text.match(pattern) ?? []).flatMap((found) => prose(decode(found))),
  );
}

/** The text without what `encodedProse` reads in it. */
export function withoutEncodedProse(text: string): string {
  return decoders.reduce(
    (rest, [pattern, decode]) =>
      rest.replace(pattern, (found) => (prose(decode(found)).length > 0 ? " " : found)),
    text,
  );
}

/** Bytes that are words of a language, of which figures, hashes and images have none. */
function prose(bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder().decode(bytes);
  const readable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\s]+$/u.test(text) && !text.includes("\ufffd");
  return readable && /(?:\p{L}{2,}\P{L}+){2,}\p{L}{2,}/u.test(text) ? [text] : [];
}
