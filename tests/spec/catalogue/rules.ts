import type { Row } from "./row.ts";

/** The specification's sections 5 to 9: authentication, events, errors, limits and versioning. */
export const rules = [
  {
    id: "5.1 public",
    claim: "presses, stocks, quotes, meta, audit report, relay and vote recording need no authentication",
  },
  { id: "5.2 purchase", claim: "purchasing needs no session: the signed payment names the payer" },
  { id: "5.2 cookie", claim: "a successful publisher payment sets a session cookie for the paying wallet" },
  { id: "5.3 session", claim: "publishing, dashboard, history and draft endpoints need a wallet session" },
  { id: "5.4 HttpOnly", claim: "the session is an HttpOnly cookie" },
  { id: "5.4 30 days", claim: "valid for 30 days and no longer" },
  { id: "5.4 one wallet", claim: "bound to one wallet address" },
  { id: "5.4 obtained", claim: "obtained by the exchange of nonce and signature, contract wallets included" },
  { id: "5.4 site origin", claim: "sign-in, verify and who-am-I work only from the service's own origin" },
  {
    id: "5.5 body",
    claim: "the body goes only to a session of the publisher or of a wallet that has unlocked the press",
  },
  {
    id: "5.6 cookie name",
    open: "the cookie's name",
    decided: "session, and __Host-session with Secure on https; SameSite=Lax, Path=/, Max-Age=2592000",
  },

  {
    id: "6 notifications",
    open: "webhooks, callbacks and other outbound notifications",
    decided: "there are none: no function may reach anything but the service's own parts and sources",
  },

  { id: "7 400 votes/record", claim: "transaction unconfirmed, not a vote, or value not 1 or -1" },
  { id: "7 401 auth/verify", claim: "wrong signature or reused nonce" },
  { id: "7 402 pay/*", claim: "no payment: terms are offered" },
  { id: "7 402 permit2_insufficient_balance", claim: "the wallet lacks USDG" },
  { id: "7 402 doesn't match", claim: "other network, token, amount or recipient: refused with fresh terms" },
  { id: "7 402 Malformed payment header", claim: "the header is not valid base64 JSON" },
  { id: "7 404 pay/*", claim: "no live press has that pressId" },
  { id: "7 404 votes/record", claim: "the vote is for a press that is not listed" },
  { id: "7 409 Pay the platform fee first", claim: "pay/publisher without a recorded fee" },
  {
    id: "7 409 already unlocked",
    claim: "pay/publisher for a press that the wallet has; nothing charged",
    beside: "`read` names the ways to the text",
  },
  { id: "7 409 press/save", claim: "the press is live" },
  { id: "7 429 press/save", claim: "more than 20 new drafts for a wallet and day" },
  { id: "7 429 press/audit", claim: "more than eight audits of the press" },
  { id: "7 429 draft/generate", claim: "more than five generations for a wallet and day" },
  { id: "7 503 pay/*", claim: "payments are temporarily unavailable" },
  { id: "7 503 press/audit", claim: "the audit agent is unavailable; the draft stays saved" },
  { id: "7 -32601 rpc", claim: "JSON-RPC error for a method that is not on the list" },
  {
    id: "7 error body",
    open: "the error body of non-402 errors",
    decided:
      "{ error, code, requestId }, issues for a 400 of validation, retryAfter (and the header) for 429 and 503",
  },
  {
    id: "7 session statuses",
    open: "status codes for a missing or wrong session and for another publisher's press",
    decided: "401 without a session, 403 from another site, 404 for another publisher's press",
  },

  {
    id: "8 presses per list",
    claim: "up to 200, newest first",
    beside: "`limit` and `cursor` for older ones",
  },
  { id: "8 nonce validity", claim: "ten minutes, single use" },
  { id: "8 session validity", claim: "30 days" },
  { id: "8 RPC batch size", claim: "up to 25 calls" },
  { id: "8 quote cache", claim: "about one minute" },
  { id: "8 payment timeout", claim: "maxTimeoutSeconds 300, and a signed payment ends at its deadline" },
  { id: "8 fee share", claim: "10 % of priceUnits rounded down to the treasury, the rest to the owner" },
  { id: "8 new drafts", claim: "20 for a wallet and day" },
  { id: "8 audits", claim: "eight for a press" },
  { id: "8 AI generations", claim: "five for a wallet and day" },
  { id: "8 headline length", claim: "8 to 90 characters" },
  { id: "8 preview length", claim: "80 to 400 characters" },
  { id: "8 body length", claim: "at least 150 words" },
  { id: "8 purchases", claim: "one for a wallet and press" },
  {
    id: "8 other limits",
    open: "general rate limits and request sizes",
    decided: "a body of more than 256 kB is 413; rates are limited at the edge and the gateway, by stage",
  },

  {
    id: "9 payment protocol",
    claim: "x402 version 2, scheme exact, transfer method permit2; x402Version is 2",
  },
  {
    id: "9 HTTP API",
    open: "how the HTTP API itself is versioned",
    decided: "it is not: the paths are as specified, without a prefix",
  },
] as const satisfies readonly Row[];
