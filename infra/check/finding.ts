/** The subject of a check, and `undefined` where all is well, else the fault. */
export type Finding = { readonly what: string; readonly fault: string | undefined };

/** Looks at one thing: `look` says what is the matter, and an error in doing so is a fault itself. */
export async function finding(what: string, look: () => Promise<string | undefined>): Promise<Finding> {
  const [found] = await failing(what, async () => [{ what, fault: await look() }]);
  return found;
}

/** The findings, or one fault: an error stopped the look. */
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
