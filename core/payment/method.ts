import type { Authorization, Method, SignedFor } from "./authorization.ts";
import { eip3009 } from "./eip3009.ts";
import { permit2 } from "./permit2.ts";
import { type MethodName, methodNames, type PaymentPayload } from "./schema.ts";

const methods: Readonly<Record<MethodName, Method>> = { permit2, eip3009 };

/** What is peculiar to the way in which this was signed. */
export function methodOf({ method }: { readonly method: MethodName }): Method {
  return methods[method];
}

/** What a payload says, by whichever method it was signed. */
export function authorizationIn(
  payload: PaymentPayload["payload"],
  signedFor: SignedFor,
): Authorization | undefined {
  for (const name of methodNames) {
    const authorization = methods[name].read(payload, signedFor);
    if (authorization !== undefined) return authorization;
  }
  return undefined;
}
