/**
 * Lists every refusal code by its HTTP status, and describes the cases in which the service answers with the code. The OpenAPI document,
 * llms.txt and the developers' page are made from this table.
 */
export const refusals = {
  400: {
    authorization_not_valid:
      "The authorization has expired, is not valid yet, or is valid for more than ten minutes.",
    invalid_cursor: "The cursor is not from an answer of this list.",
    invalid_idempotency_key:
      "The Idempotency-Key header must consist of 8 to 128 of the characters [A-Za-z0-9_-].",
    invalid_input: "The request has an invalid form; see issues.",
    invalid_vote_value: "The vote's value is not 1 or -1.",
    malformed_json: "The body is not valid JSON.",
    no_identity_minted: "The transaction minted no identity to your wallet.",
    note_refused:
      "The audit's rules refuse the wording of the note, of the answer to a finding, or of the author's text about himself or herself.",
    not_a_vote: "The transaction is not a vote.",
    transaction_already_used: "The transaction has made another press live.",
    transaction_failed: "The transaction failed on the chain.",
    transaction_not_found: "No node has seen the transaction for two minutes; the request may be repeated.",
    transaction_unconfirmed: "The chain has not confirmed the transaction.",
    price_too_low: "The stage requires a higher price.",
    unknown_angle: "This angle was not offered recently.",
    unknown_finding: "The report has no such finding.",
    unknown_generation: "You have no such AI draft about this stock.",
    unknown_stock: "No active stock token has this ticker.",
    wrong_identity_uri: "The identity does not point to the press's metaUrl.",
    wrong_sender: "Another wallet sent the transaction.",
  },
  401: {
    invalid_nonce: "The signed message is unknown, expired or used.",
    invalid_sign_in: "The sign-in-with-x header is malformed, expired, or for another site, chain or press.",
    invalid_signature: "The signature does not match.",
    no_session: "There is no session, or it has expired.",
    other_session: "The header session-wallet names a wallet that is not the session's wallet.",
    sign_in_required:
      "A session that a payment opened lets the wallet only read, get the ETH for a vote, and end this session; this request needs a sign-in.",
  },
  // An answer with status 402 means that nothing was charged, and contains fresh payment terms. Refusals with status 402 use the codes of
  // x402; if x402 has no code for a case, they use our own code.
  402: {
    invalid_exact_evm_insufficient_balance: "The wallet has too little USDG for the whole price.",
    invalid_exact_evm_network_mismatch: "The payment is for another chain.",
    invalid_exact_evm_nonce_already_used: "The authorization's nonce was used before.",
    invalid_exact_evm_payload_authorization_valid_after:
      "The authorization is not valid yet: sign validAfter 0.",
    invalid_exact_evm_payload_authorization_valid_before:
      "The authorization has expired, or is about to expire.",
    invalid_exact_evm_payload_authorization_valid_before_too_far:
      "The authorization is valid for more than ten minutes.",
    invalid_exact_evm_payload_authorization_value_mismatch:
      "The authorization's amount is not the amount that is due.",
    invalid_exact_evm_recipient_mismatch: "The authorization pays a wallet that the terms do not name.",
    invalid_exact_evm_signature: "The token does not accept the authorization's signature.",
    invalid_exact_evm_token_mismatch: "The authorization is for a token other than USDG.",
    invalid_exact_evm_transaction_simulation_failed: "The payment would fail on the chain.",
    invalid_sign_in:
      "The sign-in-with-x header is malformed, expired, used, or for another site, chain, wallet or press.",
    invalid_permit2_recipient_mismatch: "The permit pays a wallet that the terms do not name.",
    invalid_permit2_signature: "The wallet did not make this signature for this permit.",
    invalid_permit2_spender: "The spender in the permit is not the spender in the terms.",
    malformed_payment_header:
      "The header is not an x402 version 2 payment as JSON in base64, or is too long.",
    payment_required: "The request contains no payment: the answer contains the terms.",
    permit2_allowance_required: "Permit2 may not move the wallet's USDG: approve it, or pay by EIP-3009.",
    permit2_amount_mismatch: "The permit's amount is not the amount that is due.",
    permit2_deadline_expired: "The permit has expired, or is about to expire.",
    permit2_deadline_too_far: "The permit is valid for more than ten minutes.",
    permit2_insufficient_balance: "The wallet has too little USDG for the whole price.",
    permit2_invalid_amount: "The chain refuses the permit's amount.",
    permit2_invalid_destination: "The chain refuses the permit's payee.",
    permit2_invalid_nonce: "The permit's nonce was used before.",
    permit2_invalid_owner: "The chain refuses the permit's payer.",
    permit2_not_yet_valid: "The permit is not valid yet: sign validAfter 0.",
    permit2_payment_too_early: "The chain says that the permit is not valid yet.",
    permit2_simulation_failed: "The payment would fail on the chain, or take too much gas.",
    permit2_token_mismatch: "The permit is for a token other than USDG.",
    unsupported_payload_type:
      "The payment's scheme is not exact, or the terms do not offer the payment's method.",
  },
  403: { wrong_origin: "The request comes from another site's page." },
  404: {
    unknown_author: "This wallet has no live press.",
    unknown_generation: "You have no such AI draft.",
    unknown_press: "The press does not exist, cannot be shown yet, or is not yours.",
    unknown_receipt: "No payment is recorded as settled by this transaction; the request may be repeated.",
    unknown_session: "The wallet has no such session.",
    unknown_stock: "No active stock token has this ticker.",
  },
  405: { post_only: "There are no streams to open and no sessions to end: send messages by POST." },
  409: {
    already_unlocked:
      "The text is already bought; nothing was charged. `read` names the address at which the wallet can read the text after a sign-in.",
    audit_running: "An audit of this press is running.",
    authorization_used:
      "The authorization's nonce was already used or cancelled; this request moved nothing.",
    dispute_overtaken: "Another request has changed the press.",
    edited_meanwhile: "The press was edited during the audit.",
    fee_first: "No fee is recorded: pay the fee first.",
    idempotency_key_reused: "The Idempotency-Key belongs to another request of the last 24 hours.",
    move_refused: "The wallet has too little USDG, or USDG refuses the transfer; nothing was moved.",
    move_without_credit:
      "The fees that the wallet has paid do not pay for the gas of a move; nothing was moved.",
    not_approved: "The press is not approved.",
    payment_identifier_conflict: "The payment identifier belongs to another payment; nothing was charged.",
    press_unlisted: "The author has taken the press off sale; nothing was charged.",
    press_not_live: "The press is not live yet.",
    press_live: "The press is live: its text and its report are final.",
    report_changed: "This is not the latest report.",
    stale_draft: "Another request has saved the draft since the time in updatedAt.",
    stale_manuscript:
      "Another request has changed the text since the time in updatedAt, or the text has become a press.",
    still_writing:
      "An earlier request with this Idempotency-Key is still writing the draft; the draft is counted only once.",
    stock_delisted: "The press's stock is no longer listed; the audit is not counted.",
  },
  413: { body_too_large: "The body is larger than 256 kB." },
  415: { not_json: "The content type is not application/json." },
  429: {
    audit_limit: "The press has used all of its 8 audits.",
    correction_limit:
      "The press has had 20 notes, or 20 kB of notes, or 40 changes of its price and listing; or the author's page has had 20 changes in this UTC day.",
    dispute_limit: "The answers to one report were changed 60 times.",
    draft_limit: "More than 20 new drafts in a UTC day.",
    generation_limit: "More than 5 AI drafts in a UTC day.",
    model_limit: "The wallet's model budget of the UTC day is used up; the call is not counted.",
    relay_limit: "The IP address has used up its allowance of calls to the RPC relay.",
    too_many_requests:
      "Too many requests from the network address or to the service; nothing was carried out. The answer may lack the JSON body.",
    too_many_mints: "Three other mint confirmations of this press are still running.",
    wallet_gas_limit:
      "The gas of payments of this wallet, or of its code, costs more than the limits allow now; nothing was charged.",
  },
  431: {
    headers_too_large:
      "The request line and the headers exceed 10,240 bytes. The answer may lack the JSON body.",
  },
  500: { internal: "A fault on our side, logged under the request id." },
  503: {
    audit_unavailable: "The audit agent is unavailable; the draft stays saved, and the audit is not counted.",
    chain_unavailable: "The chain gives no answer; nothing was charged, and no signed message is used up.",
    confirmation_timed_out: "The mint could not be checked; repeat the request.",
    market_unavailable: "There is no market data.",
    mint_pending: "The mint is not confirmed yet; repeat the request.",
    model_budget_spent: "The service's model budget of the UTC day is used up; the call is not counted.",
    model_busy: "Too many requests at once; repeat the request.",
    model_unavailable: "The model gave no usable draft; the attempt is not counted.",
    payments_unavailable: "Payments are temporarily unavailable; nothing was charged.",
    price_below_gas:
      "The fee does not pay for the gas of a read, and what is left of the publisher's gas allowance for today does not pay for the rest; nothing was charged.",
    queue_unavailable: "The request to confirm the mint was not accepted; repeat the request.",
    receipt_unavailable: "The receipt key cannot sign right now; the payment is settled and safe.",
    settlement_pending:
      "The payment or transfer may have been sent, but is not confirmed yet: repeat the request; nothing is charged or sent twice.",
    signer_unavailable: "No relayer can sign right now; nothing was charged.",
    search_unavailable: "Search is unavailable right now; the list of presses still works.",
    table_busy: "Concurrent requests change the same record; nothing was changed.",
    temporarily_unavailable: "A service that we depend on failed.",
    text_unavailable: "The payment is settled, but the text cannot be read right now.",
  },
} as const;

