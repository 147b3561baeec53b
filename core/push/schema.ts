import * as z from "zod";

/** The maximum number of browsers of a wallet that get notifications. */
export const mostBrowsers = 5;

/** The hosts of the push services of Chrome, Firefox, Safari and Edge. */
const services = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^[a-z0-9-]+\.push\.apple\.com$/,
  /^[a-z0-9-]+\.notify\.windows\.com$/,
] as const;

/**
 * Whether a subscription's address belongs to a known push service. Our service must send no request to an address that does not belong to
 * a known push service. Tests pass their own origins as `further`, and these origins then count as known push services.
 */
export function isKnownPushService(endpoint: string, further: readonly string[] = []): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, origin, href } = new URL(endpoint);
  // An address that a URL parser would change is refused, because two programs could read it as two different addresses.
  if (href !== endpoint || `${username}${password}` !== "") return false;
  if (further.includes(origin)) return true;
  return protocol === "https:" && port === "" && services.some((service) => service.test(hostname));
}

const makeBase64urlSchema = (bytes: number) =>
  z.string().refine((text) => /^[\w-]+$/.test(text) && Buffer.from(text, "base64url").length === bytes, {
    error: `must be ${bytes} bytes as base64url`,
  });

const Endpoint = z.string().max(1_024);

/** A subscription as the browser gives it (W3C Push API, `toJSON`). */
export const SubscribeInput = z.object({
  endpoint: Endpoint,
  keys: z.object({ p256dh: makeBase64urlSchema(65), auth: makeBase64urlSchema(16) }),
});
export type SubscribeInput = Readonly<z.infer<typeof SubscribeInput>>;

/** Only the browser knows the address of its subscription, so the address alone is enough to end the browser's notifications. */
export const StopInput = z.object({ endpoint: Endpoint });

/** Whether this browser gets notifications of new articles. */
export const PushState = z.object({ on: z.boolean() });

/** The public half of the stage's push key in base64url; null if the stage has no push key and therefore sends no notifications. */
export const PushKey = z.object({ key: z.string().nullable() });

/**
 * A message of the queue. The message names either a press that went live and the followers who must be notified next, or one browser that
 * could not be notified yet.
 */
export const PushOrder = z.object({
  id: z.int().positive(),
  /**
   * The author or stock whose followers are notified next, and the last follower that was handled. The followers of a press's author are
   * notified before the followers of its stock.
   */
  of: z.enum(["author", "stock"]).default("author"),
  after: z.string().optional(),
  again: z.object({ wallet: z.string(), hash: z.string(), attempt: z.int().positive() }).optional(),
});
export type PushOrder = z.infer<typeof PushOrder>;
