import type { Settings } from "../../core/port/settings.ts";
import type { Operations, Parameter } from "./operation.ts";
import { reader, refused } from "./sample.ts";

const nonce = "c0ffee1de5ca1ab1e0ddba11f00dcafe";
const signature = `0x${"1b".repeat(65)}`;
const cookie = { "set-cookie": { description: "The session.", always: true } } as const;

/** A wallet's session (specification §4.2). */
export function signingIn({
  origin,
}: Settings): Pick<Operations, "auth-nonce" | "auth-verify" | "me" | "auth-logout"> {
  const ownOrigin: Readonly<Record<string, Parameter>> = {
    origin: {
      description: "Must be the site's own.",
      schema: { type: "string", const: origin },
    },
  };
  return {
    "auth-nonce": {
      tag: "Signing in",
      summary: "Get the message to sign",
      description: "For the site's own pages. The nonce is good for ten minutes and one use.",
      headers: ownOrigin,
      body: "NonceInput",
      answers: { 200: { description: "What to sign.", schema: "Challenge" } },
      examples: {
        challenge: {
          summary: "A wallet asks",
          headers: { origin },
          body: { address: reader },
          status: 200,
          answer: {
            nonce,
            message: `${new URL(origin).host} wants you to sign in with your Ethereum account:\n…`,
          },
        },
      },
    },
    "auth-verify": {
      tag: "Signing in",
      summary: "Exchange the signature for a session",
      description:
        "For the site's own pages. The signature is personal_sign over the message exactly as it was given; contract wallets are asked on the chain.",
      headers: ownOrigin,
      body: "VerifyInput",
      answers: { 200: { description: "Signed in.", schema: "SignedIn", headers: cookie } },
      refusals: {
        401: {
          invalid_nonce: "The nonce is unknown, expired or was used before.",
          invalid_signature: "The signature is not that of the address over the message.",
        },
        503: { chain_unavailable: "A contract wallet could not be asked; the nonce is still good." },
      },
      examples: {
        signedIn: {
          summary: "The wallet's own signature",
          headers: { origin },
          body: { address: reader, nonce, signature },
          status: 200,
          answer: { address: reader },
        },
        unknownNonce: {
          summary: "A nonce that was not given, or was used",
          headers: { origin },
          body: { address: reader, nonce: "0".repeat(32), signature },
          status: 401,
          answer: refused(
            "invalid_nonce",
            "This sign-in request is unknown or was already used. Start again.",
          ),
        },
      },
    },
    me: {
      tag: "Signing in",
      summary: "Whose session this is",
      description: "For the site's own pages.",
      answers: { 200: { description: "The wallet, or null without a session.", schema: "Caller" } },
      examples: { nobody: { summary: "Without a session", status: 200, answer: { address: null } } },
    },
    "auth-logout": {
      tag: "Signing in",
      summary: "Sign out",
      description: "Ends the session for good and clears its cookie.",
      answers: { 200: { description: "Signed out.", schema: "SignedOut", headers: cookie } },
      examples: { signedOut: { summary: "With a session", status: 200, answer: { address: null } } },
    },
  };
}
