import type { Page } from "playwright-core";
import * as z from "zod";

/** A device's store of passkeys, as Chromium's tools emulate it. The store remains when the page's data is deleted. */
export type Authenticator = Awaited<ReturnType<typeof addAuthenticator>>;

export type AuthenticatorOptions = {
  /** Whether the authenticator supports the PRF extension, which purses need. The default is `true`. */
  readonly hasPrf?: boolean | undefined;
  /** The time limit in milliseconds for a passkey request, which replaces the page's own `timeout`. */
  readonly timeout?: number | undefined;
};

const Credentials = z.object({ credentials: z.array(z.object({ credentialId: z.string() })) });
const Gestures = z.object({ made: z.number(), asked: z.number() });

/** Gives a page's browser an authenticator with a fingerprint sensor. The authenticator works at `localhost`, but not at 127.0.0.1. */
export async function addAuthenticator(page: Page, { hasPrf = true, timeout }: AuthenticatorOptions = {}) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  });
  await page.addInitScript(countGestures, timeout);
  const listPasskeys = async () =>
    Credentials.parse(await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  return {
    session,
    /** The number of passkeys that the page made, and the number of times that the page asked for a passkey. */
    readGestures: async () => Gestures.parse(await page.evaluate(() => Reflect.get(window, "gestures"))),
    /** Makes the authenticator refuse the user's fingerprint and stay locked permanently. */
    refusesFinger: () => session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false }),
    /** Sets whether the user of the loaded page closes the browser's passkey window instead of confirming. */
    cancels: (does: boolean) => page.evaluate((is) => Reflect.set(window, "cancelsGestures", is), does),
    /** Sets whether a user is present. If no user is present, a request for a gesture waits until its timeout. */
    setPresence: (enabled: boolean) =>
      session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
    countPasskeys: async () => (await listPasskeys()).length,
    /** Deletes every passkey, as the user would. */
    deleteAll: () => session.send("WebAuthn.clearCredentials", { authenticatorId }),
  };
}

/**
 * Runs in the page: answers a cancelled request as browsers do (WebAuthn level 3, §5.1.4.1), and counts the page's calls of the
 * authenticator. No call waits longer than the test's timeout.
 */
function countGestures(timeout: number | undefined): void {
  const gestures = { made: 0, asked: 0 };
  Reflect.set(window, "gestures", gestures);
  const { credentials } = navigator;
  const create = credentials.create.bind(credentials);
  const get = credentials.get.bind(credentials);
  const begin = (publicKey: object | undefined) => {
    if (Reflect.get(window, "cancelsGestures") === true) {
      throw new DOMException("The operation either timed out or was not allowed.", "NotAllowedError");
    }
    if (publicKey !== undefined && timeout !== undefined) Reflect.set(publicKey, "timeout", timeout);
  };
  credentials.create = async (options) => {
    gestures.made += 1;
    begin(options?.publicKey);
    return create(options);
  };
  credentials.get = async (options) => {
    gestures.asked += 1;
    begin(options?.publicKey);
    return get(options);
  };
}
