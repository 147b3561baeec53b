import type { CDPSession, Page } from "playwright-core";
import * as z from "zod";

/** A telephone's or computer's own keeper of passkeys, as Chromium's tools imitate one. It outlives the page's data. */
export type Authenticator = {
  /** How often a passkey was made or asked for, as the page called it. */
  readonly gestures: () => Promise<{ readonly made: number; readonly asked: number }>;
  /** The person's finger is not known any more: after that, the authenticator is locked for good. */
  readonly refusesFinger: () => Promise<void>;
  /** Whether the person closes the browser's window instead of confirming, on the page as it is loaded now. */
  readonly cancels: (does: boolean) => Promise<void>;
  /** Whether there is anybody: without it a gesture waits until its time is over. */
  readonly isThere: (is: boolean) => Promise<void>;
  readonly passkeys: () => Promise<number>;
  /** The person deletes every passkey. */
  readonly deleteAll: () => Promise<void>;
  readonly session: CDPSession;
};

export type AuthenticatorOptions = {
  /** Whether it has the function that purses need; it does unless given. */
  readonly hasPrf?: boolean | undefined;
  /** Milliseconds after which the browser gives up waiting, in place of the page's own wish. */
  readonly timeout?: number | undefined;
};

const Credentials = z.object({ credentials: z.array(z.object({ credentialId: z.string() })) });
const Gestures = z.object({ made: z.number(), asked: z.number() });

/** Gives a page's browser an authenticator with a fingerprint. Works at `localhost`, not at 127.0.0.1. */
export async function addAuthenticator(
  page: Page,
  { hasPrf = true, timeout }: AuthenticatorOptions = {},
): Promise<Authenticator> {
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
  const all = async () =>
    Credentials.parse(await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  return {
    session,
    gestures: async () => Gestures.parse(await page.evaluate(() => Reflect.get(window, "gestures"))),
    refusesFinger: async () => {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    },
    cancels: async (does) => {
      await page.evaluate((is) => Reflect.set(window, "cancelsGestures", is), does);
    },
    isThere: async (is) => {
      await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: is });
    },
    passkeys: async () => (await all()).length,
    deleteAll: async () => {
      await session.send("WebAuthn.clearCredentials", { authenticatorId });
    },
  };
}

/** Runs in the page: answers as browsers do to whoever cancels (WebAuthn level 3, §5.1.4.1), counts what it asks of the authenticator, and keeps it from waiting longer than the test. */
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
