/** What looks like something that no log may hold, and what is written in its place. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // An address of a node may carry its key in the path, the query or before the host.
  [/\b(https?:\/\/)(?:[^\s"'/@]*@)?([^\s"'/?#]+)[/?#][^\s"'),;]*/gi, "$1$2/…"],
  [/\b(session|cookie)=[^\s"';,]+/gi, "$1=…"],
  // Signatures and raw transactions: hashes and addresses are shorter.
  [/\b0x[0-9a-f]{65,}/gi, "0x…"],
  // Numbers of 256 bits: nonces of permits.
  [/\b\d{40,}\b/g, "…"],
  // Documents of the protocol in headers.
  [/[A-Za-z0-9+/_-]{200,}={0,2}/g, "…"],
];

/** A text without what looks like a secret: the last resort, for errors of others that quote what they were given. */
export function withoutSecrets(text: string): string {
  return shapes.reduce((clean, [shape, instead]) => clean.replace(shape, instead), text);
}
