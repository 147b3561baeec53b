import {
  type AuthenticationExtensionsClientOutputs,
  bufferToBase64URLString,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import * as z from "zod";
import { problems } from "../strings/wallet.ts";
import { WalletProblem } from "../wallet/state.ts";
import { prfInput } from "./key.ts";

/** A passkey that has answered, and the 32 secret bytes that the passkey yields at this host. */
export type PasskeyAnswer = { readonly credentialId: string; readonly secret: Uint8Array<ArrayBuffer> };

/** The maximum time, in milliseconds, that the browser waits for the person to confirm. */
const timeout = 120_000;

/**
 * The relying party's id is the whole host, never a parent domain, so that another host of the domain gets other secret bytes. By default,
 * browsers use the whole host as the relying party's id. The code still names the host, so that readers of the code see which id is used.
 */
export function readHost(): string {
  return window.location.hostname;
}

/**
 * The accepted signature algorithms of a passkey: ES256, EdDSA and RS256. The passkey's own signatures are not used, so every common
 * algorithm is suitable.
 */
const algorithms = [-7, -8, -257] as const;

/**
 * Makes a passkey that browsers can find without a user name, and asks the person to use the passkey. Each new passkey gets a random
 * `user.id`. With the same `user.id`, an authenticator could replace the user's first passkey by a second passkey, and the secret bytes of
 * the first passkey would be lost. Throws PurseProblem.
 */
export async function createPasskey(name: string): Promise<PasskeyAnswer> {
  const created = await askBrowser(() =>
    startRegistration({
      optionsJSON: {
        rp: { id: readHost(), name: readHost() },
        user: { id: makeChallenge(), name, displayName: name },
        challenge: makeChallenge(),
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
        attestation: "none",
        timeout,
        extensions: { prf: { eval: { first: prfInput } } },
      },
    }),
  );
  return { credentialId: created.id, secret: readSecret(created.clientExtensionResults) };
}

/** Asks the person for the given passkey, or for any passkey of this host. Throws PurseProblem. */
export async function askPasskey(credentialId?: string): Promise<PasskeyAnswer> {
  const found = await askBrowser(() =>
    startAuthentication({
      optionsJSON: {
        rpId: readHost(),
        challenge: makeChallenge(),
        userVerification: "required",
        timeout,
        ...(credentialId !== undefined && {
          allowCredentials: [{ id: credentialId, type: "public-key" }],
        }),
        extensions: { prf: { eval: { first: prfInput } } },
      },
    }),
  );
  return { credentialId: found.id, secret: readSecret(found.clientExtensionResults) };
}

/**
 * No server checks the passkey's answers, because the answers only yield the secret. A random challenge is enough, because no server checks
 * it.
 */
function makeChallenge(): string {
  return bufferToBase64URLString(crypto.getRandomValues(new Uint8Array(32)).buffer);
}

const Bytes = z.union([
  z.instanceof(ArrayBuffer).transform((buffer) => new Uint8Array(buffer)),
  z
    .custom<ArrayBufferView<ArrayBuffer>>((value) => ArrayBuffer.isView(value))
    .transform(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
]);

/** Copies the secret bytes, and then overwrites the browser's buffer. */
function readSecret({ prf }: AuthenticationExtensionsClientOutputs): Uint8Array<ArrayBuffer> {
  const given = Bytes.safeParse(prf?.results?.first);
  if (!given.success || given.data.length !== 32) throw new PurseProblem("noSecret");
  const secret = given.data.slice();
  given.data.fill(0);
  return secret;
}

/**
 * The kind `cancelled` stands for three causes, because browsers do not say whether a person cancelled, took too long or has no passkey.
 */
async function askBrowser<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony();
  } catch (error) {
    const name = error instanceof Error ? error.name : undefined;
    const kind = name === "NotAllowedError" || name === "AbortError" ? "cancelled" : "failed";
    throw new PurseProblem(kind, { cause: error });
  }
}

/**
 * Whether this browser can open purses. `hidden`: the page is not allowed to use passkeys at all, because its host has no name or the page
 * is not secure. `no`: the browser says that it does not support PRF. If a browser says nothing about PRF, the page tries to use PRF.
 */
export async function canOpenPurse(): Promise<"yes" | "no" | "hidden"> {
  const isNumber = /^[\d.]+$|:/.test(readHost());
  if (!window.isSecureContext || !("PublicKeyCredential" in window) || isNumber) return "hidden";
  // Older browsers do not have the function that lists a browser's capabilities.
  const told = await PublicKeyCredential.getClientCapabilities?.();
  return told?.["extension:prf"] === false ? "no" : "yes";
}

/**
 * The reason why a purse did not act. In each of these cases, the purse has signed nothing.
 *
 * - `cancelled`: the person declined, took too long or has no passkey for the purse. Browsers do not say which of these three reasons
 *   applies.
 * - `noSecret`: the passkey, or the browser, yields no secret bytes (WebAuthn's PRF).
 * - `unsteady`: the passkey yielded two different secrets when it was asked twice.
 * - `other`: the person used a passkey that does not belong to this purse.
 * - `gone`: this browser knows of no purse.
 * - `refused`: the message is not one of the messages that a purse signs.
 * - `failed`: the purse did not act, for a reason that is not in this list; the error's cause gives this reason.
 */
export type PurseProblemKind = keyof typeof problems;

export class PurseProblem extends WalletProblem {
  constructor(kind: PurseProblemKind, { cause }: { readonly cause?: unknown } = {}) {
    super("passkey", problems[kind], cause);
  }
}
