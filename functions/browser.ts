/** The rules that the service sets for browsers: the session's cookie, CORS, and the content security policy. */

/**
 * The session cookie's name on a site with https, and on a site with http. On https the cookie's name has the `__Host-` prefix (RFC 6265bis
 * §4.1.3.2).
 */
export const sessionCookieName = { https: "__Host-session", http: "session" } as const;

/** The name of the header that contains the edge's secret. */
export const originHeader = "x-origin-secret";

export { writtenPages } from "../core/page/schema.ts";

/** x402's sign-in-with-x header, with which a wallet reads its purchases without a cookie. */
export const signedReadHeader = "sign-in-with-x";

/** The header with which a client can repeat a request so that the request takes effect only once. */
export const repeatHeader = "idempotency-key";

/**
 * The CORS headers that the gateway adds to its answers. Pages of any origin may read and pay, but without cookies. The header
 * `access-control-expose-headers` is allowed in requests because the official x402 client sends it.
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
 * The content security policy of the site's pages. The site's pages may load files only from their own origin, and may connect only to this
 * origin. The icons of wallets are given as `data:` addresses (EIP-6963).
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
 * The additional addresses that our release of `@walletconnect/ethereum-provider` uses: a relay; a frame that tells a wallet which page is
 * asking; and a node for chains that the site did not name. If WalletConnect's frame is blocked, WalletConnect's library waits up to five
 * seconds before each request.
 */
export const walletConnectHosts = {
  connect: ["wss://relay.walletconnect.org", "https://rpc.walletconnect.org"],
  frame: ["https://verify.walletconnect.org"],
} as const;

/** The content security policy of the site if the site is built with a WalletConnect project. */
export const walletConnectPolicy = sitePolicy.replace(
  "connect-src 'self'",
  `connect-src 'self' ${walletConnectHosts.connect.join(" ")}; frame-src ${walletConnectHosts.frame.join(" ")}`,
);
