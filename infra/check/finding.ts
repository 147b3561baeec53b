/** What was looked at, and `undefined` where all is well, else what is the matter. */
export type Finding = { readonly what: string; readonly fault: string | undefined };

/** Looks at one thing: `look` says what is the matter, and an error in doing so is a fault itself. */
export async function finding(what: string, look: () => Promise<string | undefined>): Promise<Finding> {
  const [found] = await failing(what, async () => [{ what, fault: await look() }]);
  return found;
}

/** What was found, or the one fault that nothing could be looked at for an error. */
export async function failing<Found extends readonly Finding[]>(
  what: string,
  look: () => Promise<Found>,
): Promise<Found | readonly [Finding]> {
  try {
    return await look();
  } catch (error) {
    const fault = error instanceof Error ? (error.message.split("\n")[0] ?? error.name) : String(error);
    return [{ what, fault }];
  }
}

/** The fault of something that is not what it should be. */
export function differs<Value>(found: Value, expected: Value): string | undefined {
  return found === expected ? undefined : `is ${found}, not ${expected}`;
}
