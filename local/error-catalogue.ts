import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { mainnet } from "../core/chain/deployment.ts";
import { openApi } from "../functions/openapi/index.ts";

/** What happened to the money, for every code of whose requests money is part; `no` for all others. */
const money: Readonly<Record<string, string>> = {
  settlement_pending: "unknown",
  text_unavailable: "yes",
  already_unlocked: "before",
};

/** 402: nothing was charged, and terms of this moment come along. Codes of the protocol, and ours where it has none. */
const paymentCodes: Readonly<Record<string, string>> = {
  payment_required: "The request carries no payment: these are the terms.",
  malformed_payment_header: "The header is no base64 JSON of an x402 version 2 payment, or is too long.",
  unsupported_payload_type: "Another scheme than exact, or another way to sign than the terms offer.",
  invalid_exact_evm_network_mismatch: "The payment is for another chain.",
  permit2_token_mismatch: "The permit is for another token than USDG.",
  permit2_amount_mismatch: "The permit is for another amount than is due.",
  permit2_deadline_expired: "The permit has expired, or is about to.",
  permit2_deadline_too_far: "The permit is good for more than ten minutes.",
  permit2_not_yet_valid: "The permit is not valid yet: sign validAfter 0.",
  permit2_payment_too_early: "The chain says that the permit is not valid yet.",
  permit2_insufficient_balance: "The wallet has too little USDG for the whole price.",
  permit2_allowance_required: "Permit2 may not move the wallet's USDG: approve it, or pay by EIP-3009.",
  permit2_simulation_failed: "The payment would fail on the chain, or take too much gas.",
  permit2_invalid_nonce: "The permit's nonce was used before.",
  permit2_invalid_amount: "The chain refuses the permit's amount.",
  permit2_invalid_destination: "The chain refuses the permit's payee.",
  permit2_invalid_owner: "The chain refuses the permit's payer.",
  invalid_permit2_signature: "The signature is not the wallet's for this permit.",
  invalid_permit2_spender: "The permit names another spender than the terms.",
  invalid_permit2_recipient_mismatch: "The permit pays another wallet than the terms name.",
  invalid_exact_evm_signature: "The token does not take the authorization's signature.",
  invalid_exact_evm_token_mismatch: "The authorization is for another token than USDG.",
  invalid_exact_evm_payload_authorization_value_mismatch:
    "The authorization is for another amount than is due.",
  invalid_exact_evm_recipient_mismatch: "The authorization pays another wallet than the terms name.",
  invalid_exact_evm_payload_authorization_valid_before: "The authorization has expired, or is about to.",
  invalid_exact_evm_payload_authorization_valid_before_too_far:
    "The authorization is good for more than ten minutes.",
  invalid_exact_evm_payload_authorization_valid_after:
    "The authorization is not valid yet: sign validAfter 0.",
  invalid_exact_evm_insufficient_balance: "The wallet has too little USDG for the whole price.",
  invalid_exact_evm_nonce_already_used: "The authorization's nonce was used before.",
  invalid_exact_evm_transaction_simulation_failed: "The payment would fail on the chain.",
};

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ responses: z.record(z.string(), z.object({ description: z.string() })) }),
    ),
  ),
});

type Entry = {
  readonly code: string;
  readonly statuses: readonly number[];
  readonly meaning: string;
  readonly moneyMoved: string;
  readonly retry: string;
};

/** Every code by which the service refuses, from the OpenAPI document, which holds all that the code can throw. */
export function errorEntries(): readonly Entry[] {
  const document = openApi({
    origin: "https://example.com",
    chainId: mainnet.chainId,
    chainName: mainnet.name,
    contracts: mainnet.contracts,
    treasury: mainnet.contracts.usdg,
  });
  const found = new Map<string, { readonly statuses: Set<number>; readonly meanings: Set<string> }>();
  const add = (code: string, status: number, meaning: string) => {
    const entry = found.get(code) ?? { statuses: new Set(), meanings: new Set() };
    entry.statuses.add(status);
    entry.meanings.add(meaning);
    found.set(code, entry);
  };
  const { paths } = Document.parse(document);
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, { description }] of Object.entries(responses)) {
      for (const [, code = "", meaning = ""] of description.matchAll(/^`(\w+)`: (.*)$/gm))
        add(code, Number(status), meaning);
    }
  }
  for (const [code, meaning] of Object.entries(paymentCodes)) add(code, 402, meaning);
  return [...found]
    .map(([code, { statuses, meanings }]) => {
      const all = [...statuses].toSorted((one, other) => one - other);
      const meaning = [...meanings].join(" Or: ");
      return { code, statuses: all, meaning, moneyMoved: money[code] ?? "no", retry: retryOf(code, all) };
    })
    .toSorted((one, other) => (one.code < other.code ? -1 : 1));
}

function retryOf(code: string, statuses: readonly number[]): string {
  if (code === "settlement_pending") return "the same payment again, after Retry-After";
  if (statuses.some((status) => status === 429 || status === 503)) return "after Retry-After";
  if (statuses.includes(402)) return "with a payment of the fresh terms";
  return statuses.includes(500) ? "later" : "no";
}

/** The catalogue as the file that the pages and documents read. A test holds the file to it. */
export function errorCatalogue(): string {
  const lines = errorEntries().map((entry) => `  ${JSON.stringify(entry)},`);
  return `${header}export const errors: readonly ErrorEntry[] = [\n${lines.join("\n")}\n];\n`;
}

const header = `// Made from /openapi.json by \`npm run error:catalogue\`. Do not edit.

/** A code by which the service refuses. */
export type ErrorEntry = {
  readonly code: string;
  readonly statuses: readonly number[];
  /** When it is given. */
  readonly meaning: string;
  /** \`unknown\`: a signed payment is out and may be charged, once. \`before\`: an earlier purchase paid. */
  readonly moneyMoved: "no" | "yes" | "before" | "unknown";
  /** Whether and how the request may be repeated. */
  readonly retry: string;
};

/** Every code, in the order of the alphabet. */
`;

/** Where the catalogue stands. */
export const catalogueFile = join(import.meta.dirname, "../core/catalogue/schema.ts");

if (import.meta.main) {
  const made = errorCatalogue();
  const changed = readFileSync(catalogueFile, { encoding: "utf8", flag: "a+" }) !== made;
  if (changed) writeFileSync(catalogueFile, made);
  console.log(changed ? "The catalogue is new." : "The catalogue was up to date.");
}
