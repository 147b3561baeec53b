import type { Settings } from "../../core/port/settings.ts";
import type { Operations, Parameter } from "./operation.ts";
import { reader, refused, time } from "./sample.ts";

const nonce = "c0ffee1de5ca1ab1e0ddba11f00dcafe";
const signature = `0x${"1b".repeat(65)}`;
const session = {
  id: "5e551e5e551e5e551e5e551e5e551e00",
  origin: "payment",
  createdAt: time,
  expiresAt: "2026-12-20T12:00:00.000Z",
  current: true,
} as const;
const cookie = { "set-cookie": { description: "The session.", always: true } } as const;

/** A wallet's session (specification §4.2). */
export function signingIn({
  origin,
}: Settings): Pick<
  Operations,
  "auth-nonce" | "auth-verify" | "me" | "auth-logout" | "sessions" | "sessions-end"
> {
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
    sessions: {
      tag: "Signing in",
      summary: "Own sessions",
      description:
        "The living sessions of the session's wallet, newest first, up to a hundred. A session born from a payment sees those of its kind only.",
      answers: { 200: { description: "The sessions.", schema: "SessionList" } },
      examples: {
        reader: { summary: "A reader's", status: 200, answer: { sessions: [session] } },
      },
    },
    "sessions-end": {
      tag: "Signing in",
      summary: "End own sessions",
      description:
        "Ends one session of the session's wallet, or up to a hundred others, for good. A session born from a payment ends itself only.",
      body: "EndInput",
      answers: {
        200: {
          description: "Ended.",
          schema: "Ended",
          headers: { "set-cookie": { description: "Clears the cookie of a session that ended itself." } },
        },
      },
      refusals: {
        401: { sign_in_required: "A session born from a payment ends no other one." },
        404: { unknown_session: "The wallet has no such session." },
      },
      examples: {
        byPayment: {
          summary: "By a session that was born from a payment",
          body: { others: true },
          status: 401,
          answer: refused(
            "sign_in_required",
            "Sign in with your wallet to end other sessions: a payment only lets you read.",
          ),
        },
        others: {
          summary: "All but this one",
          body: { others: true },
          status: 200,
          answer: { ended: 2, signedOut: false },
        },
        unknown: {
          summary: "No such session",
          body: { id: session.id },
          status: 404,
          answer: refused("unknown_session", "You have no such session: it may have ended already."),
        },
      },
    },
  };
}
