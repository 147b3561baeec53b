/** What browsers are told: the session's cookie, what other sites may do, and what the site's own pages may load. */

/** The session cookie's name by the site's scheme: on https it carries the `__Host-` promise (RFC 6265bis §4.1.3.2). */
export const sessionCookieName = { https: "__Host-session", http: "session" } as const;

/** The header by which functions know the edge. */
export const originHeader = "x-origin-secret";

export { writtenPages } from "../core/page/schema.ts";

/** x402's sign-in-with-x: who sends it may read what its wallet has bought, without a cookie. */
export const signedReadHeader = "sign-in-with-x";

/**
 * What the gateway answers to other origins: anyone may read and pay from any page, without cookies.
 * `access-control-expose-headers` is sent as a request header by the official x402 client.
 */
export const cors = {
  allowOrigins: ["*"],
  allowMethods: ["GET", "POST"],
  allowHeaders: [
    "content-type",
    "payment-signature",
    "x-payment",
    signedReadHeader,
    "access-control-expose-headers",
    "mcp-protocol-version",
  ],
  exposeHeaders: ["payment-required", "payment-response", "retry-after"],
  maxAgeSeconds: 3600,
} as const;

/**
 * The content security policy of the site's pages: they load from and talk to their own origin only. Wallets' own pictures
 * are data: addresses (EIP-6963).
 */
export const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * What `@walletconnect/ethereum-provider` asks beside the site, by its release that the lockfile has: its relay; the frame by
 * which a wallet is told whose page asks it, for which the library waits up to five seconds before each request where it is
 * refused; and its node, where a wallet is asked for a chain that the site did not name.
 */
export const walletConnectHosts = {
  connect: ["wss://relay.walletconnect.org", "https://rpc.walletconnect.org"],
  frame: ["https://verify.walletconnect.org"],
} as const;

/** The same for a build with a WalletConnect project. */
export const walletConnectPolicy = sitePolicy.replace(
  "connect-src 'self'",
  `connect-src 'self' ${walletConnectHosts.connect.join(" ")}; frame-src ${walletConnectHosts.frame.join(" ")}`,
);
