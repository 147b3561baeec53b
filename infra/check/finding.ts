import { HttpRequestError } from "viem";

/** The subject of a check, and the fault that the check found; the fault is `undefined` if the check passed. */
export type Finding = { readonly what: string; readonly fault: string | undefined };

/** Runs one check, and returns its finding. `look` returns the fault that the check found, and an error in `look` counts as a fault. */
export async function runCheck(what: string, look: () => Promise<string | undefined>): Promise<Finding> {
  const [found] = await catchFault(what, async () => [{ what, fault: await look() }]);
  return found;
}

/** Runs one check that finds a fault only if `look` throws an error. `look` returns what the check found. */
export async function reportCheck(what: string, look: () => Promise<string>): Promise<Finding> {
  const [found] = await catchFault(what, async () => [{ what: await look(), fault: undefined }]);
  return found;
}

/** Returns the findings of a check. If the check threw an error, returns that error as a fault. */
export async function catchFault<Found extends readonly Finding[]>(
  what: string,
  look: () => Promise<Found>,
): Promise<Found | readonly [Finding]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof HttpRequestError && error.status !== undefined)
      return [{ what, fault: `it answers with ${error.status} ${error.details}` }];
    const fault = error instanceof Error ? (error.message.split("\n")[0] ?? error.name) : String(error);
    return [{ what, fault }];
  }
}

/** Checks that the value which `read` returns is the expected value. An error in `read` counts as a fault. */
export function checkValue<Value>(
  what: string,
  expected: Value,
  read: () => Promise<Value>,
): Promise<Finding> {
  return runCheck(what, async () => describeDifference(await read(), expected));
}

/** Returns a fault if the found value differs from the expected value. */
export function describeDifference<Value>(found: Value, expected: Value): string | undefined {
  return found === expected ? undefined : `is ${found}, not ${expected}`;
}
