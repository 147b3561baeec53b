/** What was looked at, and `undefined` where all is well, else what is the matter. */
export type Finding = { readonly what: string; readonly fault: string | undefined };

/** Looks at one thing: `look` says what is the matter, and an error in doing so is a fault itself. */
export async function finding(what: string, look: () => Promise<string | undefined>): Promise<Finding> {
  try {
    return { what, fault: await look() };
  } catch (error) {
    return {
      what,
      fault: error instanceof Error ? (error.message.split("\n")[0] ?? error.name) : String(error),
    };
  }
}

/** The fault of something that is not what it should be. */
export function differs<Value>(found: Value, expected: Value): string | undefined {
  return found === expected ? undefined : `is ${found}, not ${expected}`;
}
