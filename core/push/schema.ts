import * as z from "zod";

/** How many browsers of a wallet can get notifications. */
export const mostBrowsers = 5;

/** The hosts of the push services of Chrome, Firefox, Safari and Edge. */
const services = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^[a-z0-9-]+\.push\.apple\.com$/,
  /^[a-z0-9-]+\.notify\.windows\.com$/,
] as const;

/**
 * Whether a subscription's address is of a known push service, so that we send requests nowhere else. `further`: other origins that count
 * as known, for tests.
 */
export function isKnownService(endpoint: string, further: readonly string[] = []): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, origin, href } = new URL(endpoint);
  // An address that a parser would change may be an attempt to be read in two ways.
  if (href !== endpoint || `${username}${password}` !== "") return false;
  if (further.includes(origin)) return true;
  return protocol === "https:" && port === "" && services.some((service) => service.test(hostname));
}

const base64url = (bytes: number) =>
  z.string().refine((text) => /^[\w-]+$/.test(text) && Buffer.from(text, "base64url").length === bytes, {
    error: `must be ${bytes} bytes as base64url`,
  });

const Endpoint = z.string().max(1_024);

/** A subscription as the browser gives it (W3C Push API, `toJSON`). */
export const SubscribeInput = z.object({
  endpoint: Endpoint,
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
});
export type SubscribeInput = Readonly<z.infer<typeof SubscribeInput>>;

/** The address is known to its browser alone, so it is enough to end its notifications. */
export const StopInput = z.object({ endpoint: Endpoint });

/** Whether this browser is told of new articles. */
export const PushState = z.object({ on: z.boolean() });

/** The public half of the stage's key, base64url; null if the stage has no key, so that nobody can be notified. */
export const PushKey = z.object({ key: z.string().nullable() });

/** The queue's message: a press that went live, and how far its followers are told; or one browser that could not be told yet. */
export const PushOrder = z.object({
  id: z.int().positive(),
  /** Whose followers come next, and after which follower. Followers of the author are told before followers of the stock. */
  of: z.enum(["author", "stock"]).default("author"),
  after: z.string().optional(),
  again: z.object({ wallet: z.string(), hash: z.string(), attempt: z.int().positive() }).optional(),
});
export type PushOrder = z.infer<typeof PushOrder>;