type Refusals = typeof refusals;

/** A refusal, written as its HTTP status and its code: `"404 unknown_press"`. */
export type Refusal = {
  readonly [Status in keyof Refusals]: `${Status} ${string & keyof Refusals[Status]}`;
}[keyof Refusals];

export type ErrorEntry = {
  readonly code: string;
  readonly statuses: readonly number[];
  readonly meaning: string;
  /**
   * Says whether the payer's money has moved. `unknown`: a signed payment was sent and may still be charged, but only once. `before`: the
   * text was already paid for by an earlier purchase.
   */
  readonly moneyMoved: "no" | "yes" | "before" | "unknown";
  /** Says whether and how the refused request may be repeated. */
  readonly retry: string;
};

/**
 * Says for each code of this table what happened to the payer's money. For a refusal code that is not listed here, no money moved (`no`).
 */
const money: Readonly<Record<string, ErrorEntry["moneyMoved"]>> = {
  settlement_pending: "unknown",
  text_unavailable: "yes",
  already_unlocked: "before",
};

/** The codes of statuses 400 and 409 whose answers say in Retry-After when the same request may succeed. */
const temporary = ["transaction_unconfirmed", "audit_running", "dispute_overtaken", "still_writing"];

function adviseRetry(code: string, status: number): string {
  if (code === "settlement_pending") return "the same payment again, after Retry-After";
  if (status === 429 || status === 503 || temporary.includes(code)) return "after Retry-After";
  if (status === 402) return "with a payment of the fresh terms";
  return status === 500 ? "later" : "no";
}

const all = Object.entries(refusals).flatMap(([status, codes]) =>
  Object.entries<string>(codes).map(([code, meaning]) => ({ code, meaning, status: Number(status) })),
);

/** The explanation of each refusal, by the refusal's status and code (`Refusal`). */
export const meanings: ReadonlyMap<string, string> = new Map(
  all.map(({ status, code, meaning }) => [`${status} ${code}`, `\`${code}\`: ${meaning}`]),
);

/** Every refusal code, in alphabetical order. */
export const errors: readonly ErrorEntry[] = [...new Set(all.map(({ code }) => code))]
  .toSorted()
  .map((code) => {
    const given = all.filter((one) => one.code === code);
    const { meaning, status } = given[0] ?? { meaning: "", status: 0 };
    const statuses = given.map((one) => one.status);
    return { code, statuses, meaning, moneyMoved: money[code] ?? "no", retry: adviseRetry(code, status) };
  });
