import * as z from "zod";
import { AddressInput } from "../chain/hex.ts";

/**
 * For how many minutes the nonce of a sign-in is valid, and for how many days a session is valid (specification §8). The site's texts, the
 * documents and the cookies all use `nonceMinutes` and `sessionDays`.
 */
export const nonceMinutes = 10;
export const sessionDays = 30;

/**
 * The header in which a page names the wallet that the page's texts belong to. The browser's cookie may belong to another wallet, because a
 * reader may have signed in with another wallet in another tab.
 */
export const walletHeader = "session-wallet";

export const NonceInput = z.object({ address: AddressInput });
export type NonceInput = z.infer<typeof NonceInput>;

/** The message for a wallet to sign (specification §4.2). */
export const Challenge = z
  .object({
    nonce: z.string().describe(`The nonce is valid for ${nonceMinutes} minutes and for one use.`),
    message: z
      .string()
      .describe("EIP-4361 message of several lines: sign it exactly as it is (personal_sign)."),
  })
  .readonly();
export type Challenge = z.infer<typeof Challenge>;

/**
 * The nonce and the signature may have any form, because an unknown nonce or a wrong signature is answered with 401 and not with 400
 * (specification §4.2).
 */
export const VerifyInput = z.object({
  address: AddressInput,
  nonce: z.string().describe("The nonce of the sign-in message."),
  signature: z.string().describe("0x and hex digits. Contract wallets sign with up to 16 kB."),
});
export type VerifyInput = z.infer<typeof VerifyInput>;

/** A wallet that has signed in. */
export const SignedIn = z.object({ address: z.string().describe("Lower-case.") });

/** The session's wallet. */
export const Caller = z.object({
  address: z.string().nullable().describe("In lower case; null if there is no session."),
});

const Time = z.string().meta({ format: "date-time" });

/** One of a wallet's own sessions. */
export const OwnSession = z
  .object({
    id: z.string().describe("Identifies the session in the request that ends it. The id gives no access."),
    origin: z
      .enum(["sign-in", "payment"])
      .describe("A session that began with a payment can read but cannot publish."),
    createdAt: Time,
    expiresAt: Time,
    current: z.boolean().describe("Whether this is the current session."),
  })
  .readonly();
export type OwnSession = z.infer<typeof OwnSession>;

/** A wallet's live sessions, newest first. */
export const SessionList = z.object({ sessions: z.array(OwnSession).readonly() }).readonly();

/** The request to end sessions. */
export const EndInput = z.union([
  z.object({ id: z.string().min(1).max(64).describe("An id from the list of sessions.") }),
  z.object({
    others: z.literal(true).describe("Ends all sessions except the current session."),
  }),
]);
export type EndInput = z.infer<typeof EndInput>;

/** The result of a request to end sessions. */
export const Ended = z
  .object({
    ended: z.int().describe("The number of ended sessions."),
    signedOut: z
      .boolean()
      .describe("Whether the current session was ended. If true, the session's cookie is cleared."),
  })
  .readonly();
export type Ended = z.infer<typeof Ended>;

export const SignedOut = z.object({ address: z.null() });
