import type { Leg, PaymentRequired } from "./schema.ts";

/** What each leg answers when it is paid (specification §4.4). */
const answers: Readonly<Record<Leg, object>> = {
  fee: { paid: true, tx: "0x…" },
  publisher: { paid: true, tx: "0x…", body: "The text, in Markdown." },
};

/**
 * The JSON Schema of `info`, with what x402's bazaar extension asks of one for a request with a body and with little more:
 * the longest signature that is taken has to fit into a payment header beside it.
 */
const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    input: {
      type: "object",
      properties: {
        type: { const: "http" },
        method: { enum: ["POST"] },
        body: {
          type: "object",
          properties: { pressId: { type: "integer", minimum: 0 } },
          required: ["pressId"],
        },
      },
      required: ["type", "method", "bodyType", "body"],
    },
    output: { type: "object", properties: { example: { type: "object" } } },
  },
  required: ["input"],
};

/**
 * The terms with x402's bazaar extension, from which directories learn what to send and what comes back. The request's
 * body names the press that was asked for, so that a directory's probe with it gets terms again. Clients echo it in the
 * payment header, whose size is bounded (`longestHeader`); nothing here reads the echo, so it decides nothing.
 */
export function withBazaar(terms: PaymentRequired, leg: Leg, pressId: number): PaymentRequired {
  const input = { type: "http", method: "POST", bodyType: "json", body: { pressId } };
  const output = { type: "json", example: answers[leg] };
  const bazaar = { info: { input, output }, schema };
  return { ...terms, extensions: { ...terms.extensions, bazaar } };
}
