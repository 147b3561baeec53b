/** Returns a function that makes a value in its first call. Later calls return the same value, which the tests of several rows share. */
export function makeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
