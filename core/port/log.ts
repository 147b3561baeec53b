/** Where operators read what callers need not know. Never given signatures, tokens, texts, or addresses that hold keys. */
export type Log = {
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
};
