/** The result of a call; `undefined` if the call throws. For parsers and decoders, which throw for input of another form. */
export function attempt<Value>(call: () => Value): Value | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; `undefined` if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  return attempt((): unknown => JSON.parse(text));
}
